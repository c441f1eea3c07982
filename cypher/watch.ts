import { setImmediate as nextTurn } from 'node:timers/promises';
import { CypherError } from './cypher-error.js';

/** What a query is told of others that work in its thread. */
export interface Beside {
  /** Lets them have their turn. @param workedMs What the query has worked so far. */
  turn(workedMs: number): Promise<void>;
  /**
   * Called now and then: may throw where the query has worked here for as long as it may.
   *
   * @param items What its loops have gone over so far: a short query that is asked for the first time works long, and
   * goes over few.
   */
  check(workedMs: number, items: number): void;
  /** Milliseconds of the processor that this thread has had, by which work is measured. Default: the watch's clock. */
  readonly processor?: (() => number) | undefined;
  /** The query holds so many bytes more, or fewer. */
  hold(bytes: number): void;
}

/** What a {@link Watch} goes by. */
export interface WatchBounds {
  /** Milliseconds; only differences count. */
  readonly clock: () => number;
  /** When the query began, by the clock. */
  readonly started: number;
  readonly deadlineMs: number;
  /** Throws once the caller has called the query off; not asked before others need a turn. */
  readonly checkAborted: () => void;
  /** Default: others of the thread's loop get their turn. */
  readonly beside?: Beside;
}

/** Items between two looks at the clock. */
const ITEMS_PER_LOOK = 512;
/** Milliseconds after which others get a turn. */
const TURN = 5;
/** Milliseconds between two checks beyond that: what a thread has had of the processor stands in a file. */
const CHECK = 1;

const ALONE: Beside = { turn: () => nextTurn(), check: () => undefined, hold: () => undefined };

/** The time of one query, from its text to its answer: its deadline holds for all that is done for it. */
export class Watch {
  readonly beside: Beside;
  readonly #bounds: WatchBounds;
  readonly #end: number;
  #items = ITEMS_PER_LOOK;
  #spent = 0;
  #turnStart: number;
  /** Milliseconds of the present turn after which it is checked. */
  #nextCheck = TURN;
  #processorStart: number | null = null;
  /** Milliseconds of the turns that are over. */
  #worked = 0;

  constructor(bounds: WatchBounds) {
    this.#bounds = bounds;
    this.beside = bounds.beside ?? ALONE;
    this.#end = bounds.started + bounds.deadlineMs;
    this.#turnStart = bounds.clock();
  }

  /**
   * Loops say how many items they go over.
   *
   * @throws {CypherError} `QUERY_TIMEOUT` once the query is out of time.
   */
  spend(items: number): void {
    this.#items -= items;
    if (this.#items <= 0) this.look();
  }

  /** Looks at the clock. @throws {CypherError} as {@link Watch.spend}. */
  look(): void {
    this.#spent += ITEMS_PER_LOOK - this.#items;
    this.#items = ITEMS_PER_LOOK;
    const turn = this.#inTime() - this.#turnStart;
    if (turn < this.#nextCheck) return;
    this.#nextCheck = turn + CHECK;
    this.#bounds.checkAborted();
    this.beside.check(this.#workedIn(turn), this.#spent);
  }

  /** Between two stretches of work others may do something. Null: it is not time for that yet. */
  turn(): Promise<void> | null {
    const now = this.#inTime();
    if (now < this.#turnStart + TURN) return null;
    this.#worked = this.#workedIn(now - this.#turnStart);
    // So that what is said while it waits does not count twice.
    this.#turnStart = now;
    return this.#yield();
  }

  async #yield(): Promise<void> {
    this.beside.check(this.#worked, this.#spent);
    await this.beside.turn(this.#worked);
    this.#bounds.checkAborted();
    this.#turnStart = this.#inTime();
    this.#nextCheck = TURN;
    this.#processorStart = this.beside.processor?.() ?? 0;
  }

  /** What has been worked, the present turn with it, which has lasted that long by the clock. */
  #workedIn(turn: number): number {
    const now = this.beside.processor?.();
    if (now === undefined) return this.#worked + turn;
    // What is over in its first turn never asks.
    this.#processorStart ??= now - TURN;
    return this.#worked + now - this.#processorStart;
  }

  #inTime(): number {
    const now = this.#bounds.clock();
    if (now < this.#end) return now;
    throw new CypherError('QUERY_TIMEOUT', `The query was stopped after ${this.#bounds.deadlineMs} ms.`, {
      fault: { kind: 'Limit', phase: 'runtime', detail: 'Deadline' },
      span: null,
      suggestion:
        'Start from a label with a property, bound the variable-length patterns (*1..4), or add a LIMIT.',
    });
  }
}
