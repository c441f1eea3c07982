import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pause } from '../storage/index.js';

/** Milliseconds that long work goes on at a stretch. */
const STRETCH = 2;
/** So many times as long as it worked it waits for readers at the most: it goes on however many there are. */
const PATIENCE = 4;
/** Milliseconds of work that count for its patience: what it waited for others itself is no work. */
const LONGEST_STRETCH = 10;

/**
 * Lets long work and those who wait for an answer share a thread: the work stops every few milliseconds, and for as
 * long as somebody reads, within bounds.
 */
export class Pace {
  readonly #readers: () => number;
  readonly #patience: number;
  readonly #ended = new Set<() => void>();
  #since = performance.now();

  /**
   * @param readers How many runs read at the moment.
   * @param patience So many times as long as it worked it waits for them.
   */
  constructor(readers: () => number, patience = PATIENCE) {
    this.#readers = readers;
    this.#patience = patience;
  }

  /** See {@link Pause}. */
  readonly pause: Pause = () => {
    const worked = performance.now() - this.#since;
    return worked < STRETCH ? undefined : this.#turn(worked);
  };

  /** To be called when a run that reads has ended. */
  readerEnded(): void {
    if (this.#ended.size === 0 || this.#readers() > 0) return;
    for (const goOn of this.#ended) goOn();
  }

  async #turn(worked: number): Promise<void> {
    await nextTurn();
    if (this.#readers() > 0) await this.#untilRead(this.#patience * Math.min(worked, LONGEST_STRETCH));
    this.#since = performance.now();
  }

  async #untilRead(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const goOn = () => {
        clearTimeout(timer);
        this.#ended.delete(goOn);
        resolve();
      };
      const timer = setTimeout(goOn, ms);
      this.#ended.add(goOn);
    });
  }
}
