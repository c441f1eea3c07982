import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { Failure, failureOfError, fingerprintOf, parseFailure } from '../../failures/index.js';
import { shownLine } from '../../present/index.js';
import {
  anyObject,
  CodewalkError,
  ERROR_TYPES,
  type ErrorType,
  EVENT_PAYLOADS,
  type EventKind,
  isoOf,
  issuesText,
  LIMITS,
  STEP_ROLES,
  type StepRole,
  TASK_STATUSES,
  type TaskStatus,
  timeOf,
} from '../../schema/index.js';
import { masked, storedParams, storedText } from '../../source/index.js';
import type { PlaceOf } from './places.js';
import { NO_USE, usageOf } from './tool-use.js';

const text = z.string();
const optionalText = text.nullable();
const count = z.number().int().min(0);
const truncated_bytes = count;
/** Root-relative paths with `/`, each once, sorted. */
const files = z.array(text);
/** The purpose of a tool use. Facts of earlier versions have none. */
const purpose = { role: z.enum(STEP_ROLES).nullable().default(null), role_raw: optionalText.default(null) };
/** The reporting session and client: a task whose start was lost takes them from its other events. */
const reporter = { session_id: optionalText.optional(), client: optionalText.optional() };
/** The parsed output. Absent in facts of earlier versions, which are parsed when their task is folded. */
const failure = Failure.nullable().optional();

/** The status of a task that is over without anybody saying how: the trace decides. */
export const ENDED = 'ended';

/** An event's payload, normalised: texts masked and cut, words mapped to their enums, paths relative to the root. */
export const Fact = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('task_start'),
    user_prompt: text,
    tags: z.array(text),
    session_id: optionalText,
    client: optionalText,
    truncated_bytes,
  }),
  z.object({
    kind: z.literal('step'),
    ...reporter,
    order: count,
    role: z.enum(STEP_ROLES).nullable(),
    role_raw: optionalText,
    llm_summary: text,
    truncated_bytes,
  }),
  z.object({
    kind: z.literal('tool_start'),
    ...reporter,
    tool_name: text,
    params_json: anyObject.nullable(),
    files,
    ...purpose,
    truncated_bytes,
  }),
  z.object({
    kind: z.literal('tool_end'),
    ...reporter,
    tool_name: text,
    success: z.boolean(),
    /** Whether a person stopped it: neither a pass nor a failure. */
    interrupted: z.boolean().default(false),
    duration_ms: z.number().min(0).nullable(),
    stdout: text,
    stderr: text,
    files,
    /** Ids of the symbols whose lines an edit changed. */
    symbols: z.array(text).default([]),
    ...purpose,
    failure,
    truncated_bytes,
  }),
  z.object({ kind: z.literal('checkpoint'), ...reporter, checkpoint_file: text, created_at: optionalText }),
  z.object({
    kind: z.literal('error'),
    ...reporter,
    error_type: z.enum(ERROR_TYPES),
    error_type_raw: optionalText,
    message: text,
    raw_log_excerpt: text,
    tests: z.array(text).default([]),
    fingerprint: optionalText,
    failure,
    truncated_bytes,
  }),
  z.object({
    kind: z.literal('task_end'),
    ...reporter,
    status: z.enum([...TASK_STATUSES, ENDED]),
    status_raw: optionalText,
    summary: text.default(''),
    if_open: z.boolean().default(false),
    truncated_bytes: truncated_bytes.default(0),
  }),
]);
/** See {@link Fact}. */
export type Fact = z.infer<typeof Fact>;
/** The fact of one kind of event. */
export type FactOf<K extends Fact['kind']> = Extract<Fact, { kind: K }>;

/** A fact, with warnings about what was not taken as it was said. */
export interface Normalised {
  readonly fact: Fact;
  readonly warnings: readonly string[];
}

/** The context in which an event is normalised. */
export interface EventContext {
  readonly placeOf: PlaceOf;
  /** As `storedSession` gives it. */
  readonly sessionId: string | null;
}

