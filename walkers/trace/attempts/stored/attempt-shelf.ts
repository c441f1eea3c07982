import type { ReadContext } from '../../../../runtime/index.js';
import { readIndex, type Words } from '../../../../search/index.js';
import { WORDS } from './attempt-writer.js';
import { FAILED, FAILURES, LINKS, TOLD } from './indexes.js';
import { type KeptRecords, keptRecords } from './kept-records.js';
import { BY_TIME, failuresName, summaryName, taskOfTime } from './names.js';
import { type AttemptFailures, type AttemptSummary, failuresOf, summaryOf } from './records.js';

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
  readonly #context: ShelfContext;

  constructor(context: ShelfContext) {
    this.#context = context;
    this.words = context.kept(WORDS);
    this.told = readIndex(context, TOLD);
    this.failures = readIndex(context, FAILURES);
    this.links = readIndex(context, LINKS);
    this.failed = readIndex(context, FAILED);
  }

  /** How many attempts there are. */
  async size(): Promise<number> {
    return this.told.size();
  }

  /** Summaries by id, of those that there are. */
  async summaries(ids: readonly string[]): Promise<Map<string, AttemptSummary>> {
    return this.#read(this.#context.kept(SUMMARIES), ids, summaryName, summaryOf);
  }

  /** What failed, by id, of attempts in which anything did. */
  async failuresOf(ids: readonly string[]): Promise<Map<string, AttemptFailures>> {
    return this.#read(this.#context.kept(FAILURES_READ), ids, failuresName, failuresOf);
  }

  /** The attempts that began last, the latest first; ties by id. */
  async latest(most: number): Promise<readonly string[]> {
    const name = `${most}`;
    const found = await this.#context.kept(LATEST).of([name], this.#context, async () => {
      const ids: string[] = [];
      for await (const page of this.#context.blobsUnder(BY_TIME, 'durable')) {
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
    return kept.of(ids, this.#context, async (missing) => {
      const found = await this.#context.blobs(missing.map(nameOf), 'durable');
      return found.map((bytes) => (bytes ? read(bytes) : null));
    });
  }
}
