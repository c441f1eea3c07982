import {
  ERROR_TYPES,
  type ErrorType,
  STEP_ROLES,
  TASK_STATUSES,
  type TaskStatus,
} from '../../schema/index.js';
import { ENDED } from './fact.js';

/** A word of an enum, and what was said where that is another one. */
export interface Known<V> {
  readonly value: V;
  /** Null: the enum knows what was said. */
  readonly raw: string | null;
  /** Null: nothing to report. */
  readonly warning: string | null;
}

/** Other words for how a task ended. Failure is claimed only where the word says so. */
const STATUS_WORDS: readonly (readonly [status: TaskStatus, words: RegExp])[] = [
  ['failed', /^(?:fail(?:ure|ing)?|errors?|errored|broken|crash(?:ed)?|timed?[ _-]?out|unsuccessful)$/u],
  ['success', /^(?:succe(?:ss|ssful|eded)|ok(?:ay)?|done|completed?|finished|pass(?:ed)?|resolved)$/u],
  ['aborted', /^(?:abort|cancell?ed|interrupted|stopped|killed|skipped)$/u],
  ['planned', /^(?:pending|todo|queued)$/u],
  ['running', /^(?:in[ _-]?progress|started|active|working)$/u],
];

/** How a task may be said to stand. */
const STATUSES = [...TASK_STATUSES, ENDED] as const;

/** How a task ended; a word that nobody knows says only that it is over: `aborted`, and the word beside it. */
export function knownStatus(said: string): Known<TaskStatus | typeof ENDED> {
  const word = said.trim().toLowerCase();
  const exact = STATUSES.find((status) => status === word);
  if (exact) return { value: exact, raw: null, warning: null };
  const value = STATUS_WORDS.find(([, words]) => words.test(word))?.[0];
  const warning = warningOf('status', said, value ?? 'aborted', TASK_STATUSES);
  return value
    ? { value, raw: said, warning }
    : { value: 'aborted', raw: said, warning: `${warning} unless its end was told before` };
}

/** Whether a word, as {@link knownStatus} keeps it raw, is one that nobody knows. Null: it was no other word. */
export function isUnknownStatus(raw: string | null): boolean {
  return raw !== null && !STATUS_WORDS.some(([, words]) => words.test(raw.trim().toLowerCase()));
}

/** The role of a step; null for a word that is none of them. */
export function knownRole(said: string | undefined): Known<(typeof STEP_ROLES)[number] | null> {
  if (said === undefined) return { value: null, raw: null, warning: null };
  const exact = STEP_ROLES.find((role) => role === said.trim().toLowerCase());
  if (exact) return { value: exact, raw: null, warning: null };
  return { value: null, raw: said, warning: warningOf('role', said, null, STEP_ROLES) };
}

/** The type of an error; `runtime_error` for a word that is none of them. */
export function knownErrorType(said: string): Known<ErrorType> {
  const exact = ERROR_TYPES.find((type) => type === said.trim().toLowerCase());
  if (exact) return { value: exact, raw: null, warning: null };
  const value = 'runtime_error';
  return { value, raw: said, warning: warningOf('error_type', said, value, ERROR_TYPES) };
}

function warningOf(field: string, said: string, value: string | null, known: readonly string[]): string {
  return `${field}: '${said}' is none of ${known.join(', ')}; kept as ${field}_raw, ${field} is ${value}`;
}
