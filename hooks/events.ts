import { createHash } from 'node:crypto';
import { commandsIn, type Failure, parseOutput, printedEnds, purposeOf } from '../failures/index.js';
import type { JournalEvent, RecordedPayload } from '../host/index.js';
import { LIMITS, type StepRole } from '../schema/index.js';
import { secretName, secretRule } from '../source/index.js';
import { type AgentEvent, type AgentReport, type Call, hasFailed, type Outcome, printedBy } from './agent.js';

/** Hexadecimal digits of an event's id: 128 bits, so that no two events of a lifetime meet. */
const DIGITS = 32;

/** Files that are read by people. */
const DOCS = /\.(?:md|mdx|rst|adoc)$|(?:^|\/)(?:docs?|documentation)\/[^/]*\.txt$/iu;

/** Characters that are recorded of what a tool read: the file itself can be read again. */
const READ = 2000;

/** What stands for the content of a file of secrets, and for what a command prints of one. */
const SECRET = '[masked:secret]';

/** Commands that print a secret and nothing else, by the first words of what they run. */
const PRINTS =
  /^(?:gh auth token|glab auth token|gcloud auth (?:application-default )?print-\S+|aws (?:secretsmanager get-secret-value|ssm get-parameters?|ecr get-login-password|configure get|sts )|az account get-access-token|az keyvault secret show|vault (?:kv get|read|print)|pass (?:show )?\S+\/|op (?:read|item get)|bw get|doppler secrets|heroku config|sops (?:-d|--decrypt|decrypt)|ansible-vault (?:view|decrypt)|gpg (?:.* )?(?:-d|--decrypt)\b|security find-\S+-password|kubectl (?:.* )?get secrets?\b|docker secret inspect|fly(?:ctl)? auth token|npm token|doctl auth|lpass show|secret-tool lookup)/u;
const READERS =
  /^(?:cat|bat|batcat|less|more|head|tail|tac|nl|sed|awk|cut|grep|egrep|rg|strings|xxd|od|base64|type|get-content|gc|jq|yq|printf|source)$/iu;
/** Folders that hold secrets, as a command names them. */
const SECRET_PLACE = /(?:^|\/)(?:run\/secrets|\.ssh|\.gnupg|\.aws|\.kube)\//u;
/** `$DB_PASSWORD`, `${DB_PASSWORD}`. */
const VARIABLE = /\$\{?([A-Za-z_]\w{0,80})/gu;

/** The payload of the event that a call began. */
function toolStart(call: Call): Record<string, unknown> {
  const role = roleOf(call);
  const params = isOfSecret(call) && call.command === null ? withoutContent(call.params) : call.params;
  return {
    tool_name: call.tool,
    ...(params === null ? {} : { params_json: params }),
    ...(role === null ? {} : { role }),
    files_touched: call.files,
  };
}

/** The payload of the event that it ended. */
function toolEnd(call: Call, outcome: Outcome): Record<string, unknown> {
  const { success, interrupted, stdout, stderr, exitCode, durationMs, lines, content } = outcome;
  const most = call.purpose === 'read' || call.purpose === 'search' ? READ : LIMITS.traceOutput.max;
  return {
    tool_name: call.tool,
    success,
    ...(durationMs === null ? {} : { duration_ms: durationMs }),
    stdout: printedEnds(stdout, most),
    stderr: printedEnds(stderr, most),
    files_touched: call.files,
    ...(interrupted ? { interrupted } : {}),
    ...(exitCode === null ? {} : { exit_code: exitCode }),
    ...(lines.length === 0 ? {} : { lines }),
    // Of a larger file no symbols are known.
    ...(content === null || content.length > LIMITS.fileBytes.default ? {} : { content }),
  };
}

/** An outcome without what a file of secrets holds, or what a command printed of one. */
function withoutSecret(call: Call, outcome: Outcome): Outcome {
  if (!isOfSecret(call)) return outcome;
  const stdout = outcome.stdout === '' ? '' : SECRET;
  // What a command says of its failure is no secret; what it printed before may be.
  return { ...outcome, stdout, content: null };
}

/** Whether a call reads, writes or prints what is a secret as a whole. */
function isOfSecret({ purpose, command, files }: Call): boolean {
  if (command !== null) return printsSecret(command);
  return (purpose === 'read' || purpose === 'edit') && files.some(isSecretPath);
}

/** Parameters without what a file of secrets holds: its path and numbers stay. */
function withoutContent(params: Call['params']): Call['params'] {
  if (params === null) return null;
  if (typeof params === 'string') return SECRET;
  const shown = (value: unknown) =>
    ['number', 'boolean'].includes(typeof value) || (typeof value === 'string' && isSecretPath(value));
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, shown(value) ? value : SECRET]),
  );
}

