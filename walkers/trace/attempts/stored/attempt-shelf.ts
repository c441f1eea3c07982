import type { ReadContext, Slot } from '../../../../runtime/index.js';
import { readIndex, type Words } from '../../../../search/index.js';
import { WORDS } from './attempt-writer.js';
import { FAILED, FAILURES, LINKS, TOLD } from './indexes.js';
import { BY_TIME, failuresName, summaryName, taskOfTime } from './names.js';
import { type AttemptFailures, type AttemptSummary, failuresOf, summaryOf } from './records.js';

/** What was read and decoded of one version of a graph, by id. */
class KeptRecords<T> {
  readonly #records = new Map<string, T | null>();
  #version: number | null = null;

  /** @param most Records that are kept. */
  constructor(private readonly most: number) {}

  /**
   * Records by id, of those that there are.
   *
   * @param read Reads and decodes some of them; null: there is none.
   */
  async of(
    ids: readonly string[],
    { version }: Pick<ReadContext, 'version'>,
    read: (ids: readonly string[]) => Promise<readonly (T | null)[]>,
  ): Promise<Map<string, T>> {
    const records = new Map<string, T | null>();
    for (const id of ids) {
      const known = version !== null && version === this.#version ? this.#records.get(id) : undefined;
      if (known !== undefined) records.set(id, known);
    }
    const missing = ids.filter((id) => !records.has(id));
    const fresh = new Map<string, T | null>();
    for (const [at, record] of (missing.length > 0 ? await read(missing) : []).entries())
      fresh.set(missing[at] ?? '', record);
    if (version !== null) this.#keep(fresh, version);
    const found = new Map<string, T>();
    for (const id of ids) {
      const record = records.get(id) ?? fresh.get(id) ?? null;
      if (record !== null) found.set(id, record);
    }
    return found;
  }

  #keep(fresh: ReadonlyMap<string, T | null>, version: number): void {
    if (this.#version !== version || this.#records.size + fresh.size > this.most) this.#records.clear();
    this.#version = version;
    for (const [id, record] of fresh) this.#records.set(id, record);
  }
}

const SUMMARIES = keptRecords<AttemptSummary>('summaries of attempts', 50_000);
const FAILURES_READ = keptRecords<AttemptFailures>('failures of attempts', 1000);
/** The latest attempts, of one version. */
const LATEST = keptRecords<readonly string[]>('latest attempts', 4);

/** What reading kept attempts needs of a run. */
export type ShelfContext = Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'version'>;

/** What is kept of the attempts of a graph, as one run reads it. */
export class AttemptShelf {
  readonly words: Words;
  readonly told;
  readonly failures;
  readonly links;
  readonly failed;

  constructor(private readonly context: ShelfContext) {
    this.words = context.kept(WORDS);
    this.told = readIndex(context, TOLD);
    this.failures = readIndex(context, FAILURES);
    this.links = readIndex(context, LINKS);
    this.failed = readIndex(context, FAILED);
  }

  async size(): Promise<number> {
    return this.told.size();
  }

  /** Summaries by id, of those that there are. */
  async summaries(ids: readonly string[]): Promise<Map<string, AttemptSummary>> {
    return this.#read(this.context.kept(SUMMARIES), ids, summaryName, summaryOf);
  }

  /** What failed, by id, of attempts in which anything did. */
  async failuresOf(ids: readonly string[]): Promise<Map<string, AttemptFailures>> {
    return this.#read(this.context.kept(FAILURES_READ), ids, failuresName, failuresOf);
  }

  /** The attempts that began last, the latest first; ties by id. */
  async latest(most: number): Promise<readonly string[]> {
    const name = `${most}`;
    const found = await this.context.kept(LATEST).of([name], this.context, async () => {
      const ids: string[] = [];
      for await (const page of this.context.blobsUnder(BY_TIME, 'durable')) {
        for (const { name } of page) ids.push(taskOfTime(name));
        if (ids.length >= most) break;
      }
      return [ids.slice(0, most)];
    });
    return found.get(name) ?? [];
  }

  async #read<T>(
    kept: KeptRecords<T>,
    ids: readonly string[],
    nameOf: (id: string) => string,
    read: (bytes: Uint8Array) => T,
  ): Promise<Map<string, T>> {
    return kept.of(ids, this.context, async (missing) => {
      const found = await this.context.blobs(missing.map(nameOf), 'durable');
      return found.map((bytes) => (bytes ? read(bytes) : null));
    });
  }
}

/** A slot for the records of one kind. @param name For messages. */
function keptRecords<T>(name: string, most: number): Slot<KeptRecords<T>> {
  return { name, make: () => new KeptRecords<T>(most) };
}
