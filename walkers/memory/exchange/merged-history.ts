import { compareText } from '../../../runtime/index.js';

/** What a memory said from a time on. */
export interface Saying<T> {
  readonly said: T;
  /** ISO 8601. */
  readonly said_at: string;
}

/**
 * One history of two: every saying of either, each once, by when it was said; the last one is what is said now. Of two
 * at one time the order is that of their texts, so it is no matter which of the two comes first.
 */
export function mergedHistory<T>(
  mine: readonly Saying<T>[],
  theirs: readonly Saying<T>[],
): readonly Saying<T>[] {
  const all = new Map([...mine, ...theirs].map((one) => [JSON.stringify([one.said_at, one.said]), one]));
  const sorted = [...all].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
  return sorted.filter((one, at) => JSON.stringify(one.said) !== JSON.stringify(sorted[at - 1]?.said));
}
