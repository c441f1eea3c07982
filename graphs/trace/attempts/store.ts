import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Failure, type FailureTerms, failureTerms } from '../../../failures/index.js';
import type { ReadContext, Slot } from '../../../runtime/index.js';
import { defineTextIndex, readIndex, Words } from '../../../search/index.js';

/*
 * What attempts are found by is stored in the durable layer, in the commit that ends or changes a task: text indexes, and
 * one small record each of what ranking asks of an attempt and of its failures. A change of what goes in gives an index
 * another name: older stores are then indexed again when they are opened.
 */

/** What was asked and done: one document an attempt. */
export const TEXTS = defineTextIndex('attempts-texts-3', { layer: 'durable', fields: { said: 1, done: 1 } });

/**
 * Files that an attempt touched, names that it used, tests and messages that failed in it, each as one word. The length of
 * a document is its number of files: how many names and failures are recorded depends on the client.
 */
export const LINKS = defineTextIndex('attempts-links-3', {
  layer: 'durable',
  fields: { file: 1, name: 0, failed: 0 },
});

/** What failed, in words: one document a failure. */
export const FAILURES = defineTextIndex('attempts-failures-3', { layer: 'durable', fields: { word: 1 } });

/** All of them. */
export const ATTEMPT_INDEXES = [TEXTS, LINKS, FAILURES] as const;

/** All other records of attempts have names that begin with this. */
export const ATTEMPT_RECORDS = 'attempts/';

/** Texts are split into words for all attempts of a graph. */
export const WORDS: Slot<Words> = { name: 'words of attempts', make: () => new Words() };

const text = z.string();
const summarySchema = z.strictObject({
  /** ISO 8601. */
  created_at: text,
  /** Whether it has not ended: it may be the one that asks. */
  open: z.boolean(),
  /** How many files it touched. */
  touched: z.number().int(),
  /** How many failures are indexed. */
  failures: z.number().int(),
  /** Equal for attempts at the same prompt that touched the same files; null where the prompt says too little. */
  same: text.nullable(),
  /** By root-relative path the names in that file that it worked on, separated by line breaks. */
  names: z.record(text, text),
});

/** What ranking asks of every attempt that may be an answer. */
export type AttemptSummary = Readonly<z.infer<typeof summarySchema>>;

/** An attempt as it is found. */
export interface KnownAttempt extends AttemptSummary {
  readonly id: string;
}

/** A failure of an attempt as it is compared. */
export interface RecordedFailure extends FailureTerms {
  /** The id of the ToolInvocation or Error. */
  readonly source: string;
}

const failureSchema = z.strictObject({ source: text, failure: Failure, scope: z.array(text) });

/** What is stored of a failure: what was parsed, and the test files that its command named. */
export type FailureRecord = Readonly<z.infer<typeof failureSchema>>;

/** A failure as it is compared. */
export function recordedFailure({ source, failure, scope }: FailureRecord): RecordedFailure {
  return { source, ...failureTerms(failure, scope) };
}

/** A summary, or what failed in an attempt, as a record: in plain text. */
export function recordBytes(value: AttemptSummary | readonly FailureRecord[]): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** Reads a summary that {@link recordBytes} wrote. */
export function summaryOf(bytes: Uint8Array): AttemptSummary {
  return summarySchema.parse(parsed(bytes));
}

function failuresOf(bytes: Uint8Array): readonly RecordedFailure[] {
  return z.array(failureSchema).parse(parsed(bytes)).map(recordedFailure);
}

function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}

/** Words of {@link LINKS}. */
export const link = {
  file: (path: string) => `file:${path}`,
  name: (name: string) => `name:${name}`,
  test: (key: string) => `test:${short(key)}`,
  reason: (key: string) => `reason:${short(key)}`,
};

/** Longer keys are stored as a hash. */
const LONGEST_KEY = 60;

function short(key: string): string {
  if (key.length <= LONGEST_KEY && !key.includes('\0')) return key;
  return `#${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`;
}

/** The largest time that there is, in milliseconds (ECMAScript's time values). */
const LAST = 8_640_000_000_000_000;
const DIGITS = String(2 * LAST).length;

/** Names of records. */
export const recordName = {
  byTime: `${ATTEMPT_RECORDS}time/`,
  summary: (task: string) => `${ATTEMPT_RECORDS}summary/${task}`,
  failures: (task: string) => `${ATTEMPT_RECORDS}failures/${task}`,
  /** How often an attempt that goes on was written since it was indexed. */
  open: (task: string) => `${ATTEMPT_RECORDS}open/${task}`,
  /** Sorts by time, the latest first, then by id. @param time ISO 8601. */
  time: (time: string, task: string) => {
    const at = Date.parse(time);
    const left = LAST - (Number.isNaN(at) ? -LAST : at);
    return `${recordName.byTime}${String(left).padStart(DIGITS, '0')}/${task}`;
  },
};