/** Letters that a mistyped field may differ in. */
const MOST_SLIPS = 2;
/** Fields that are read besides those of the payloads. */
const UNDECLARED = ['client', 'interrupted'];
const { traceMessage, traceName, traceOutput, tracePrompt, traceTags, traceTests } = LIMITS;

type Warn = (...more: readonly (string | null)[]) => void;

/**
 * Checks the payload of an event and makes its fact.
 *
 * @throws CodewalkError `INVALID_INPUT` naming the field that is missing or of another type (S3-40).
 */
export function normalise(kind: EventKind, payload: unknown, context: EventContext): Normalised {
  const warnings: string[] = [];
  const warn: Warn = (...more) => warnings.push(...more.filter((one) => one !== null));
  const { client }: { client?: unknown } = Object(payload);
  const fact = {
    ...(context.sessionId === null ? {} : { session_id: context.sessionId }),
    ...(typeof client === 'string' ? { client: name(client) } : {}),
    ...factOf(kind, payload, context, warn),
  };
  warn(...misspelt({ ...Object(payload) }, [...Object.keys(EVENT_PAYLOADS[kind].shape), ...UNDECLARED]));
  return { fact, warnings };
}

function factOf(kind: EventKind, payload: unknown, context: EventContext, warn: Warn): Fact {
  switch (kind) {
    case 'task_start': {
      const { user_prompt, tags = [], client } = checked(EVENT_PAYLOADS[kind], kind, payload);
      const prompt = storedText(user_prompt, tracePrompt.max);
      if (tags.length > traceTags.max) warn(`tags: only the first ${traceTags.max} are kept`);
      return {
        kind,
        user_prompt: prompt.text,
        tags: [...new Set(tags.slice(0, traceTags.max).map(name))],
        session_id: context.sessionId,
        client: typeof client === 'string' ? name(client) : null,
        truncated_bytes: prompt.truncated,
      };
    }
    case 'step': {
      const { order, role, llm_summary = '' } = checked(EVENT_PAYLOADS[kind], kind, payload);
      const summary = storedText(llm_summary, tracePrompt.max);
      if (order < 0) warn(`order: ${order} is kept as 0`);
      return {
        kind,
        order: Math.max(0, order),
        ...roleOf(role, warn),
        llm_summary: summary.text,
        truncated_bytes: summary.truncated,
      };
    }
    case 'tool_start': {
      const { tool_name, params_json, files_touched, role } = checked(EVENT_PAYLOADS[kind], kind, payload);
      const params = storedParams(paramsOf(params_json));
      return {
        kind,
        tool_name: name(tool_name),
        params_json: params.params,
        files: touchedFiles(context.placeOf, files_touched, warn),
        ...roleOf(role, warn),
        truncated_bytes: params.truncated,
      };
    }
    case 'tool_end': {
      const end = checked(EVENT_PAYLOADS[kind], kind, payload);
      const { tool_name, success, duration_ms = null, stdout = '', stderr = '' } = end;
      const [out, err] = [storedText(stdout, traceOutput.max), storedText(stderr, traceOutput.max)];
      const isWrong = duration_ms !== null && duration_ms < 0;
      if (isWrong) warn(`duration_ms: ${duration_ms} is no duration; left out`);
      const interrupted = Object(payload).interrupted === true;
      const ended = { tool_name: name(tool_name), success, interrupted, stdout: out.text, stderr: err.text };
      const role = roleOf(end.role, warn);
      return {
        kind,
        ...ended,
        duration_ms: isWrong ? null : duration_ms,
        files: touchedFiles(context.placeOf, end.files_touched, warn),
        symbols: [],
        ...role,
        failure: failureOfEnd({ ...ended, role: role.role }),
        truncated_bytes: out.truncated + err.truncated,
      };
    }
    case 'checkpoint': {
      const { checkpoint_file, created_at } = checked(EVENT_PAYLOADS[kind], kind, payload);
      const created = created_at === undefined ? null : timeOf(created_at);
      if (created_at !== undefined && created === null)
        warn(`created_at: '${name(created_at)}' is no time; left out`);
      return {
        kind,
        checkpoint_file: name(checkpoint_file),
        created_at: created === null ? null : isoOf(created),
      };
    }
    case 'error': {
      const said = checked(EVENT_PAYLOADS[kind], kind, payload);
      const known = knownErrorType(said.error_type, warn);
      const message = storedText(said.message, traceMessage.max);
      const log = storedText(said.raw_log_excerpt ?? '', traceOutput.max);
      const tests = [...new Set((said.tests ?? []).slice(0, traceTests.max).map(name))];
      const error = { error_type: known.value, message: message.text, raw_log_excerpt: log.text, tests };
      return {
        kind,
        ...error,
        error_type_raw: known.raw,
        fingerprint: fingerprintOf(message.text, tests),
        failure: failureOfError(error),
        truncated_bytes: message.truncated + log.truncated,
      };
    }
    case 'task_end': {
      const { status, summary = '', if_open = false } = checked(EVENT_PAYLOADS[kind], kind, payload);
      const known = knownStatus(status, warn);
      const said = storedText(summary, tracePrompt.max);
      return {
        kind,
        status: known.value,
        status_raw: known.raw,
        summary: said.text,
        if_open,
        truncated_bytes: said.truncated,
      };
    }
  }
}

