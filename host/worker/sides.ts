import type { WalkerType } from '../../runtime/index.js';
import type { SpawnOptions, SpawnRequest } from '../host.js';
import { type AsideRun, QUERY, type SideEvents, SideThread } from './side-thread.js';

/** Milliseconds that a run may work in the history's thread while it is alone there. */
const ALONE_MS = 1000;
/** Milliseconds that several runs share there. */
const SHARED_MS = 240;
/** The least that each of them gets. */
const LEAST_MS = 20;
/** A query that took more milliseconds in a side thread starts there the next time. */
const HEAVY_MS = 1000;
/** Characters beyond which reading the text of a query takes long by itself. */
const LONG_QUERY = 16_384;
/** How many slow queries are remembered: the most recent ones. */
const KNOWN = 256;

/** Built-in walkers that block for long whatever their input is. */
const LONG: ReadonlySet<string> = new Set(['graph_export']);

/**
 * The two side threads of a history: one for heavy built-in walkers, one for the user's own walkers, which may never
 * yield. Most runs start in the history's thread, where they end at once; a run that turns out to be heavy moves.
 */
export class Sides {
  readonly #heavy: SideThread;
  readonly #own: SideThread;
  readonly #known = new Set<string>();
  /** The number of requests that run in a side thread. */
  runs = 0;

  constructor(home: string, script: URL, events: SideEvents) {
    this.#heavy = new SideThread(home, script, events);
    this.#own = new SideThread(home, script, events);
  }

  /** Whether a request starts in a side thread. @param isOwn Whether it is one of the user's own walkers. */
  takes(request: SpawnRequest, walker: WalkerType, isOwn: boolean): boolean {
    if (walker.access !== 'read') return false;
    if (isOwn || LONG.has(walker.name)) return true;
    const text = textOf(request);
    return text.length > LONG_QUERY || this.#known.has(text);
  }

  /** Milliseconds that a run may work in the history's thread. @param running The number of requests at work. */
  graceMs(running: number): number {
    const here = running - this.runs;
    return here < 2 ? ALONE_MS : Math.max(LEAST_MS, SHARED_MS / here);
  }

  /**
   * Runs a request in a side thread.
   *
   * @throws CodewalkError as {@link SideThread.run}.
   */
  async run(run: AsideRun, isOwn: boolean, options: SpawnOptions): Promise<string> {
    this.runs++;
    const from = performance.now();
    try {
      return await (isOwn ? this.#own : this.#heavy).run(run, options);
    } finally {
      this.runs--;
      this.#note(run.request, performance.now() - from);
    }
  }

  /** Ends both threads. */
  async close(): Promise<void> {
    await Promise.all([this.#heavy.close(), this.#own.close()]);
  }

  #note(request: SpawnRequest, tookMs: number): void {
    const text = textOf(request);
    this.#known.delete(text);
    if (text === '' || tookMs < HEAVY_MS) return;
    this.#known.add(text);
    for (const oldest of this.#known) {
      if (this.#known.size <= KNOWN) break;
      this.#known.delete(oldest);
    }
  }
}

/** The text of a Cypher query; empty for other walkers. */
function textOf({ walker, input }: SpawnRequest): string {
  return walker === QUERY && typeof input.query === 'string' ? input.query : '';
}
