// How long answers took, all and by kind of question.
export class Asked {
  #times = new Map();

  get count() {
    return this.#all().length;
  }

  /** Asks one question and keeps how long its answer took. */
  async time(question, how) {
    const from = performance.now();
    await how(question);
    const took = performance.now() - from;
    const known = this.#times.get(question.kind);
    if (known) known.push(took);
    else this.#times.set(question.kind, [took]);
  }

  kinds() {
    return [...this.#times.keys()].sort();
  }

  /** Milliseconds within which such a share was answered; of one kind, or of all questions. */
  at(share, kind) {
    const times = kind === undefined ? this.#all() : (this.#times.get(kind) ?? []);
    const sorted = [...times].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
  }

  #all() {
    return [...this.#times.values()].flat();
  }
}
