import { setImmediate as nextTurn } from 'node:timers/promises';

/** How one run works beside others in its thread. */
export interface Sharing {
  /** What a long run waits for before it begins; undefined: nothing. */
  begin(): Promise<void> | undefined;
  /**
   * Ends a stretch: the run goes on when it is its turn.
   *
   * @param workedMs What it has worked so far: of several that wait, whoever has worked least goes on first.
   */
  turn(workedMs: number): Promise<void>;
  /** Says that what the run holds in memory grew by so many bytes, or shrank. */
  hold(bytes: number): void;
  /** Milliseconds of the processor that this thread has had. Default: nobody can tell. */
  readonly processor?: (() => number) | undefined;
  /** Milliseconds that the run may work in this thread, as things are now; then it should throw {@link TooLongHere}. */
  readonly patienceMs: number;
}

/** Thrown by a run that has worked here as long as it may: whoever asked for it has it run elsewhere, from its beginning. */
export class TooLongHere extends Error {
  override readonly name = 'TooLongHere';
  /** What the run had taken. */
  readonly elapsedMs: number;

  constructor(elapsedMs: number) {
    super('the run has worked in this thread for as long as it may');
    this.elapsedMs = elapsedMs;
  }
}

/** Nobody works beside it but what the thread's loop has to do. */
export const ALONE: Sharing = {
  begin: () => undefined,
  turn: () => nextTurn(),
  hold: () => undefined,
  patienceMs: Number.POSITIVE_INFINITY,
};

interface Waiting {
  readonly run: number;
  readonly workedMs: number;
  readonly go: () => void;
}

/**
 * Who works next where long runs share a thread. They work in stretches, one to a turn of the thread's loop: so what is
 * short begins, goes on and ends between two of them, however many there are. Whoever has worked least goes first;
 * while all of them together hold more memory than they should, whoever began first, so that it ends and lets go.
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
   * @param mostBytes See above. Default: no bound.
   * @param processor See {@link Sharing.processor}.
   * @param next Calls back when the thread's loop has turned. Default: `setImmediate`.
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

  /** How many runs wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * A new run among the others, and what is to be called when it is over.
   *
   * @param patienceMs See {@link Sharing.patienceMs}; asked anew each time. Default: it may stay.
   */
  share(patienceMs: () => number = () => Number.POSITIVE_INFINITY): { sharing: Sharing; end: () => void } {
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
      get patienceMs() {
        return patienceMs();
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
      // What it does now is this turn of the loop: the next one waits for the one behind.
      this.#schedule();
      goesFirst.go();
    });
  }
}
