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
 * The largest number from 0 to `most` whose cost is within a limit, where costs never fall; 0 when none is. Costs grow
 * about evenly, so every other question is where a straight line would cross the limit, the others halve what is left.
 */
export function largestThatFits(most: number, limit: number, costOf: (count: number) => number): number {
  let [low, high] = [0, Math.max(0, most)];
  let highCost = costOf(high);
  if (highCost <= limit) return high;
  let lowCost = costOf(low);
  if (lowCost > limit) return 0;
  for (let turn = 0; high - low > 1; turn++) {
    const share = turn % 2 === 0 ? (limit - lowCost) / (highCost - lowCost) : 0.5;
    const middle = low + Math.max(1, Math.min(high - low - 1, Math.floor(share * (high - low))));
    const cost = costOf(middle);
    if (cost <= limit) [low, lowCost] = [middle, cost];
    else [high, highCost] = [middle, cost];
  }
  return low;
}
