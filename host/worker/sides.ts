import type { WalkerType } from '../../runtime/index.js';
import type { SpawnOptions, SpawnRequest } from '../host.js';
import { type AsideRun, QUERY, type SideEvents, SideThread } from './side-thread.js';

/** Milliseconds that a run which may be long at a stretch stays in the thread of its history while it is alone there. */
const ALONE_MS = 1000;
/** Milliseconds that all such runs together get there, where there are several. */
const SHARED_MS = 240;
/** Each gets so many at the least. */
const LEAST_MS = 20;
/** Milliseconds beyond which a query that went aside goes there at once the next time. */
const HEAVY_MS = 1000;
/** Characters of a query whose text alone takes long to read. */
const LONG_QUERY = 16_384;
/** Queries that are known to be long: the last ones. */
const KNOWN = 256;

/** Walkers of ours that are long at a stretch, whatever they are asked. */
const LONG: ReadonlySet<string> = new Set(['graph_export']);

/**
 * The threads beside that of a history: one for what is heavy of ours, one for people's own walkers, which may never
 * yield. What is heavy is seen when it runs: it begins in the history's thread, where most is over at once.
 */
export class Sides {
  readonly #heavy: SideThread;
  readonly #own: SideThread;
  readonly #known = new Set<string>();
  /** How many requests run aside. */
  runs = 0;

  constructor(home: string, script: URL, events: SideEvents) {
    this.#heavy = new SideThread(home, script, events);
    this.#own = new SideThread(home, script, events);
  }

  /** Whether a request runs aside from its beginning. @param isOwn Whether the walker is of people's own. */
  takes(request: SpawnRequest, walker: WalkerType, isOwn: boolean): boolean {
    if (walker.access !== 'read') return false;
    if (isOwn || LONG.has(walker.name)) return true;
    const text = textOf(request);
    return text.length > LONG_QUERY || this.#known.has(text);
  }

  /** Milliseconds that a run may stay in the history's thread. @param running How many requests are at work. */
  patienceMs(running: number): number {
    const here = running - this.runs;
    return here < 2 ? ALONE_MS : Math.max(LEAST_MS, SHARED_MS / here);
  }

  /**
   * Runs a request aside.
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

  /** Ends both. */
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

/** The text of a query; empty of anything else. */
function textOf({ walker, input }: SpawnRequest): string {
  return walker === QUERY && typeof input.query === 'string' ? input.query : '';
}
