import { createHash } from 'node:crypto';
import { createContext, Script } from 'node:vm';
import { z } from 'zod';
import { Failure, failureOfError, fingerprintOf, parseFailure } from '../../failures/index.js';
import { isNear, shownLine } from '../../present/index.js';
import { compareText } from '../../runtime/index.js';
import {
  anyObject,
  CodewalkError,
  ERROR_TYPES,
  EVENT_KINDS,
  EVENT_PAYLOADS,
  type EventKind,
  isoOf,
  isRecord,
  issuesText,
  LIMITS,
  parseId,
  STEP_ROLES,
  TASK_STATUSES,
  type TaskStatus,
  timeOf,
} from '../../schema/index.js';
import {
  insideRoot,
  masked,
  storedParams,
  storedText,
  toGraphPath,
  withoutTexts,
} from '../../source/index.js';
import { NO_USE, usageOf } from './tool-use.js';

/* An event as a client reports it becomes a fact: checked, masked, cut, and parsed once. */

const text = z.string();

/** Maps a path that a client gave to its root-relative path; null outside the project, or where it holds a secret. */
export type PlaceOf = (path: string) => string | null;

/** Finds files inside a root, and caches each path for one run. @param root Null: paths are judged by their spelling. */
export function placesIn(root: string | null): PlaceOf {
  const known = new Map<string, string | null>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const place = placeIn(root, path);
    known.set(path, place);
    return place;
  };
}

function placeIn(root: string | null, path: string): string | null {
  // A file is stored under its name: there is no masked one.
  if (path.length > LIMITS.pathText.max || masked(path) !== path) return null;
  try {
    return (root === null ? toGraphPath('/', path, 'posix') : insideRoot(root, path).path) || null;
  } catch (thrown) {
    if (thrown instanceof CodewalkError) return null;
    throw thrown;
  }
}

/** The status of a task that is over without anybody saying how: the trace decides. */
export const ENDED = 'ended';

const optionalText = text.nullable();
const texts = z.array(text);
const role = z.enum(STEP_ROLES).nullable().default(null);
/** The purpose of a step or a tool use. Tool uses of earlier versions have none. */
const purpose = { role, role_raw: optionalText.default(null) };
const tool = { tool_name: text, files: texts, ...purpose };
/** The parsed output. Absent in facts of earlier versions, which are parsed when their task is folded. */
const failure = Failure.nullable().optional();

function fact<const K extends EventKind, S extends z.ZodRawShape>(kind: K, shape: S) {
  return z.object({
    kind: z.literal(kind),
    ...shape,
    /** The reporting session and client: a task whose start was lost takes them from its other events. */
    session_id: optionalText.optional(),
    client: optionalText.optional(),
    truncated_bytes: z.number().int().min(0).default(0),
  });
}

/** An event's payload, normalised: texts masked and cut, words mapped to their enums, paths relative to the root. */
export const Fact = z.discriminatedUnion('kind', [
  fact('task_start', { user_prompt: text, tags: texts }),
  fact('step', { order: z.number().int().min(0), ...purpose, llm_summary: text }),
  fact('tool_start', { ...tool, params_json: anyObject.nullable() }),
  fact('tool_end', {
    ...tool,
    success: z.boolean(),
    /** Whether a person stopped it: neither a pass nor a failure. */
    interrupted: z.boolean().default(false),
    duration_ms: z.number().min(0).nullable(),
    stdout: text,
    stderr: text,
    /** Ids of the symbols whose lines an edit changed. */
    symbols: texts.default([]),
    failure,
  }),
  fact('checkpoint', { checkpoint_file: text, created_at: optionalText }),
  fact('error', {
    error_type: z.enum(ERROR_TYPES),
    error_type_raw: optionalText,
    message: text,
    raw_log_excerpt: text,
    tests: texts.default([]),
    fingerprint: optionalText,
    failure,
  }),
  fact('task_end', {
    status: z.enum([...TASK_STATUSES, ENDED]),
    status_raw: optionalText,
    summary: text.default(''),
    if_open: z.boolean().default(false),
  }),
]);
export type Fact = z.infer<typeof Fact>;
/** The fact of one kind of event. */
export type FactOf<K extends EventKind> = Extract<Fact, { kind: K }>;

const { traceMessage, traceName, traceOutput, tracePrompt, traceTags, traceTests, eventFiles } = LIMITS;

