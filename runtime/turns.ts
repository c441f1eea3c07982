/** One after the other, in the order in which they asked. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Waits for the caller's turn, which lasts until what is answered is called. Whoever has waited for `patience`
   * milliseconds goes on beside the others: whose turn it is may itself be waiting for them.
   */
  async take(patience: number): Promise<() => void> {
    const before = this.#last;
    let done: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.#last = Promise.all([before, mine]);
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    await Promise.race([before, enough]);
    clearTimeout(timer);
    return done;
  }
}
