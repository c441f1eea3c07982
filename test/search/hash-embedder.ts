import { createHash } from 'node:crypto';
import { type Embedder, Words } from '../../search/index.js';

/** Numbers in a vector of {@link HashEmbedder}. */
export const DIMENSION = 64;

/**
 * An embedder without a model: every word of a text points in a direction that its hash says, so texts that share words are
 * near. The same text has the same vector, everywhere. It keeps what it was asked.
 */
export class HashEmbedder implements Embedder {
  readonly model: string;
  readonly texts: string[] = [];
  readonly queries: string[] = [];
  readonly #words = new Words();

  constructor(model = 'hash') {
    this.model = model;
  }

  async embedTexts(texts: readonly string[]): Promise<number[][]> {
    this.texts.push(...texts);
    return texts.map((text) => this.#vectorOf(text));
  }

  async embedQuery(query: string): Promise<number[]> {
    this.queries.push(query);
    return this.#vectorOf(query);
  }

  #vectorOf(text: string): number[] {
    const vector = new Array<number>(DIMENSION).fill(0);
    for (const word of this.#words.of(text)) {
      const hash = createHash('sha256').update(`${this.model} ${word}`).digest();
      const at = hash.readUInt16LE(0) % DIMENSION;
      vector[at] = (vector[at] ?? 0) + 1;
    }
    return vector;
  }
}