/** The parsed output of a tool use that failed; null where it did not, or printed nothing. */
export function failureOfEnd(
  end: Pick<FactOf<'tool_end'>, 'tool_name' | 'success' | 'interrupted' | 'stdout' | 'stderr' | 'role'>,
): Failure | null {
  const { tool_name, success, interrupted, stdout, stderr, role } = end;
  const output = [stdout, stderr].filter((one) => one !== '').join('\n');
  if (success || interrupted || output.trim() === '') return null;
  return parseFailure(output, { isShell: usageOf(tool_name, NO_USE, role) === null });
}

function checked<S extends z.ZodObject>(schema: S, kind: EventKind, payload: unknown): z.output<S> {
  // A client that has nothing to say of a field may say null: a hook must not lose its event by that.
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  const said = isObject
    ? Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null))
    : payload;
  const parsed = schema.safeParse(said);
  if (parsed.success) return parsed.data;
  const required = new Set(schema.safeParse({}).error?.issues.map(({ path }) => path[0]));
  const fields = Object.keys(schema.shape).map((field) => (required.has(field) ? field : `${field}?`));
  throw new CodewalkError('INVALID_INPUT', `${kind}: payload.${issuesText(parsed.error)}`, {
    input: payload,
    suggestion: `The payload of ${kind} is {${fields.join(', ')}}.`,
  });
}

function name(said: string): string {
  return storedText(said, traceName.max).text;
}

/**
 * The files that an event touched. A path that leaves the root (`../`, absolute elsewhere, through a link), or that
 * holds a secret, is left out and named: the event itself is recorded.
 */
function touchedFiles(placeOf: PlaceOf, given: readonly string[] = [], warn: Warn): string[] {
  const paths = new Set<string>();
  for (const path of [...new Set(given)].slice(0, LIMITS.eventFiles.max)) {
    const found = placeOf(path);
    if (found !== null) paths.add(found);
    else warn(`files_touched: '${shownLine(masked(path), 200)}' is no file inside the project; left out`);
  }
  const left = given.length - LIMITS.eventFiles.max;
  if (left > 0) warn(`files_touched: ${left} paths beyond the first ${LIMITS.eventFiles.max} are left out`);
  return [...paths].sort();
}

/**
 * Warns about unknown fields that look like a known one which was not given. Other unknown fields are dropped without
 * a word (S3-40).
 */