class Taker {
  truncated_bytes = 0;
  readonly warnings: string[] = [];

  constructor(private readonly placeOf: PlaceOf) {}

  warn(warning: string): void {
    this.warnings.push(warning);
  }

  text(said: string | undefined, most: number): string {
    const stored = storedText(said ?? '', most);
    this.truncated_bytes += stored.truncated;
    return stored.text;
  }

  name(said: string): string {
    return storedText(said, traceName.max).text;
  }

  names(said: readonly string[] = [], most: number): string[] {
    return [...new Set(said.slice(0, most).map((one) => this.name(one)))];
  }

  /** A word of an enum; of another one its meaning and the word itself. */
  word<V extends string, const W>(
    field: string,
    said: string,
    known: readonly V[],
    meaning: W,
    more = '',
  ): [V | W, string | null] {
    const value = known.find((one) => one === said.trim().toLowerCase());
    if (value !== undefined) return [value, null];
    const others = `'${said}' is none of ${known.join(', ')}`;
    this.warn(`${field}: ${others}; kept as ${field}_raw, ${field} is ${meaning}${more}`);
    return [meaning, this.name(said)];
  }

  purpose(said: string | undefined): Pick<FactOf<'step'>, 'role' | 'role_raw'> {
    const [role, role_raw] = said === undefined ? [null, null] : this.word('role', said, STEP_ROLES, null);
    return { role, role_raw };
  }

  /** The files that an event touched. A path that leads out of the root, or holds a secret, is left out with a warning. */
  files(given: readonly string[] = []): string[] {
    const paths = new Set<string>();
    for (const path of new Set(given.slice(0, eventFiles.max))) {
      const found = this.placeOf(path);
      if (found !== null) paths.add(found);
      else
        this.warn(`files_touched: '${shownLine(masked(path), 200)}' is no file inside the project; left out`);
    }
    const left = given.length - eventFiles.max;
    if (left > 0) this.warn(`files_touched: ${left} paths beyond the first ${eventFiles.max} are left out`);
    return [...paths].sort();
  }
}

type Payload<K extends EventKind> = z.output<(typeof EVENT_PAYLOADS)[K]>;
type Own<K extends EventKind> = Omit<FactOf<K>, 'kind' | 'truncated_bytes'>;

const FACTS: { readonly [K in EventKind]: (payload: Payload<K>, take: Taker) => Own<K> } = {
  task_start: ({ user_prompt, tags = [] }, take) => {
    if (tags.length > traceTags.max) take.warn(`tags: only the first ${traceTags.max} are stored`);
    const prompt = take.text(user_prompt, tracePrompt.max);
    return { user_prompt: prompt, tags: take.names(tags, traceTags.max), session_id: null, client: null };
  },
  step: ({ order, role, llm_summary }, take) => {
    if (order < 0) take.warn(`order: ${order} is stored as 0`);
    const summary = take.text(llm_summary, tracePrompt.max);
    return { order: Math.max(0, order), ...take.purpose(role), llm_summary: summary };
  },
  tool_start: ({ tool_name, params_json, files_touched, role }, take) => {
    const { params, truncated } = storedParams(paramsOf(params_json));
    take.truncated_bytes += truncated;
    const files = take.files(files_touched);
    return { tool_name: take.name(tool_name), params_json: params, files, ...take.purpose(role) };
  },
  tool_end: (end, take) => {
    const { duration_ms = null } = end;
    const isWrong = duration_ms !== null && duration_ms < 0;
    if (isWrong) take.warn(`duration_ms: ${duration_ms} is no duration; left out`);
    const fact = {
      tool_name: take.name(end.tool_name),
      success: end.success,
      interrupted:
        end.interrupted === true || (!end.success && isInterruption(end.stderr || (end.stdout ?? ''))),
      duration_ms: isWrong ? null : duration_ms,
      stdout: take.text(end.stdout, traceOutput.max),
      stderr: take.text(end.stderr, traceOutput.max),
      files: take.files(end.files_touched),
      symbols: [],
      ...take.purpose(end.role),
    };
    return { ...fact, failure: failureOfEnd(fact) };
  },
  checkpoint: ({ checkpoint_file, created_at }, take) => {
    const time = created_at === undefined ? null : timeOf(created_at);
    if (created_at !== undefined && time === null)
      take.warn(`created_at: '${take.name(created_at)}' is no time; left out`);
    return { checkpoint_file: take.name(checkpoint_file), created_at: time === null ? null : isoOf(time) };
  },
  error: (said, take) => {
    const [error_type, raw] = take.word('error_type', said.error_type, ERROR_TYPES, 'runtime_error');
    const message = take.text(said.message, traceMessage.max);
    const raw_log_excerpt = take.text(said.raw_log_excerpt, traceOutput.max);
    const error = { error_type, message, raw_log_excerpt, tests: take.names(said.tests, traceTests.max) };
    const fingerprint = fingerprintOf(message, error.tests);
    const shown = message.trim() === '' ? 'no message' : message;
    return { ...error, message: shown, error_type_raw: raw, fingerprint, failure: failureOfError(error) };
  },
  task_end: ({ status, summary, if_open = false }, take) => {
    const meaning = meaningOf(status);
    const more = meaning === null ? ' unless its end was told before' : '';
    const read = () => take.word('status', status, TASK_STATUSES, meaning ?? 'aborted', more);
    const [known, status_raw] = meaning === ENDED ? [meaning, null] : read();
    return { status: known, status_raw, summary: take.text(summary, tracePrompt.max), if_open };
  },
};

