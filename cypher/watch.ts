import { setImmediate as nextTurn } from 'node:timers/promises';
import { CypherError } from './cypher-error.js';

/** How a query shares its thread with others. */
export interface ThreadSharing {
  /** Gives the others their turn. @param workedMs Milliseconds that the query has worked so far. */
  turn(workedMs: number): Promise<void>;
  /**
   * Called from time to time. May throw when the query has used up its time in this thread.
   *
   * @param items Items that its loops have gone over so far. A short query that runs for the first time takes long too,
   * since it is compiled, but goes over few items.
   */
  check(workedMs: number, items: number): void;
  /** Processor time of this thread in milliseconds, by which work is measured. Default: the watch's clock. */
  readonly processor?: (() => number) | undefined;
  /** Reports that the query holds this many bytes more, or fewer. */
  hold(bytes: number): void;
}

/** What a {@link Watch} is made with. */
export interface WatchBounds {
  /** Milliseconds; only differences count. */
  readonly clock: () => number;
  /** When the query began, by the clock. */
  readonly started: number;
  readonly deadlineMs: number;
  /** Throws once the caller has cancelled the query. Not called within the first turn. */
  readonly checkAborted: () => void;
  /** Default: the query yields to the event loop. */
  readonly sharing?: ThreadSharing;
}

/** Items between two looks at the clock. */
const ITEMS_PER_LOOK = 512;
/** Milliseconds after which others get a turn. */
const TURN = 5;
/** Milliseconds between two checks after that: reading a thread's processor time reads a file. */
const CHECK = 1;

const ALONE: ThreadSharing = { turn: () => nextTurn(), check: () => undefined, hold: () => undefined };

/** The time of one query, from parsing to rendering: one deadline covers all of it. */
export class Watch {
  readonly sharing: ThreadSharing;
  readonly #end: number;
  #items = ITEMS_PER_LOOK;
  #spent = 0;
  #turnStart: number;
  /** Milliseconds of the present turn after which it is checked. */
  #nextCheck = TURN;
  #processorStart: number | null = null;
  /** Milliseconds of the previous turns. */
  #worked = 0;

  constructor(private readonly bounds: WatchBounds) {
    this.sharing = bounds.sharing ?? ALONE;
    this.#end = bounds.started + bounds.deadlineMs;
    this.#turnStart = bounds.clock();
  }

  /**
   * Counts items that a loop goes over.
   *
   * @throws {CypherError} `QUERY_TIMEOUT` once the query is out of time.
   */
  spend(items: number): void {
    this.#items -= items;
    if (this.#items <= 0) this.look();
  }

  /** Checks the clock. @throws {CypherError} as {@link Watch.spend}. */
  look(): void {
    this.#spent += ITEMS_PER_LOOK - this.#items;
    this.#items = ITEMS_PER_LOOK;
    const turn = this.#inTime() - this.#turnStart;
    if (turn < this.#nextCheck) return;
    this.#nextCheck = turn + CHECK;
    this.bounds.checkAborted();
    this.sharing.check(this.#workedIn(turn), this.#spent);
  }

  /** Yields between two stretches of work. Null: it is too early for that. */
  turn(): Promise<void> | null {
    const now = this.#inTime();
    if (now < this.#turnStart + TURN) return null;
    this.#worked = this.#workedIn(now - this.#turnStart);
    // The time until others have had their turn must not count twice.
    this.#turnStart = now;
    return this.#yield();
  }

  async #yield(): Promise<void> {
    this.sharing.check(this.#worked, this.#spent);
    await this.sharing.turn(this.#worked);
    this.bounds.checkAborted();
    this.#turnStart = this.#inTime();
    this.#nextCheck = TURN;
    this.#processorStart = this.sharing.processor?.() ?? 0;
  }

  /** Milliseconds worked so far. @param turn Milliseconds of the present turn, by the clock. */
  #workedIn(turn: number): number {
    const now = this.sharing.processor?.();
    if (now === undefined) return this.#worked + turn;
    // A query that ends in its first turn never gets here: it reads no file.
    this.#processorStart ??= now - TURN;
    return this.#worked + now - this.#processorStart;
  }

  #inTime(): number {
    const now = this.bounds.clock();
    if (now < this.#end) return now;
    throw new CypherError('QUERY_TIMEOUT', `The query was stopped after ${this.bounds.deadlineMs} ms.`, {
      fault: { kind: 'Limit', phase: 'runtime', detail: 'Deadline' },
      span: null,
      suggestion:
        'Start from a label with a property, bound the variable-length patterns (*1..4), or add a LIMIT.',
    });
  }
}