function misspelt(given: Readonly<Record<string, unknown>>, known: readonly string[]): string[] {
  const missing = known.filter((field) => !(field in given));
  return Object.keys(given)
    .filter((field) => !known.includes(field))
    .flatMap((field) => {
      const meant = missing.find((one) => isSlip(field.toLowerCase(), one));
      return meant === undefined ? [] : [`${field}: no such field, left out; did you mean '${meant}'?`];
    });
}

/** In a short name two other letters make another word. */
function isSlip(field: string, known: string): boolean {
  if (Math.abs(field.length - known.length) > MOST_SLIPS) return false;
  const slips = distance(field, known);
  return slips <= MOST_SLIPS && slips * 2 < known.length;
}

/**
 * The parameters of a tool as an object: hooks and shells give them as JSON text too. A text that is no JSON object is
 * stored whole, as `{ text }`; an empty one says nothing.
 */
function paramsOf(said: Record<string, unknown> | string | undefined): Record<string, unknown> | null {
  if (typeof said !== 'string') return said ?? null;
  if (said.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(said);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // It is no JSON.
  }
  return { text: said };
}

/** A word mapped to an enum, and the word itself where it is another one. */
interface Known<V> {
  readonly value: V;
  readonly raw: string | null;
}

/** Other words for how a task ended. Failure is claimed only where the word says so. */
const STATUS_WORDS: readonly (readonly [status: TaskStatus, words: RegExp])[] = [
  ['failed', /^(?:fail(?:ure|ing)?|errors?|errored|broken|crash(?:ed)?|timed?[ _-]?out|unsuccessful)$/u],
  ['success', /^(?:succe(?:ss|ssful|eded)|ok(?:ay)?|done|completed?|finished|pass(?:ed)?|resolved)$/u],
  ['aborted', /^(?:abort|cancell?ed|interrupted|stopped|killed|skipped)$/u],
  ['planned', /^(?:pending|todo|queued)$/u],
  ['running', /^(?:in[ _-]?progress|started|active|working)$/u],
];

/** Maps the word for how a task ended. An unknown word says only that the task is over: `aborted`. */
function knownStatus(said: string, warn: Warn): Known<TaskStatus | typeof ENDED> {
  const word = said.trim().toLowerCase();
  const exact = [...TASK_STATUSES, ENDED].find((status) => status === word);
  if (exact) return { value: exact as TaskStatus | typeof ENDED, raw: null };
  const value = STATUS_WORDS.find(([, words]) => words.test(word))?.[0];
  const warning = unknownWord('status', said, value ?? 'aborted', TASK_STATUSES);
  warn(value ? warning : `${warning} unless its end was told before`);
  return { value: value ?? 'aborted', raw: name(said) };
}

/** Whether the raw word of a status is one that has no meaning here. Null: there was no other word. */
export function isUnknownStatus(raw: string | null): boolean {
  return raw !== null && !STATUS_WORDS.some(([, words]) => words.test(raw.trim().toLowerCase()));
}

function roleOf(said: string | undefined, warn: Warn): { role: StepRole | null; role_raw: string | null } {
  if (said === undefined) return { role: null, role_raw: null };
  const role = STEP_ROLES.find((one) => one === said.trim().toLowerCase()) ?? null;
  if (role === null) warn(unknownWord('role', said, null, STEP_ROLES));
  return { role, role_raw: role === null ? name(said) : null };
}

function knownErrorType(said: string, warn: Warn): Known<ErrorType> {
  const exact = ERROR_TYPES.find((type) => type === said.trim().toLowerCase());
  if (exact) return { value: exact, raw: null };
  warn(unknownWord('error_type', said, 'runtime_error', ERROR_TYPES));
  return { value: 'runtime_error', raw: name(said) };
}

function unknownWord(field: string, said: string, value: string | null, known: readonly string[]): string {
  return `${field}: '${said}' is none of ${known.join(', ')}; kept as ${field}_raw, ${field} is ${value}`;
}
