import { basename, extname } from 'node:path/posix';
import { answersWithExitCode, hidesExitCode, purposeOf, showsFailure } from '../failures/index.js';
import {
  type AgentEvent,
  type AgentReport,
  type Call,
  type Dialect,
  type Edit,
  type Outcome,
  type Purpose,
  printedBy,
} from './agent.js';
import { type LifecycleFields, lifecycleFields } from './fields.js';
import { patchEdits } from './patch.js';
import { absolutePath, at, isRecord, type Payload, textAt } from './payload.js';

/** Of a payload that names no session: all of them together are one. */
const NAMELESS = 'unnamed';

/** What a payload reports, read by an agent's dialect; null where it names no event. */
export function reportOf(payload: Payload, dialect: Dialect): AgentReport | null {
  const fields = lifecycleFields(payload);
  const { hook_event_name: event, agent_id = '', timestamp, checkpoint_file: file } = fields;
  if (event === undefined) return null;
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return {
    event,
    session: sessionOf(fields),
    prompt: dialect.promptOf(fields),
    subAgent: agent_id === '' ? null : agent_id,
    at: Number.isFinite(time) && time > 0 ? time : null,
    events: [...eventsIn(event, fields, dialect), ...(file ? [{ kind: 'checkpoint', file } as const] : [])],
  };
}

function sessionOf({ session_id, transcript_path }: LifecycleFields): string {
  if (session_id) return session_id;
  const file = basename((transcript_path ?? '').replaceAll('\\', '/'));
  return file.slice(0, file.length - extname(file).length) || NAMELESS;
}

function eventsIn(named: string, fields: LifecycleFields, dialect: Dialect): AgentEvent[] {
  const summary = fields.last_assistant_message ?? fields.prompt_response ?? '';
  const { events = {} } = dialect;
  const event = Object.hasOwn(events, named) ? events[named] : named;
  switch (event) {
    case 'SessionStart':
      return [{ kind: 'session_start' }];
    case 'UserPromptSubmit': {
      const text = dialect.userTextOf(fields);
      return text.trim() === '' ? [] : [{ kind: 'prompt', text }];
    }
    case 'PreToolUse':
      return callsIn(fields, dialect).map((call) => ({ kind: 'begin', call }));
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const outcome = dialect.outcomeOf(fields, event === 'PostToolUseFailure');
      return callsIn(fields, dialect).map((call) => ({
        kind: 'done',
        call,
        outcome: judged(call, outcome, dialect),
      }));
    }
    case 'PostToolBatch':
      return dialect.batchOf(fields).map(({ outcome, ...call }) => ({
        kind: 'done',
        call: callOf(call, fields, dialect),
        outcome,
      }));
    case 'Stop':
      return [{ kind: 'stop', status: 'ended', summary }];
    case 'StopFailure':
      return [{ kind: 'stop', status: 'aborted', summary }];
    case 'SessionEnd':
      return [{ kind: 'session_end' }];
    default:
      return [];
  }
}

/** The call that an event is about: none where it names neither a tool nor what it got. */
function callsIn(fields: LifecycleFields, dialect: Dialect): Call[] {
  const { tool_name = '', tool_input: input, tool_use_id, tool_call_id } = fields;
  if (tool_name === '' && !isRecord(input)) return [];
  const id = tool_use_id || tool_call_id || null;
  return [callOf({ tool: tool_name || 'unknown', input, id }, fields, dialect)];
}

/** A search that finds nothing exits with 1, and nothing failed; what tries the work may fail and exit with 0. */
function judged(call: Call, outcome: Outcome, { hidesExitCodes }: Dialect): Outcome {
  const command = call.command ?? '';
  const answered = outcome.exitCode === 1 && outcome.stderr === '' && answersWithExitCode(command);
  if (answered) return { ...outcome, success: true };
  // A pipe ends as its last command does.
  const isPiped = hidesExitCode(command);
  const mayFail = isPiped || (hidesExitCodes && purposeOf(command) === 'verify');
  if (!outcome.success || !mayFail || !showsFailure(printedBy(outcome))) return outcome;
  return isPiped ? { ...outcome, hidesFailure: true } : { ...outcome, success: false };
}

