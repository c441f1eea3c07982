import { setImmediate as nextTurn } from 'node:timers/promises';

/** How one run shares its thread with others. */
export interface Sharing {
  /** A long run waits for this before it begins. Undefined: it may begin at once. */
  begin(): Promise<void> | undefined;
  /**
   * Ends a stretch. Resolves when it is the run's turn again.
   *
   * @param workedMs Milliseconds that the run has worked so far. Of several runs that wait, the one with the least goes first.
   */
  turn(workedMs: number): Promise<void>;
  /** Reports that the run holds this many bytes more, or fewer. */
  hold(bytes: number): void;
  /** Processor time of this thread in milliseconds. Default: not known. */
  readonly processor?: (() => number) | undefined;
  /** Milliseconds that the run may work in this thread at present. Beyond that it should throw {@link TooLongHere}. */
  readonly graceMs: number;
}

/** Thrown by a run that has used up its time in this thread. The host starts it again in another thread. */
export class TooLongHere extends Error {
  override readonly name = 'TooLongHere';
  /** Milliseconds since the run began. */
  readonly elapsedMs: number;

  constructor(elapsedMs: number) {
    super('the run has worked in this thread for as long as it may');
    this.elapsedMs = elapsedMs;
  }
}

/** For a run that shares its thread with the event loop alone. */
export const ALONE: Sharing = {
  begin: () => undefined,
  turn: () => nextTurn(),
  hold: () => undefined,
  graceMs: Number.POSITIVE_INFINITY,
};

interface Waiting {
  readonly run: number;
  readonly workedMs: number;
  readonly go: () => void;
}

/**
 * Schedules long runs that share a thread. They work in stretches, one per turn of the event loop, so short runs begin
 * and end between two stretches, however many long runs there are. The run that has worked least goes first. While all
 * runs together hold too much memory, the oldest run goes first, so that it ends and frees its memory.
 */
export class Stretches {
  readonly #mostBytes: number;
  readonly #processor: (() => number) | undefined;
  readonly #next: (then: () => void) => void;
  #waiting: Waiting[] = [];
  #isDue = false;
  #lastRun = 0;
  #held = 0;

  /**
   * @param mostBytes Bytes that all runs together should hold at most. Default: no bound.
   * @param processor See {@link Sharing.processor}.
   * @param next Calls back on the next turn of the event loop. Default: `setImmediate`.
   */
  constructor(
    mostBytes = Number.POSITIVE_INFINITY,
    processor?: () => number,
    next: (then: () => void) => void = setImmediate,
  ) {
    this.#mostBytes = mostBytes;
    this.#processor = processor;
    this.#next = next;
  }

  /** The number of runs that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Adds a run. The caller calls `end` when the run is over.
   *
   * @param patienceMs See {@link Sharing.patienceMs}; called each time. Default: no bound.
   */
  share(graceMs: () => number = () => Number.POSITIVE_INFINITY): { sharing: Sharing; end: () => void } {
    const run = ++this.#lastRun;
    let own = 0;
    const hold = (bytes: number) => {
      own += bytes;
      this.#held += bytes;
    };
    const turn = (workedMs: number) =>
      new Promise<void>((go) => {
        this.#waiting.push({ run, workedMs, go });
        this.#schedule();
      });
    const sharing: Sharing = {
      begin: () => {
        if (this.#isDue) return turn(0);
        this.#schedule();
        return undefined;
      },
      turn,
      hold,
      processor: this.#processor,
      get graceMs() {
        return graceMs();
      },
    };
    return { sharing, end: () => hold(-own) };
  }

  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#next(() => {
      this.#isDue = false;
      if (this.#waiting.length === 0) return;
      const isFull = this.#held > this.#mostBytes;
      const goesFirst = this.#waiting.reduce((first, one) => {
        const isBefore = isFull ? one.run < first.run : one.workedMs < first.workedMs;
        return isBefore ? one : first;
      });
      this.#waiting = this.#waiting.filter((one) => one !== goesFirst);
      // This run uses the present turn of the loop: the next run waits for another.
      this.#schedule();
      goesFirst.go();
    });
  }
}