/** Whether what a shell prints is a secret as a whole: nothing in it need say so. */
function printsSecret(line: string): boolean {
  return commandsIn(line).some(({ words, reads }) => {
    const [name = '', ...rest] = [...words, ...reads];
    if (PRINTS.test(words.join(' '))) return true;
    if (name === 'printenv') return rest.some((word) => secretName(word) !== null);
    if (name === 'echo' || name === 'printf')
      return rest.some((word) =>
        [...word.matchAll(VARIABLE)].some(([, one = '']) => secretName(one) !== null),
      );
    return READERS.test(name) && rest.some(isSecretPath);
  });
}

/** Whether a path is that of a file which is never read, because it holds secrets. */
function isSecretPath(path: string): boolean {
  return (
    SECRET_PLACE.test(path) ||
    secretRule(path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)) !== null
  );
}

/** What a command is part of, by what it is for. */
const COMMAND_ROLES: Readonly<Record<string, StepRole>> = { verify: 'testing', inspect: 'reading' };

/** What a call is part of; null: it may be part of anything. */
function roleOf({ purpose, files, command }: Call): StepRole | null {
  switch (purpose) {
    case 'read':
    case 'search':
      return 'reading';
    case 'edit':
      return files.length > 0 && files.every((file) => DOCS.test(file)) ? 'docs' : 'editing';
    case 'plan':
      return 'planning';
    case 'shell':
      return COMMAND_ROLES[purposeOf(command ?? '') ?? ''] ?? null;
    case 'other':
      return null;
  }
}

/** What of git commits, and prints what it made. */
const COMMITS = /\b(?:commit|cherry-pick|revert)\b/u;

/** `[main 1a2b3c4] Subject`, `[main (root-commit) 1a2b3c4] Subject`, `[detached HEAD 1a2b3c4] Subject`. */
const MADE = /^\[[^\]\n]*? ([0-9a-f]{7,40})\] /gmu;

/** Commits of one command that are recorded. */
const MOST = 50;

/** Milliseconds between events of one payload that happened at once, in its order: the graph stores times as numbers. */
const NEXT = 1 / 1024;

/** An event without what all events of its payload share. */
interface Part {
  readonly kind: string;
  readonly phase: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly call?: string;
  /** Its name among others of its phase. Default: the call, else the client's time or the file's name. */
  readonly named?: string;
  /** Whether the session decides which task it is about, and not the prompt. */
  readonly bySession?: boolean;
}

/** The identity of an event: the same for the same parts, whenever its payload is read again. */
function eventId(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, DIGITS);
}

/** The task of a prompt that the client names. */
export function taskId(client: string, prompt: string): string {
  return `task:${eventId(client, prompt)}`;
}

/** What went wrong with a call that failed, and the part of its output that shows it. */
export function failureOf(
  { purpose, tool, command, cwd }: Call,
  outcome: Outcome,
): { readonly failure: Failure; readonly excerpt: string } {
  const { exitCode } = outcome;
  const isShell = purpose === 'shell';
  return parseOutput(printedBy(outcome), { command: command ?? tool, cwd, isShell, exitCode });
}

