import type { RunOptions } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';

/** How long one question can wait: never beyond its own deadline, and not when its caller has gone. */
export class Patience {
  readonly #clock: () => number;
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: number;

  /** @param clock Milliseconds; never jumps back. */
  constructor(clock: () => number, { signal, limits }: Pick<RunOptions, 'signal' | 'limits'>) {
    this.#clock = clock;
    this.#signal = signal;
    this.#deadline = clock() + (limits?.deadlineMs ?? Number.POSITIVE_INFINITY);
  }

  /** When a wait of so many milliseconds that begins now has to end, by the clock. */
  end(ms: number): number {
    return Math.min(this.#clock() + ms, this.#deadline);
  }

  /**
   * What a promise gives, if it does so in time; else it goes on by itself, and nobody hears whether it failed.
   *
   * @throws CodewalkError `CANCELLED` when the caller goes first, or as the promise does.
   */
  async until<T>(end: number, promise: Promise<T>): Promise<T | 'late'> {
    const signal = this.#signal;
    let timer: NodeJS.Timeout | undefined;
    let cancel: () => void = () => undefined;
    const over = new Promise<'late'>((resolve, reject) => {
      timer = setTimeout(resolve, Math.max(0, end - this.#clock()), 'late');
      cancel = () => reject(new CodewalkError('CANCELLED', 'the caller cancelled the run'));
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel);
    });
    promise.catch(() => undefined);
    try {
      return await Promise.race([promise, over]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }
}
