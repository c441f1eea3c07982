import { basename, extname } from 'node:path/posix';
import { answersWithExitCode, hidesExitCode, showsFailure } from '../../failures/index.js';
import { placed } from '../placed.js';
import { at, isRecord, type Payload, textAt } from '../read-payload.js';
import {
  type Call,
  type Doing,
  type Edit,
  type Happening,
  type Outcome,
  printedBy,
  type Told,
} from '../told.js';
import type { Dialect } from './dialect.js';
import { type LifecycleFields, lifecycleFields } from './fields.js';

/** Fields of parameters that name a file. */
const ONE_FILE = ['file_path', 'notebook_path', 'absolute_path', 'filePath', 'path', 'file'];
/** Fields of parameters that name several. */
const FILES = ['file_paths', 'paths', 'files'];
/** Tools whose paths are folders, patterns, or only asked about. */
const NO_FILES: ReadonlySet<Doing> = new Set(['search', 'shell', 'plan']);

/** A call as its parameters tell it. */
function callOf(
  { tool, input, id }: Pick<Call, 'tool' | 'id'> & { readonly input: unknown },
  cwd: string | undefined,
  { tools }: Pick<Dialect, 'tools'>,
): Call {
  const doing = (Object.hasOwn(tools, tool) ? tools[tool] : undefined) ?? 'other';
  const params = isRecord(input) ? input : (objectIn(input) ?? input);
  return {
    id,
    tool,
    doing,
    params: paramsOf(params),
    command: doing === 'shell' ? commandOf(params) : null,
    files: NO_FILES.has(doing) ? [] : filesOf(params, doing).map((file) => placed(file, cwd)),
    cwd: placeOf(params, cwd),
    edits: doing === 'edit' ? editsOf(params, cwd) : [],
  };
}

/** Where a shell ran: a folder of its own that it was given, or that its command goes to first. */
function placeOf(params: unknown, cwd: string | undefined): string | null {
  const given = textAt(params, 'directory') || cwd;
  const [, quoted, plain] =
    /^\s*cd (?:"([^"$`]+)"|([^\s"'$`;&|]+))\s*(?:&&|;)/u.exec(commandOf(params) ?? '') ?? [];
  const folder = quoted ?? plain;
  const base = given === undefined ? undefined : placed(given, cwd);
  return (folder === undefined || folder.startsWith('~') ? base : placed(folder, base)) ?? null;
}