/** Checks the payload of an event and makes its fact, with warnings about what was not taken as reported. */
export function normalise(
  kind: EventKind,
  payload: unknown,
  { placeOf, session }: { readonly placeOf: PlaceOf; readonly session: string | null },
): { readonly fact: Fact; readonly warnings: readonly string[] } {
  const take = new Taker(placeOf);
  const said = checked(kind, payload);
  const read = FACTS[kind] as (payload: object, take: Taker) => Own<EventKind>;
  const fact = {
    kind,
    ...read(said, take),
    ...(session === null ? {} : { session_id: session }),
    ...(typeof said.client === 'string' ? { client: take.name(said.client) } : {}),
    truncated_bytes: take.truncated_bytes,
  } as Fact;
  return { fact, warnings: [...take.warnings, ...misspelt(kind, Object(payload))] };
}

/** Whether a text says that a person stopped what an agent did: that is no failure. */
export function isInterruption(said: string): boolean {
  return /^\s*\[Request interrupted by user/u.test(said);
}

/** The parsed output of a tool use that failed; null where it did not, or printed nothing. */
export function failureOfEnd(
  end: Pick<FactOf<'tool_end'>, 'tool_name' | 'success' | 'interrupted' | 'stdout' | 'stderr' | 'role'>,
): Failure | null {
  const output = [end.stdout, end.stderr].filter((one) => one !== '').join('\n');
  if (end.success || end.interrupted || output.trim() === '') return null;
  return parseFailure(output, { isShell: usageOf(end.tool_name, NO_USE, end.role) === null });
}

function checked(kind: EventKind, payload: unknown): Record<string, unknown> {
  const schema: z.ZodObject = EVENT_PAYLOADS[kind];
  const parsed = schema.safeParse(isRecord(payload) ? withoutNulls(payload) : payload);
  if (parsed.success) return parsed.data;
  throw new CodewalkError('INVALID_INPUT', `${kind}: payload.${issuesText(parsed.error)}`, {
    input: payload,
    suggestion: `The payload of ${kind} is {${payloadFields(kind).join(', ')}}.`,
  });
}

/** What a client says: one that has nothing to say of a field may say null, and must not lose its event by that. */
export function withoutNulls(said: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
}

/** The fields that a payload takes, those that it may lack with `?`. */
export function payloadFields(kind: EventKind): string[] {
  const { shape }: z.ZodObject = EVENT_PAYLOADS[kind];
  return Object.entries(shape).map(([field, type]) =>
    type.safeParse(undefined).success ? `${field}?` : field,
  );
}

function misspelt(kind: EventKind, given: Readonly<Record<string, unknown>>): string[] {
  const known = [...Object.keys(EVENT_PAYLOADS[kind].shape), 'client', 'interrupted'];
  const missing = known.filter((field) => !(field in given));
  return Object.keys(given).flatMap((field) => {
    const intended = known.includes(field) ? undefined : missing.find((one) => isNear(field, one));
    return intended === undefined ? [] : [`${field}: no such field, left out; did you mean '${intended}'?`];
  });
}

/** Parameters as an object: hooks and shells give JSON text too. A text that is no JSON object becomes `{ text }`. */
function paramsOf(said: Record<string, unknown> | string | undefined): Record<string, unknown> | null {
  if (typeof said !== 'string') return said ?? null;
  if (said.trim() === '') return null;
  try {
    return anyObject.parse(JSON.parse(said));
  } catch {
    return { text: said };
  }
}

/** Other words for how a task ended. Failure is claimed only where the word says so. */
const STATUS_WORDS: readonly (readonly [status: TaskStatus, words: RegExp])[] = [
  ['failed', /^(?:fail(?:ure|ing)?|errors?|errored|broken|crash(?:ed)?|timed?[ _-]?out|unsuccessful)$/u],
  ['success', /^(?:succe(?:ss|ssful|eded)|ok(?:ay)?|done|completed?|finished|pass(?:ed)?|resolved)$/u],
  ['aborted', /^(?:abort|cancell?ed|interrupted|stopped|killed|skipped)$/u],
  ['planned', /^(?:pending|todo|queued)$/u],
  ['running', /^(?:in[ _-]?progress|started|active|working)$/u],
];

/** The meaning of a word for how a task ended; null: it says only that the task is over. */
export function meaningOf(said: string): TaskStatus | typeof ENDED | null {
  const word = said.trim().toLowerCase();
  const exact = [...TASK_STATUSES, ENDED as typeof ENDED].find((status) => status === word);
  return exact ?? STATUS_WORDS.find(([, words]) => words.test(word))?.[0] ?? null;
}

/** The fields of an event as a client reports it. */
export const EVENT_FIELDS = {
  kind: z.enum(EVENT_KINDS),
  payload: z.record(text, z.unknown()),
  task_id: text.nullish().describe('As answered; none: new task'),
  step_id: text.nullish(),
  tool_id: text.nullish(),
  // An event with an id counts once, however often it is given.
  event_id: text.optional(),
  session_id: text.optional(),
  ts: z.union([z.number(), text]).optional(),
};
/** See {@link EVENT_FIELDS}. */
export type ReportedEvent = Omit<z.infer<z.ZodObject<typeof EVENT_FIELDS>>, 'payload'> & { payload: unknown };

/** An event that is to be recorded: normalised, with its names as they are stored. */
export interface NewEvent {
  /** Null where the client gave it none: the graph names it. */
  readonly id: string | null;
  readonly at: number;
  /** Whether `at` is the time that the client gave; else of two such events the one that arrived later is later. */
  readonly timed: boolean;
  readonly given: string | null;
  readonly session: string | null;
  readonly step_name: string | null;
  readonly tool_name: string | null;
  readonly fact: Fact;
}

/** The place of an event among those of its task: its time, then its id. */
export const EventKey = z.tuple([z.number(), z.string()]);
export type EventKey = z.infer<typeof EventKey>;

/** The order of events. */
export function compareKeys([a, x]: EventKey, [b, y]: EventKey): number {
  return a - b || compareText(x, y);
}

/** Milliseconds: of what is reported for one moment, a tool's end follows its start, and an error the tool that met it. */
const TICK = 1 / 1024;
/** Milliseconds by which a client's clock may be ahead: a later time is a mistake, and would stay the newest. */
const AHEAD = 86_400_000;

/** Reads an event that a client reported: texts masked and cut, names as they are stored. @param context.now Milliseconds. */
export function readEvent(
  said: ReportedEvent,
  { placeOf, now }: { readonly placeOf: PlaceOf; readonly now: number },
): { readonly event: NewEvent; readonly warnings: readonly string[] } {
  const { kind, event_id, step_id, tool_id, ts } = said;
  const task = said.task_id || null;
  const session = said.session_id ? storedSession(said.session_id) : null;
  const read = (payload: unknown) => normalise(kind, payload, { placeOf, session });
  const { fact, warnings } =
    withinEventTime(() => read(said.payload))?.done ?? read(withoutTexts(said.payload));
  const given = ts === undefined ? null : timeOf(ts);
  const time = given !== null && given > now + AHEAD ? null : given;
  const isNoTime = time === null && ts !== undefined;
  return {
    event: {
      id: event_id ? traceId('event', kind, task ?? '', session ?? '', event_id) : null,
      at: (time ?? now) + EVENT_KINDS.indexOf(kind) * TICK,
      timed: time !== null,
      given: task === null ? null : namedTask(task),
      session,
      step_name: step_id ? storedName('step', step_id) : null,
      tool_name: tool_id ? storedName('tool', tool_id) : null,
      fact,
    },
    warnings: isNoTime
      ? [
          ...warnings,
          `ts: '${ts}' is ${given === null ? 'no time' : 'yet to come'}; the event counts as of now`,
        ]
      : warnings,
  };
}

const box = createContext({ work: null });
const script = new Script('work()');

/**
 * Runs work on an event, and stops it after some milliseconds, even inside a regular expression: all of it
 * should take linear time; this guards against mistakes. The work must not change anything outside itself.
 * @returns null when the time was up.
 */
export function withinEventTime<T>(
  work: () => T,
  ms: number = LIMITS.eventTime.max,
): { readonly done: T } | null {
  let done: { readonly done: T } | null = null;
  const before = box.work;
  box.work = () => {
    done = { done: work() };
  };
  try {
    script.runInContext(box, { timeout: ms });
  } catch (thrown) {
    if (Object(thrown).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
    return null;
  } finally {
    box.work = before;
  }
  return done;
}

type TraceForm = 'task' | 'step' | 'tool' | 'checkpoint' | 'error' | 'event' | 'cursor';

/** Digits of a hash: 130 bits, so that no two events of a lifetime meet. */
const ID_DIGITS = 26;
/** Longest name of a session that is stored as it is, and longest name that a client may give a task. */
const LONGEST_SESSION = 500;
const LONGEST_NAME = 200;

/** The id of a node of a trace: a function of what makes it that node, never of when it arrived. */
export function traceId(form: TraceForm, ...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  // 256 bits are at most 52 digits.
  return `${form}:${BigInt(`0x${hash}`).toString(32).padStart(52, '0').slice(0, ID_DIGITS)}`;
}

/** The stored name of a session: its hash where it holds a secret or is too long, else the name itself. */
export function storedSession(session: string): string {
  const fits = session.length <= LONGEST_SESSION && masked(session) === session;
  return fits ? session : traceId('event', 'session', session);
}

const OWN_ID = /^\w+:[0-9a-v]{26}$/u;
/** The name of a sub agent's step, with the sub agent in it. */
const AGENT_STEP = /^agent:([\w.@:-]{1,100})$/u;

/** The stored name of a step or tool: one of our ids or a sub agent's name as it is, any other one as a hash. */
export function storedName(form: 'step' | 'tool', name: string): string {
  if (name.startsWith(`${form}:`) && OWN_ID.test(name)) return name;
  const shows = form === 'step' && AGENT_STEP.test(name) && masked(name) === name;
  return `=${shows ? name : traceId(form, name)}`;
}

/** The sub agent whose step a {@link storedName} is; null for another step. */
export function agentOf(stored: string): string | null {
  return AGENT_STEP.exec(stored.slice(1))?.[1] ?? null;
}

/** The id behind a {@link storedName}: a client's own name (a call id) only means something within its task. */
export function namedId(form: 'step' | 'tool', task: string, stored: string): string {
  return stored.startsWith('=') ? traceId(form, task, stored) : stored;
}

/** The id of a task that a client named: its name. @throws CodewalkError `INVALID_INPUT` for one that means something else. */
export function namedTask(name: string): string {
  // A node's id is stored as it is.
  if (masked(name) !== name) return traceId('task', name);
  const isTaken = parseId(name) !== null || /^(?:step|tool|checkpoint|error|event|cursor):/u.test(name);
  if (!isTaken && name.trim() !== '' && name.length <= LONGEST_NAME) return name;
  throw new CodewalkError('INVALID_INPUT', `task_id: '${name.slice(0, LONGEST_NAME)}' cannot name a task`, {
    input: name,
    suggestion: `Give the task_id that an earlier event was answered with, a name of your own (at most ${LONGEST_NAME} characters), or none.`,
  });
}

/** The id of the node that stores what is known of a session: its last event and its current task. */
export const sessionCursorId = (session: string): string => traceId('cursor', 'session', session);

/** The id of the node that stores which context hooks delivered to a session. */
export const deliveredCursorId = (session: string): string => traceId('cursor', 'session', session, 'told');
