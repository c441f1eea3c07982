import type { MessagePort } from 'node:worker_threads';
import type { Progress } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import type { FreshState } from '../freshness/fresh-state.js';
import type { SpawnRequest } from '../host.js';

/** What the thread of a history is made with. */
export interface ThreadData {
  readonly home: string;
  /** Folders of people's own walkers that requests may name. */
  readonly userWalkers: readonly string[];
  /** See {@link Pulse}. */
  readonly pulse: SharedArrayBuffer;
  /** Whether heavy runs, and the user's own walkers, run in side threads. Default false. */
  readonly hasSides?: boolean;
  /** In a side thread: the port to the history's thread, which reads the stores. Default: the thread opens them itself. */
  readonly stores?: MessagePort;
}

/** What a run in a side thread needs to know. */
export interface Aside {
  /** The version of the stores to read. */
  readonly version: number;
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

/** What the main thread says to a graph's thread. */
export type ToThread =
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly request: SpawnRequest;
      readonly aside?: Aside;
      readonly claim: SharedArrayBuffer;
    }
  | { readonly kind: 'cancel'; readonly id: number }
  /** Signatures of the walkers of folders. */
  | {
      readonly kind: 'describe';
      readonly id: number;
      readonly folders: readonly string[];
      readonly deadlineMs: number | null;
      readonly claim: SharedArrayBuffer;
    }
  /** Makes a backup of the history of a root. */
  | {
      readonly kind: 'backup';
      readonly id: number;
      readonly root: string;
      readonly claim: SharedArrayBuffer;
    }
  /** What is known of the open graphs. */
  | { readonly kind: 'facts'; readonly id: number }
  /** Opens the graph of a root that has one, so that the next run finds it open. */
  | { readonly kind: 'open'; readonly root: string }
  | { readonly kind: 'close' };

/** What a graph's thread says. `json` is passed on as it is: nobody on the way has to understand it. */
export type FromThread =
  /** People's walkers have been loaded (or refused). */
  | { readonly kind: 'ready' }
  /** A run begins that must not be sent again after the thread's death. */
  | { readonly kind: 'once'; readonly id: number }
  /** A run goes on in a side thread. */
  | { readonly kind: 'aside'; readonly id: number }
  /** What the code of a run printed; `id` 0: of none. */
  | { readonly kind: 'printed'; readonly id: number; readonly text: string }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly kind: 'done'; readonly id: number; readonly json: string }
  /** `json`: an `ErrorBody`. */
  | { readonly kind: 'failed'; readonly id: number; readonly json: string };

/**
 * The error of a request that waited for another one as long as is promised.
 *
 * @param by What holds it up, with how.
 */
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

  /** @param memory What both sides see. Default: a new one. */
  constructor(readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#cell = new Int32Array(memory);
  }

  /** Whether the thread has begun it. */
  get isBegun(): boolean {
    return Atomics.load(this.#cell, 0) === 1;
  }

  /** For the thread. @returns whether the task is still wanted. */
  begin(): boolean {
    return Atomics.compareExchange(this.#cell, 0, 0, 1) === 0;
  }

  /** For the host. @returns false when the thread has begun the task already. */
  giveUp(): boolean {
    return Atomics.compareExchange(this.#cell, 0, 0, 2) === 0;
  }
}

/**
 * Signs of life in memory that both threads see: how often the thread's loop has turned, and the run whose code began
 * last. A thread that hangs cannot say what hangs in it; this tells it.
 */
export class Pulse {
  readonly #cells: Int32Array;

  /** @param memory As {@link Pulse.memory} makes it. */
  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Int32Array(memory);
  }

  /** Memory for a new one. */
  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(5 * Int32Array.BYTES_PER_ELEMENT);
  }

  /** How often the loop has turned. */
  get beats(): number {
    return Atomics.load(this.#cells, 0);
  }

  /** The id of the run whose code began last; 0: none yet. */
  get running(): number {
    return Atomics.load(this.#cells, 1);
  }

  /** How many index runs are at work, whether or not somebody waits for them. */
  get indexing(): number {
    return Atomics.load(this.#cells, 2);
  }

  /** One more of them, or one fewer. */
  index(change: 1 | -1): void {
    Atomics.add(this.#cells, 2, change);
    this.fill();
  }

  /** How often work that takes much memory began or ended in the thread. */
  get fills(): number {
    return Atomics.load(this.#cells, 3);
  }

  /** One more of them. */
  fill(): void {
    Atomics.add(this.#cells, 3, 1);
  }

  /** Mebibytes that the thread's heap and buffers took at its last sign of life. */
  get heapMib(): number {
    return Atomics.load(this.#cells, 4);
  }

  /** @param heapMib See {@link Pulse.heapMib}. */
  beat(heapMib: number): void {
    Atomics.add(this.#cells, 0, 1);
    Atomics.store(this.#cells, 4, heapMib);
  }

  run(id: number): void {
    Atomics.store(this.#cells, 1, id);
  }
}