/** The events that a payload reports, as `etg_log_event` takes them. */
export function eventsOf(
  report: AgentReport,
  { client, name, at: recorded }: Pick<RecordedPayload, 'client' | 'name' | 'at'>,
): JournalEvent[] {
  const { session, prompt, subAgent } = report;
  const at = report.at ?? recorded;
  // Two hooks of one event (a user's and a project's) report the same time: it counts once.
  const unnamed = report.at === null ? name : `${report.event} ${report.at}`;
  return report.events
    .flatMap((event) => partsOf(event, { at, unnamed, prompt }))
    .map(({ kind, phase, at, payload, call, named = call ?? unnamed, bySession = false }) => ({
      event_id: eventId(client, session, named, phase),
      at,
      kind,
      // A task whose prompt was never reported is the client's all the same.
      payload: { ...payload, client },
      session_id: session,
      ...(prompt === null || bySession ? {} : { task_id: taskId(client, prompt) }),
      ...(call === undefined ? {} : { tool_id: call }),
      ...(subAgent === null ? {} : { step_id: `agent:${subAgent}` }),
    }));
}

interface Around {
  readonly at: number;
  /** Names what the client gave no name. */
  readonly unnamed: string;
  readonly prompt: string | null;
}

function partsOf(event: AgentEvent, around: Around): Part[] {
  const { at, prompt } = around;
  switch (event.kind) {
    case 'session_start':
      return [];
    case 'prompt': {
      const payload = { user_prompt: event.text };
      return [{ kind: 'task_start', phase: 'prompt', at, payload, named: prompt ?? around.unnamed }];
    }
    case 'begin': {
      const { call } = event;
      // Without a name of its own nothing could tell which end is its.
      return call.id === null
        ? []
        : [{ kind: 'tool_start', phase: 'pre', at, payload: toolStart(call), call: call.id }];
    }
    case 'done':
      return doneParts(event.call, event.outcome, around);
    case 'checkpoint':
      return [{ kind: 'checkpoint', phase: 'checkpoint', at, payload: { checkpoint_file: event.file } }];
    case 'stop': {
      const { status, summary } = event;
      const payload = summary === '' ? { status } : { status, summary };
      return [{ kind: 'task_end', phase: 'stop', at, payload }];
    }
    case 'session_end':
      // For what is still open in the session: a task that has ended is not ended again.
      return [{ kind: 'task_end', phase: 'session-end', at, payload: { status: 'ended' }, bySession: true }];
  }
}

function doneParts(call: Call, reported: Outcome, { at, unnamed }: Around): Part[] {
  const outcome = withoutSecret(call, reported);
  const { durationMs, startedAt, success } = outcome;
  // Several may end in one millisecond, or be reported by one payload.
  const id = call.id ?? eventId(unnamed, call.tool, JSON.stringify(call.params));
  const started = durationMs === null ? (startedAt ?? at - NEXT) : at - durationMs;
  const parts: Part[] = [
    {
      kind: 'tool_start',
      phase: 'start',
      at: Math.min(started, at - NEXT),
      payload: toolStart(call),
      call: id,
    },
    { kind: 'tool_end', phase: 'end', at, payload: toolEnd(call, outcome), call: id },
  ];
  const failure = hasFailed(outcome) ? failureOf(call, outcome) : null;
  if (failure) {
    const { type, reason, tests } = failure.failure;
    const payload = {
      error_type: type,
      message: reason,
      raw_log_excerpt: failure.excerpt,
      ...(tests.length === 0 ? {} : { tests: tests.map(({ name }) => name) }),
    };
    parts.push({ kind: 'error', phase: 'error', at: at + NEXT, payload, call: id });
  }
  const commits = success && call.command !== null ? commitsIn(call.command, outcome.stdout) : [];
  for (const [index, hash] of commits.entries())
    parts.push({
      kind: 'checkpoint',
      phase: `commit ${index}`,
      at: at + NEXT,
      payload: { checkpoint_file: `git:${hash}` },
      call: id,
    });
  return parts;
}

/** The hashes of the commits that a successful command reports. */
function commitsIn(command: string, output: string): string[] {
  if (!command.split(/[|;&\n]/u).some(commits)) return [];
  const hashes = [...output.matchAll(MADE)].flatMap(([, hash]) => hash ?? []);
  return [...new Set(hashes)].slice(0, MOST);
}

/** In two looks: one expression for both would cost the square of a long command. */
function commits(command: string): boolean {
  const git = command.search(/\bgit\b/u);
  return git >= 0 && COMMITS.test(command.slice(git));
}