function objectIn(input: unknown): Payload | null {
  if (typeof input !== 'string') return null;
  try {
    const value: unknown = JSON.parse(input);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function paramsOf(params: unknown): Call['params'] {
  if (isRecord(params) || typeof params === 'string') return params;
  return params === undefined || params === null ? null : { value: params };
}

function commandOf(params: unknown): string | null {
  const command = at(params, 'command') ?? at(params, 'cmd') ?? (typeof params === 'string' ? params : null);
  if (Array.isArray(command)) return command.filter((part) => typeof part === 'string').join(' ');
  return typeof command === 'string' ? command : null;
}

function filesOf(params: unknown, doing: Doing): string[] {
  const one = ONE_FILE.map((field) => textAt(params, field));
  const many = FILES.flatMap((field) => {
    const value = at(params, field);
    return Array.isArray(value) ? value.map((path: unknown) => (typeof path === 'string' ? path : null)) : [];
  });
  const named = [...one, ...many].filter((path) => path !== null && path.trim() !== '');
  // A pattern is no file; of a tool that nobody knows a path may as well be a folder's.
  const files = named.filter(
    (path) =>
      path !== null &&
      !path.includes('*') &&
      (doing !== 'other' || /(?:^|[/\\])\.*[^/\\.][^/\\]*\.\w+$/u.test(path)),
  );
  return [...new Set(files.flatMap((path) => path ?? []))];
}

function editsOf(params: unknown, cwd: string | undefined): Edit[] {
  const [path] = filesOf(params, 'edit');
  if (path === undefined) return [];
  const file = placed(path, cwd);
  const several = at(params, 'edits');
  const parts: readonly unknown[] = Array.isArray(several) ? several : [params];
  return parts.flatMap((part) => {
    const now = textAt(part, 'new_string') ?? textAt(part, 'content') ?? textAt(part, 'new_source');
    return now === null ? [] : [{ file, old: textAt(part, 'old_string') ?? '', now }];
  });
}

/** Of a payload that tells no session: all of them together are one. */
const NAMELESS = 'unnamed';

/** What a payload tells in the words of a client's dialect; null where it names no event. */
export function tell(payload: Payload, dialect: Dialect): Told | null {
  const fields = lifecycleFields(payload);
  const { hook_event_name: event, agent_id = '', timestamp } = fields;
  if (event === undefined) return null;
  const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return {
    event,
    session: sessionOf(fields),
    prompt: dialect.promptOf(fields),
    subAgent: agent_id === '' ? null : agent_id,
    at: Number.isFinite(at) && at > 0 ? at : null,
    happenings: [
      ...happeningsOf(event, fields, dialect),
      ...(fields.checkpoint_file ? [{ kind: 'checkpoint', file: fields.checkpoint_file } as const] : []),
    ],
  };
}

function sessionOf({ session_id, transcript_path }: LifecycleFields): string {
  if (session_id) return session_id;
  const file = basename((transcript_path ?? '').replaceAll('\\', '/'));
  return file.slice(0, file.length - extname(file).length) || NAMELESS;
}

function happeningsOf(event: string, fields: LifecycleFields, dialect: Dialect): Happening[] {
  switch (event) {
    case 'SessionStart':
      return [{ kind: 'session_start' }];
    case 'UserPromptSubmit': {
      const text = dialect.userTextOf(fields);
      return text.trim() === '' ? [] : [{ kind: 'prompt', text }];
    }
    case 'PreToolUse':
      return calls(fields, dialect).map((call) => ({ kind: 'begin', call }));
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const outcome = dialect.outcomeOf(fields, event === 'PostToolUseFailure');
      return calls(fields, dialect).map((call) => ({ kind: 'done', call, outcome: judged(call, outcome) }));
    }
    case 'PostToolBatch':
      return dialect.batchOf(fields).map(({ outcome, ...call }) => ({
        kind: 'done',
        call: callOf(call, fields.cwd, dialect),
        outcome,
      }));
    case 'Stop':
      return [{ kind: 'stop', status: 'ended', summary: fields.last_assistant_message ?? '' }];
    case 'StopFailure':
      return [{ kind: 'stop', status: 'aborted', summary: fields.last_assistant_message ?? '' }];
    case 'SessionEnd':
      return [{ kind: 'session_end' }];
    default:
      return [];
  }
}

/** The call that an event is about: none where it names neither a tool nor what it got. */
function calls(fields: LifecycleFields, dialect: Dialect): Call[] {
  const { tool_name = '', tool_input: input, tool_use_id, tool_call_id } = fields;
  if (tool_name === '' && !isRecord(input)) return [];
  const id = tool_use_id || tool_call_id || null;
  return [callOf({ tool: tool_name || 'unknown', input, id }, fields.cwd, dialect)];
}

/** A search that finds nothing exits with 1, and nothing failed; what tries the work may fail and exit with 0. */
function judged(call: Call, outcome: Outcome): Outcome {
  const { command } = call;
  const answered = outcome.exitCode === 1 && outcome.stderr === '' && answersWithExitCode(command ?? '');
  if (answered) return { ...outcome, success: true };
  // A pipe ends as its last command does.
  const hides =
    outcome.success && command !== null && hidesExitCode(command) && showsFailure(printedBy(outcome));
  return hides ? { ...outcome, hidesFailure: true } : outcome;
}
