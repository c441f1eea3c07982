import { distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { CodewalkError, EVENT_PAYLOADS, type EventKind, issuesText, LIMITS } from '../../schema/index.js';
import type { Fact } from './fact.js';
import { fingerprintOf } from './fingerprint.js';
import { keptParams, keptText } from './kept-text.js';
import { type Known, knownErrorType, knownRole, knownStatus } from './known-words.js';
import { isoOf, timeOf } from './times.js';
import { type PlaceOf, touchedFiles } from './touched-files.js';

/** Letters that a mistyped field may differ in. */
const MOST_SLIPS = 2;

/** What an event says, normalised, and what is to be said about it. */
export interface Normalised {
  readonly fact: Fact;
  readonly warnings: readonly string[];
}

/** What the normalising of an event has to know beside its payload. */
export interface Around {
  /** Finds the files that it touched. */
  readonly placeOf: PlaceOf;
  /** As `keptSession` gives it. */
  readonly sessionId: string | null;
}

const { traceMessage, traceName, traceOutput, tracePrompt, traceTags, traceTests } = LIMITS;

/**
 * Checks an event's payload and makes its fact: texts masked and cut, words known, paths inside the root.
 *
 * @throws CodewalkError `INVALID_INPUT` naming the field that is missing or of another type (S3-40).
 */
export function normalised(kind: EventKind, payload: unknown, around: Around): Normalised {
  const warnings: string[] = [];
  const warn = (more: readonly (string | null)[]) => {
    for (const one of more) if (one !== null) warnings.push(one);
  };
  const fact = { ...tellerOf(payload, around), ...factOf(kind, payload, around, warn) };
  warn(misspeltFields({ ...Object(payload) }, [...Object.keys(EVENT_PAYLOADS[kind].shape), ...UNDECLARED]));
  return { fact, warnings };
}

/** Fields that are taken beside those of the payloads. */
const UNDECLARED = ['client'];

/** Who told, as far as it is known. */
function tellerOf(payload: unknown, { sessionId }: Around): { session_id?: string; client?: string } {
  const { client }: { client?: unknown } = Object(payload);
  return {
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...(typeof client === 'string' ? { client: name(client) } : {}),
  };
}

type Warn = (more: readonly (string | null)[]) => void;

function factOf(kind: EventKind, payload: unknown, around: Around, warn: Warn): Fact {
  switch (kind) {
    case 'task_start': {
      const { user_prompt, tags = [], client } = checked(EVENT_PAYLOADS[kind], kind, payload);
      const prompt = keptText(user_prompt, tracePrompt.max);
      if (tags.length > traceTags.max) warn([`tags: only the first ${traceTags.max} are kept`]);
      return {
        kind,
        user_prompt: prompt.text,
        tags: [...new Set(tags.slice(0, traceTags.max).map(name))],
        session_id: around.sessionId,
        client: typeof client === 'string' ? name(client) : null,
        truncated_bytes: prompt.truncated,
      };
    }
    case 'step': {
      const { order, role, llm_summary = '' } = checked(EVENT_PAYLOADS[kind], kind, payload);
      const known = knownRole(role);
      const summary = keptText(llm_summary, tracePrompt.max);
      warn([known.warning, order < 0 ? `order: ${order} is kept as 0` : null]);
      return {
        kind,
        order: Math.max(0, order),
        role: known.value,
        role_raw: rawOf(known),
        llm_summary: summary.text,
        truncated_bytes: summary.truncated,
      };
    }
    case 'tool_start': {
      const { tool_name, params_json, files_touched, role } = checked(EVENT_PAYLOADS[kind], kind, payload);
      const files = touchedFiles(around.placeOf, files_touched);
      const params = keptParams(toldParams(params_json));
      const known = knownRole(role);
      warn([...files.warnings, known.warning]);
      return {
        kind,
        tool_name: name(tool_name),
        params_json: params.params,
        files: [...files.paths],
        role: known.value,
        role_raw: rawOf(known),
        truncated_bytes: params.truncated,
      };
    }
    case 'tool_end': {
      const {
        tool_name,
        success,
        duration_ms = null,
        stdout = '',
        stderr = '',
        files_touched,
        role,
      } = checked(EVENT_PAYLOADS[kind], kind, payload);
      const files = touchedFiles(around.placeOf, files_touched);
      const [out, err] = [keptText(stdout, traceOutput.max), keptText(stderr, traceOutput.max)];
      const known = knownRole(role);
      const wrong = duration_ms !== null && duration_ms < 0;
      warn([
        ...files.warnings,
        known.warning,
        wrong ? `duration_ms: ${duration_ms} is no duration; left out` : null,
      ]);
      return {
        kind,
        tool_name: name(tool_name),
        success,
        duration_ms: wrong ? null : duration_ms,
        stdout: out.text,
        stderr: err.text,
        files: [...files.paths],
        symbols: [],
        role: known.value,
        role_raw: rawOf(known),
        truncated_bytes: out.truncated + err.truncated,
      };
    }
    case 'checkpoint': {
      const { checkpoint_file, created_at } = checked(EVENT_PAYLOADS[kind], kind, payload);
      const created = created_at === undefined ? null : timeOf(created_at);
      if (created_at !== undefined && created === null)
        warn([`created_at: '${name(created_at)}' is no time; left out`]);
      return {
        kind,
        checkpoint_file: name(checkpoint_file),
        created_at: created === null ? null : isoOf(created),
      };
    }
    case 'error': {
      const {
        error_type,
        message,
        raw_log_excerpt = '',
        tests = [],
      } = checked(EVENT_PAYLOADS[kind], kind, payload);
      const known = knownErrorType(error_type);
      const text = keptText(message, traceMessage.max);
      const log = keptText(raw_log_excerpt, traceOutput.max);
      const named = [...new Set(tests.slice(0, traceTests.max).map(name))];
      warn([known.warning]);
      return {
        kind,
        error_type: known.value,
        error_type_raw: rawOf(known),
        message: text.text,
        raw_log_excerpt: log.text,
        tests: named,
        fingerprint: fingerprintOf(text.text, named),
        truncated_bytes: text.truncated + log.truncated,
      };
    }
    case 'task_end': {
      const { status, summary = '', if_open = false } = checked(EVENT_PAYLOADS[kind], kind, payload);
      const known = knownStatus(status);
      const text = keptText(summary, tracePrompt.max);
      warn([known.warning]);
      return {
        kind,
        status: known.value,
        status_raw: rawOf(known),
        summary: text.text,
        if_open,
        truncated_bytes: text.truncated,
      };
    }
  }
}

function checked<S extends z.ZodObject>(schema: S, kind: EventKind, payload: unknown): z.output<S> {
  const parsed = schema.safeParse(withoutNulls(payload));
  if (parsed.success) return parsed.data;
  const fields = Object.keys(schema.shape).map((field) => (isOptional(kind, field) ? `${field}?` : field));
  throw new CodewalkError('INVALID_INPUT', `${kind}: payload.${issuesText(parsed.error)}`, {
    input: payload,
    suggestion: `The payload of ${kind} is {${fields.join(', ')}}.`,
  });
}

/** Who has nothing to say of a field may say null: a hook loses no event by it. */
function withoutNulls(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null));
}

function isOptional(kind: EventKind, field: string): boolean {
  const missing = EVENT_PAYLOADS[kind].safeParse({}).error?.issues ?? [];
  return !missing.some(({ path }) => path[0] === field);
}

function name(text: string): string {
  return keptText(text, traceName.max).text;
}

function rawOf({ raw }: Known<unknown>): string | null {
  return raw === null ? null : name(raw);
}

/**
 * Warnings on fields of a payload that nobody knows and that look like a known one which was not given. Other unknown
 * fields are no one's mistake: they are dropped without a word (S3-40).
 */
function misspeltFields(given: Readonly<Record<string, unknown>>, known: readonly string[]): string[] {
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
 * The parameters of a tool as an object: hooks and shells give them as JSON text too. A text that is no JSON object
 * is kept whole, as `{ text }`; an empty one says nothing.
 */
function toldParams(told: Record<string, unknown> | string | undefined): Record<string, unknown> | null {
  if (typeof told !== 'string') return told ?? null;
  if (told.trim() === '') return null;
  return objectOf(told) ?? { text: told };
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
