import type { ReadContext, Slot } from '../runtime/index.js';

/** Characters that the answers may take together, as JSON: when more come, all others go. */
const MOST_CHARACTERS = 8_000_000;

type Version = Pick<ReadContext, 'version'>;

/** Answers of one walker by its input, for as long as the graph is what it was when they were made. */
export class CachedAnswers<T> {
  readonly #answers = new Map<string, T>();
  #version: number | null = null;
  #size = 0;

  /** The answer that the version of a run gave before; undefined where there is none. */
  find({ version }: Version, input: string): T | undefined {
    return version !== null && version === this.#version ? this.#answers.get(input) : undefined;
  }

  /** Caches an answer, which must not change any more. Of runs that overlap the last one to end counts. */
  keep({ version }: Version, input: string, answer: T): void {
    if (version === null) return;
    const size = JSON.stringify(answer).length;
    if (version !== this.#version || this.#size + size > MOST_CHARACTERS) {
      this.#answers.clear();
      this.#size = 0;
    }
    this.#version = version;
    this.#answers.set(input, answer);
    this.#size += size;
  }
}

/** A slot for the answers of one walker. @param name For messages. */
export function cachedAnswers<T>(name: string): Slot<CachedAnswers<T>> {
  return { name, make: () => new CachedAnswers<T>() };
}
