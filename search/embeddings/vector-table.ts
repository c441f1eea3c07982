import { compareIds } from '../../storage/index.js';

/** How near a vector is to a query's. */
export interface Near {
  readonly id: string;
  /** The cosine of the angle between them: 1 in the same direction. */
  readonly similarity: number;
}

/** Vectors of length 1 by id, one behind the other in one array of numbers: what a search goes over. */
export class VectorTable {
  readonly dimension: number;
  readonly #ids: string[] = [];
  readonly #rows = new Map<string, number>();
  #numbers = new Float32Array();

  /** @param dimension Numbers in each vector. */
  constructor(dimension: number) {
    this.dimension = dimension;
  }

  get size(): number {
    return this.#ids.length;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  /** Puts the vector of an id in the place of the one that it had. */
  set(id: string, vector: Float32Array): void {
    let row = this.#rows.get(id);
    if (row === undefined) {
      row = this.#ids.push(id) - 1;
      this.#rows.set(id, row);
      this.#makeRoom();
    }
    this.#numbers.set(vector, row * this.dimension);
  }

  /** Takes an id out; the last one takes its place. */
  delete(id: string): void {
    const row = this.#rows.get(id);
    const last = this.#ids.pop();
    if (row === undefined || last === undefined) return;
    this.#rows.delete(id);
    if (last === id) return;
    this.#ids[row] = last;
    this.#rows.set(last, row);
    const from = this.#ids.length * this.dimension;
    this.#numbers.copyWithin(row * this.dimension, from, from + this.dimension);
  }

  /**
   * The nearest to a query, by cosine, the nearest first; ties by id. What points away from it is not near.
   *
   * @param within Ids that are looked at; default: all.
   */
  nearest(query: Float32Array, limit: number, within?: Iterable<string>): Near[] {
    const found: Near[] = [];
    const look = (id: string, row: number) => {
      const similarity = product(query, this.#numbers, row * this.dimension);
      if (similarity > 0) found.push({ id, similarity });
    };
    if (within === undefined) this.#ids.forEach(look);
    else
      for (const id of new Set(within)) {
        const row = this.#rows.get(id);
        if (row !== undefined) look(id, row);
      }
    return nearestOf(found, limit);
  }

  #makeRoom(): void {
    const wanted = this.#ids.length * this.dimension;
    if (wanted <= this.#numbers.length) return;
    const larger = new Float32Array(Math.max(wanted, 2 * this.#numbers.length));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}

/** The sum of products of a query with the numbers that begin at a place: the cosine of vectors of length 1. */
export function product(query: Float32Array, numbers: Float32Array, from: number): number {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum += (query[i] ?? 0) * (numbers[from + i] ?? 0);
  return sum;
}

/** The nearest of what was found, the nearest first; ties by id. */
export function nearestOf(found: Near[], limit: number): Near[] {
  return found
    .sort((a, b) => b.similarity - a.similarity || compareIds(a.id, b.id))
    .slice(0, Math.max(0, limit));
}
