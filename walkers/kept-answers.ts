import type { ReadContext, Slot } from '../runtime/index.js';

/** Answers that are kept at most, and the characters that they may take together, as JSON. */
const MOST_ANSWERS = 256;
const MOST_CHARACTERS = 8_000_000;

/** Answers of one walker by its input, for as long as the graph is what it was when they were made. */
export class CachedAnswers<T> {
  /** The least recently asked for first. */
  readonly #answers = new Map<string, { readonly answer: T; readonly size: number }>();
  #version: number | null = null;
  #size = 0;

  /** The answer that the version of a run gave before; undefined where there is none. */
  find({ version }: Pick<ReadContext, 'version'>, input: string): T | undefined {
    this.#follow(version);
    const known = this.#answers.get(input);
    if (known === undefined) return undefined;
    this.#answers.delete(input);
    this.#answers.set(input, known);
    return known.answer;
  }

  /** Keeps an answer, which nobody may change any more. */
  keep({ version }: Pick<ReadContext, 'version'>, input: string, answer: T): void {
    this.#follow(version);
    if (version === null) return;
    const size = JSON.stringify(answer).length;
    this.#answers.set(input, { answer, size });
    this.#size += size;
    for (const [oldest, { size: freed }] of this.#answers) {
      if (this.#answers.size <= MOST_ANSWERS && this.#size <= MOST_CHARACTERS) break;
      this.#answers.delete(oldest);
      this.#size -= freed;
    }
  }

  /** Runs may overlap: one that reads an older version finds nothing, and what it keeps is soon gone. */
  #follow(version: number | null): void {
    if (version === this.#version && version !== null) return;
    this.#answers.clear();
    this.#size = 0;
    this.#version = version;
  }
}

/** A slot for the answers of one walker. @param name For messages. */
export function cachedAnswers<T>(name: string): Slot<CachedAnswers<T>> {
  return { name, make: () => new CachedAnswers<T>() };
}
