/** Characters that one token takes, about: the usual figure for English and code. */
export const CHARACTERS_PER_TOKEN = 4;

/** Tokens where the caller names none, and at most. */
export interface TokenLimit {
  readonly default: number;
  readonly max: number;
}

/** Tokens that a text, or a value as JSON, takes, about. */
export function tokensOf(value: unknown): number {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/**
 * The largest number from 0 to `most` that fits, where every smaller one fits as well; 0 when none does.
 * Asks `log2(most)` times.
 */
export function largestThatFits(most: number, fits: (count: number) => boolean): number {
  if (most <= 0 || fits(most)) return Math.max(0, most);
  let [low, high] = [0, most];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
