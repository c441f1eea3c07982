import { chance } from '../../bench/lib/cypher/chance.mjs';

/** What inputs are made of; functions too: data that a text of JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Choices by chance: the same seed, the same choices. */
export class Random {
  readonly #chance: ReturnType<typeof chance>;

  constructor(seed: number) {
    this.#chance = chance(seed);
  }

  /** A whole number from 0 up to, not including, a limit. */
  below(limit: number): number {
    return this.#chance.below(limit);
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True one time in so many. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  oneOf<T>(choices: readonly T[]): T {
    return this.#chance.oneOf(choices);
  }

  /** A list of so many. */
  times<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }

  /** A seed for choices of others. */
  seed(): number {
    return this.below(2 ** 31);
  }

  /** A part of a text, at most so long; small ones are likelier. */
  partOf(text: string, most: number): string {
    const length = this.between(1, Math.max(1, Math.min(most, this.oneOf([10, 100, 1000, most]))));
    const from = this.below(Math.max(1, text.length - length));
    return text.slice(from, from + length);
  }
}

/** A number that names, a text that tells: the same parts, the same seed (FNV-1a). */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of parts.join('\0')) {
    hash ^= char.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash;
}
