import type { KnownAttempt, Ranked } from './rank.js';

type Repeatable = Pick<Ranked, 'likeness'> & { readonly attempt: KnownAttempt };

/**
 * Attempts at one prompt that touched the same files, and are like the question in the same, as one: the first of them,
 * with the ids of the others. Those that go on stand for themselves.
 */
export function withoutRepeats<T extends Repeatable>(
  ranked: readonly T[],
): (T & { readonly again: readonly string[] })[] {
  const firsts = new Map<string, T & { again: string[] }>();
  for (const one of ranked) {
    const { id, open, same } = one.attempt;
    const { asFailure = false, failing = [], sameError = false } = one.likeness ?? {};
    const key =
      same === null || open ? id : JSON.stringify([same, asFailure, sameError, [...failing].sort()]);
    const first = firsts.get(key);
    if (first) first.again.push(id);
    else firsts.set(key, { ...one, again: [] });
  }
  return [...firsts.values()];
}