/** Fields of parameters that name a file. */
const ONE_FILE = ['file_path', 'notebook_path', 'absolute_path', 'filePath', 'path', 'file'];
/** Fields of parameters that name several. */
const FILES = ['file_paths', 'paths', 'files'];
/** Fields of parameters that hold what an edit writes. */
const NEW_TEXT = ['new_string', 'new_str', 'content', 'file_text', 'new_source'];
/** Tools whose paths are folders, patterns, or only asked about. */
const NO_FILES: ReadonlySet<Purpose> = new Set(['search', 'shell', 'plan']);
/** A path of a tool that is not known may as well be a folder's: this one has an ending. */
const FILE_NAME = /(?:^|[/\\])\.*[^/\\.][^/\\]*\.\w+$/u;

function callOf(
  { tool, input, id }: { readonly tool: string; readonly input: unknown; readonly id: string | null },
  { cwd = null }: { readonly cwd?: string | null | undefined },
  { tools }: Dialect,
): Call {
  const known = (Object.hasOwn(tools, tool) ? tools[tool] : undefined) ?? 'other';
  const params = paramsOf(input);
  const folder = folderOf(params, cwd);
  const patch = patchOf(params, known)?.map((edit) => ({ ...edit, file: absolutePath(edit.file, folder) }));
  const purpose = patch === undefined ? known : 'edit';
  const named = NO_FILES.has(purpose) ? [] : filesOf(params, purpose).map((file) => absolutePath(file, cwd));
  const files = patch === undefined ? named : [...new Set(patch.map(({ file }) => file))];
  return {
    id,
    tool,
    purpose,
    // As other tools for edits have them: who reads the trace knows no patches.
    params: patch === undefined ? params : { edits: patch.map(paramsOfEdit) },
    command: purpose === 'shell' ? commandOf(params) : null,
    files,
    cwd: folder,
    edits: purpose === 'edit' ? (patch ?? editsOf(params, files[0])) : [],
  };
}

/** The edits of a patch that a shell or a tool for edits is given; undefined for anything else. */
function patchOf(params: Call['params'], purpose: Purpose): Edit[] | undefined {
  if (purpose !== 'shell' && purpose !== 'edit') return undefined;
  return (
    patchEdits(commandOf(params) ?? textAt(params, 'input') ?? textAt(params, 'patch') ?? '') ?? undefined
  );
}

function paramsOfEdit({ file, old, now }: Edit) {
  return { file_path: file, old_string: old, new_string: now };
}

function paramsOf(input: unknown): Call['params'] {
  if (input === undefined || input === null) return null;
  if (isRecord(input)) return input;
  if (typeof input !== 'string') return { value: input };
  try {
    const value: unknown = JSON.parse(input);
    return isRecord(value) ? value : input;
  } catch {
    return input;
  }
}

/** Where a shell ran: a folder of its own that it was given, or that its command goes to first. */
function folderOf(params: Call['params'], cwd: string | null): string | null {
  const given = textAt(params, 'directory') || cwd;
  const base = given === null ? null : absolutePath(given, cwd);
  const [, quoted, plain] =
    /^\s*cd (?:"([^"$`]+)"|([^\s"'$`;&|]+))\s*(?:&&|;)/u.exec(commandOf(params) ?? '') ?? [];
  const folder = quoted ?? plain;
  return folder === undefined || folder.startsWith('~') ? base : absolutePath(folder, base);
}

function commandOf(params: Call['params']): string | null {
  const command = at(params, 'command') ?? at(params, 'cmd') ?? params;
  if (Array.isArray(command)) return command.filter((part) => typeof part === 'string').join(' ');
  return typeof command === 'string' ? command : null;
}

function filesOf(params: Call['params'], purpose: Purpose): string[] {
  const named = [
    ...ONE_FILE.map((field) => at(params, field)),
    ...FILES.flatMap((field) => listAt(params, field)),
  ];
  const files = named
    .filter((path) => typeof path === 'string')
    .filter((path) => path.trim() !== '' && !path.includes('*'))
    .filter((path) => purpose !== 'other' || FILE_NAME.test(path));
  return [...new Set(files)];
}

function listAt(params: Call['params'], field: string): readonly unknown[] {
  const value = at(params, field);
  return Array.isArray(value) ? value : [];
}

function editsOf(params: Call['params'], file: string | undefined): Edit[] {
  if (file === undefined) return [];
  const several = at(params, 'edits');
  const parts: readonly unknown[] = Array.isArray(several) ? several : [params];
  return parts.flatMap((part) => {
    const [now] = NEW_TEXT.flatMap((field) => textAt(part, field) ?? []);
    const old = textAt(part, 'old_string') ?? textAt(part, 'old_str') ?? '';
    return now === undefined ? [] : [{ file, old, now }];
  });
}
