import { z } from 'zod';
import type { FailedRun } from '../failed-run.js';

const text = z.string();
const texts = z.array(text);

const summarySchema = z.strictObject({
  created_at: text,
  open: z.boolean(),
  succeeded: z.boolean(),
  /** How many files it touched. */
  touched: z.number().int(),
  /** How many passages of failing outputs are indexed. */
  parts: z.number().int(),
  /** Equal for attempts at the same prompt that touched the same files; null where the prompt says too little. */
  same: text.nullable(),
  /** By root-relative path, the names in that file that it worked on, with line breaks between them. */
  names: z.record(text, text),
});

/** What ranking asks of every attempt that may be an answer. */
export type AttemptSummary = Readonly<z.infer<typeof summarySchema>>;

/** What is asked of attempts whose failures are compared one by one. */
export interface AttemptFailures {
  /** What failed in it, by the invocation or error that tells it. */
  readonly runs: ReadonlyMap<string, FailedRun>;
  /** What its errors say, by the error. */
  readonly told: ReadonlyMap<string, FailedRun>;
  /** Of each passage, the invocation or error that it is of. */
  readonly sources: readonly string[];
}

const storedRun = z.strictObject({
  source: text,
  tests: z.array(z.tuple([text, text, text.nullable()])),
  count: z.number().nullable(),
  stopped: z.boolean(),
  scope: texts,
  reasons: texts,
  /** With spaces between them: most attempts are read for something else. */
  words: text,
});
type StoredRun = z.infer<typeof storedRun>;

const failuresSchema = z.strictObject({
  runs: z.array(storedRun),
  told: z.array(storedRun),
  sources: texts,
});

/** In plain text, so that a person can read it. */
export function summaryBytes(summary: AttemptSummary): Uint8Array {
  return bytesOf(summary);
}

/** Reads what {@link summaryBytes} wrote. */
export function summaryOf(bytes: Uint8Array): AttemptSummary {
  return summarySchema.parse(parsed(bytes));
}

/** What failed in an attempt, in plain text. */
export function failuresBytes({ runs, told, sources }: AttemptFailures): Uint8Array {
  return bytesOf({ runs: storedRuns(runs), told: storedRuns(told), sources });
}

/** Reads what {@link failuresBytes} wrote. */
export function failuresOf(bytes: Uint8Array): AttemptFailures {
  const { runs, told, sources } = failuresSchema.parse(parsed(bytes));
  return { runs: runsOf(runs), told: runsOf(told), sources };
}

/** A failing output that was read; its words are taken apart when they are asked for. */
class KnownRun implements FailedRun {
  readonly tests;
  readonly count;
  readonly stopped;
  readonly scope;
  readonly reasons;
  readonly #text: string;
  #words: ReadonlySet<string> | null = null;

  constructor({ tests, count, stopped, scope, reasons, words }: StoredRun) {
    this.tests = tests.map(([name, whole, file]) => ({ name, whole, file }));
    this.count = count;
    this.stopped = stopped;
    this.scope = scope;
    this.reasons = new Set(reasons);
    this.#text = words;
  }

  get words(): ReadonlySet<string> {
    this.#words ??= new Set(this.#text === '' ? [] : this.#text.split(' '));
    return this.#words;
  }
}

function storedRuns(runs: ReadonlyMap<string, FailedRun>): StoredRun[] {
  return [...runs].map(([source, { tests, count, stopped, scope, reasons, words }]) => ({
    source,
    tests: tests.map(({ name, whole, file }) => [name, whole, file]),
    count,
    stopped,
    scope: [...scope],
    reasons: [...reasons],
    words: [...words].join(' '),
  }));
}

function runsOf(stored: readonly StoredRun[]): ReadonlyMap<string, FailedRun> {
  return new Map(stored.map((run) => [run.source, new KnownRun(run)]));
}

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}
