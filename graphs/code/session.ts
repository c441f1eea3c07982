import type { Slot, StepsContext } from '../../runtime/index.js';
import { createExtractionPool, type ExtractionPool, type MakeDocuments } from '../../source/index.js';
import { documentMaker } from './documents.js';
import { ProjectIndex } from './project-index.js';
import { PROGRESS_MARK, readProgress } from './state.js';
import { throwIfOver } from './write.js';

/** Built next to this file: it makes what {@link IndexSession.documentsOf} makes. */
const WORKER = new URL('./indexing.worker.js', import.meta.url);

/** Where the session of an open graph is cached. */
export const INDEX_SESSION: Slot<IndexSession> = {
  name: 'index session',
  make: () => new IndexSession(),
  free: (session) => session.pool.close(),
};

/**
 * What indexing caches in memory while a graph is open: what it knows of the files, and a parser that is warm. Index
 * runs of one graph take turns.
 */
export class IndexSession {
  readonly documentsOf: MakeDocuments = documentMaker();
  readonly pool: ExtractionPool = createExtractionPool({ beside: this.documentsOf, worker: WORKER });
  /**
   * More files than `asAWhole` are resolved and written in pieces of `atOnce`, of which all that is known is in memory:
   * fewer take less time as a whole.
   */
  pieces = { asAWhole: 1000, atOnce: 400 };
  #index: ProjectIndex | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Does the work of one run when no other run is at work. What the index is then like is cached only when the work
   * comes to its end: otherwise the next run reads it from the store.
   *
   * @throws CodewalkError `CANCELLED` or `DEADLINE`, also while it waits.
   */
  async alone<T>(context: StepsContext, work: (index: ProjectIndex) => Promise<T>): Promise<T> {
    const before = this.#last;
    let done: () => void = () => undefined;
    this.#last = new Promise<void>((resolve) => {
      done = resolve;
    });
    try {
      await untilOver(before, context.signal);
      throwIfOver(context);
      // What was read before the turn came is of another version.
      await context.commit();
      const index = await this.#current(context);
      this.#index = null;
      const result = await work(index);
      index.facts.trim();
      // What was damaged is right in the store now.
      this.#index = index.damaged ? null : index;
      return result;
    } finally {
      // A run that gave up waiting must not let the next one in before the one that is at work has ended.
      void before.finally(done);
    }
  }

  async #current(context: StepsContext): Promise<ProjectIndex> {
    const known = this.#index;
    const [mark] = await context.blobs([PROGRESS_MARK]);
    const stored = readProgress(mark);
    const isSame = known?.mark?.generation === stored?.generation && stored?.complete === true;
    return known && isSame ? known : ProjectIndex.load(context);
  }
}

/** Waits for something, or until the signal aborts. */
async function untilOver(something: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let stop: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener('abort', stop);
  });
  await Promise.race([something, aborted]);
  signal.removeEventListener('abort', stop);
}
