import type { StepsContext } from '../../../runtime/index.js';

/** Has runs of one graph come one after the other. */
export class EmbeddingTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work of a run when the one before it is over: its context then reads what that one wrote. */
  take<C extends StepsContext, T>(context: C, work: (context: C) => Promise<T>): Promise<T> {
    const mine = this.#last.then(async () => {
      await context.commit();
      return work(context);
    });
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