/** The id of a failure in {@link FAILURES}. @param at Its index among those of its attempt. */
export function failureId(task: string, at: number): string {
  return `${task}#${at}`;
}

/** The attempt of a {@link failureId}. */
export function attemptOfFailure(id: string): string {
  return id.slice(0, id.lastIndexOf('#'));
}

/** Decoded records of one version of a graph, by id. */
class RecordCache<T> {
  readonly #records = new Map<string, T | null>();
  #version: number | null = null;

  /** @param most Records that are cached. */
  constructor(private readonly most: number) {}

  /** Records by id, of those that there are. @param read Reads and decodes some; null: there is none. */
  async of(
    ids: readonly string[],
    { version }: Pick<ReadContext, 'version'>,
    read: (ids: readonly string[]) => Promise<readonly (T | null)[]>,
  ): Promise<Map<string, T>> {
    const isCached = version !== null && version === this.#version;
    const known = new Map<string, T | null>();
    for (const id of ids) {
      const record = isCached ? this.#records.get(id) : undefined;
      if (record !== undefined) known.set(id, record);
    }
    const missing = [...new Set(ids)].filter((id) => !known.has(id));
    const read_ = missing.length > 0 ? await read(missing) : [];
    if (version !== null && (!isCached || this.#records.size + missing.length > this.most)) {
      this.#records.clear();
      this.#version = version;
    }
    for (const [at, id] of missing.entries()) {
      const record = read_[at] ?? null;
      known.set(id, record);
      if (version !== null) this.#records.set(id, record);
    }
    return new Map(ids.flatMap((id) => (known.get(id) ? [[id, known.get(id) as T] as const] : [])));
  }
}

function cacheOf<T>(name: string, most: number): Slot<RecordCache<T>> {
  return { name, make: () => new RecordCache<T>(most) };
}

const SUMMARIES = cacheOf<AttemptSummary>('summaries of attempts', 50_000);
const FAILURES_READ = cacheOf<readonly RecordedFailure[]>('failures of attempts', 2000);
const LATEST = cacheOf<readonly string[]>('latest attempts', 4);

/** What reading attempts needs of a run. */
export type AttemptContext = Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'version'>;

/** What is stored of the attempts of a graph for finding them, as one run reads it. */
export class AttemptStore {
  readonly words: Words;
  readonly texts;
  readonly links;
  readonly failures;

  constructor(private readonly context: AttemptContext) {
    this.words = context.kept(WORDS);
    this.texts = readIndex(context, TEXTS);
    this.links = readIndex(context, LINKS);
    this.failures = readIndex(context, FAILURES);
  }

  /** How many attempts there are. */
  async size(): Promise<number> {
    return this.texts.size();
  }

  /** Summaries by id, of those that there are. */
  async summaries(ids: readonly string[]): Promise<Map<string, AttemptSummary>> {
    return this.#read(SUMMARIES, ids, recordName.summary, summaryOf);
  }

  /** What failed, by attempt, of those in which anything did. */
  async failuresOf(ids: readonly string[]): Promise<Map<string, readonly RecordedFailure[]>> {
    return this.#read(FAILURES_READ, ids, recordName.failures, failuresOf);
  }

  /** The attempts that began last, the latest first; ties by id. */
  async latest(most: number): Promise<readonly string[]> {
    const found = await this.context.kept(LATEST).of([`${most}`], this.context, async () => {
      const ids: string[] = [];
      for await (const page of this.context.blobsUnder(recordName.byTime, 'durable')) {
        for (const { name } of page) ids.push(name.slice(recordName.byTime.length + DIGITS + 1));
        if (ids.length >= most) break;
      }
      return [ids.slice(0, most)];
    });
    return found.get(`${most}`) ?? [];
  }

  async #read<T>(
    cache: Slot<RecordCache<T>>,
    ids: readonly string[],
    nameOf: (id: string) => string,
    decode: (bytes: Uint8Array) => T,
  ): Promise<Map<string, T>> {
    return this.context.kept(cache).of(ids, this.context, async (missing) => {
      const found = await this.context.blobs(missing.map(nameOf), 'durable');
      return found.map((bytes) => (bytes ? decode(bytes) : null));
    });
  }
}
