import type { MessagePort } from 'node:worker_threads';
import type { Progress } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import type { FreshState } from '../freshness/fresh-state.js';
import type { Ask, SpawnRequest } from '../host.js';

/** What a thread is made with. */
export interface ThreadData {
  readonly home: string;
  /** Folders of users' own walkers that requests may name. */
  readonly userWalkers: readonly string[];
  /** Of a {@link Heartbeat}. */
  readonly heartbeat: SharedArrayBuffer;
  /** Whether heavy runs, and users' own walkers that read, run in side threads. */
  readonly hasSides: boolean;
  /** In a side thread: the port to the history's thread, which reads the stores. Null: the thread opens them itself. */
  readonly stores: MessagePort | null;
}

/** What a run in a side thread needs to know. */
export interface Aside {
  /** The version of the stores to read. */
  readonly version: string;
  /** How the graph compares to the files on disk. */
  readonly fresh: FreshState;
  /** When the run began, in milliseconds of {@link sharedNow}. */
  readonly began: number;
  /** Milliseconds after which the run is ended if it does not yield; null: no limit of its own. */
  readonly deadlineMs: number | null;
}

/** Milliseconds on a monotonic clock that all threads of the process share. */
export function sharedNow(): number {
  return performance.timeOrigin + performance.now();
}

/** What a thread is asked; `status`: what is known of its open graphs. */
export type ThreadAsk =
  | { readonly spawn: SpawnRequest; readonly aside?: Aside }
  | Extract<
      Ask,
      { readonly describe: unknown } | { readonly backup: unknown } | { readonly status: unknown }
    >;

/** What a thread hears. */
export type ToThread =
  | { readonly id: number; readonly ask: ThreadAsk; readonly claim: SharedArrayBuffer }
  | { readonly cancel: number }
  /** Opens the graph of a root that has one, so that the next run finds it open. */
  | { readonly open: string }
  | { readonly close: true };

/** What a thread says. Answers are JSON text that is passed on as it is. */
export type FromThread =
  /** Users' walkers have been loaded (or refused). */
  | { readonly ready: true }
  /** A run goes on in a side thread. */
  | { readonly id: number; readonly aside: true }
  /** What the code of a run printed; `id` 0: of none. */
  | { readonly id: number; readonly printed: string }
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly answer: string }
  /** An `ErrorBody` as JSON. */
  | { readonly id: number; readonly error: string };

/** The error of a request that waited for another one as long as is promised. @param by What holds it up, with how. */
export function heldUp(root: string, by: string, input: unknown, more = ''): CodewalkError {
  return new CodewalkError('BUSY', `the graph of ${root} is held up by ${by}`, {
    input,
    retryAfterMs: LIMITS.heldWait.default,
    suggestion: `Try again later: that one is ended when its time is over.${more}`,
  });
}

/** Who has a task: the thread that began it, or the host that gave it up. One of them alone, even if both try at once. */
export class Claim {
  readonly #cell: Int32Array;

  constructor(readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#cell = new Int32Array(memory);
  }

  get isBegun(): boolean {
    return this.isOnce || Atomics.load(this.#cell, 0) === 1;
  }

  /** Whether it has begun, and may have done what must not be done twice. */
  get isOnce(): boolean {
    return Atomics.load(this.#cell, 0) === 3;
  }

  /** For the thread. @returns whether the task is still wanted. */
  begin(): boolean {
    return Atomics.compareExchange(this.#cell, 0, 0, 1) === 0;
  }

  /** For the thread, once it has begun. */
  once(): void {
    Atomics.store(this.#cell, 0, 3);
  }

  /** For the host. @returns false when the thread has begun the task already. */
  giveUp(): boolean {
    return Atomics.compareExchange(this.#cell, 0, 0, 2) === 0;
  }
}

/**
 * - `beats`: how often the thread's loop has turned
 * - `running`: the id of the run whose code began last; 0: none yet
 * - `indexing`: index runs at work, whether or not somebody waits for them
 * - `fills`: how often work that takes much memory began or ended
 * - `heapMib`: mebibytes that heap and buffers took at the last beat
 */
const CELLS = ['beats', 'running', 'indexing', 'fills', 'heapMib'] as const;
type Cell = (typeof CELLS)[number];

/** Figures that a thread leaves in memory that its host sees, too: a thread that hangs cannot say what hangs in it. */
export class Heartbeat {
  readonly #cells: Int32Array;

  constructor(readonly memory = new SharedArrayBuffer(CELLS.length * Int32Array.BYTES_PER_ELEMENT)) {
    this.#cells = new Int32Array(memory);
  }

  get(cell: Cell): number {
    return Atomics.load(this.#cells, CELLS.indexOf(cell));
  }

  set(cell: Cell, value: number): void {
    Atomics.store(this.#cells, CELLS.indexOf(cell), value);
  }

  add(cell: Cell, change: number): void {
    Atomics.add(this.#cells, CELLS.indexOf(cell), change);
  }
}
