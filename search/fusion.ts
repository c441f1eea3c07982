import { compareIds } from '../storage/index.js';

/** How much things answer to by one kind of evidence, by id; larger is better, absent is unknown. */
export type Scores = ReadonlyMap<string, number>;

/** One kind of evidence, and what it counts in a fusion. */
export interface Evidence {
  readonly scores: Scores;
  readonly weight: number;
}

/**
 * The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009, who use 60 for lists of a
 * thousand): our lists have some tens of entries of which the first few matter.
 */
const FUSION_CONSTANT = 10;
/** What stands below this rank in one list is no evidence any more. */
const FUSION_DEPTH = 100;

/** The keys with the best first; ties by key, what scores nothing is left out. */
export function ranking(scores: Scores): string[] {
  return [...scores]
    .filter(([, score]) => score > 0)
    .sort(([a, x], [b, y]) => y - x || compareIds(a, b))
    .map(([key]) => key);
}

/**
 * The weighted sum of scores, each list divided by its largest: for lists of which a lead means something, as where one
 * thing is called twenty times and the next once (Fox and Shaw, "Combination of multiple searches", TREC-2, 1994).
 */
export function blended(lists: readonly Evidence[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { scores, weight } of lists) {
    const most = [...scores.values()].reduce((largest, score) => Math.max(largest, score), 0);
    for (const [key, score] of scores)
      if (score > 0) sums.set(key, (sums.get(key) ?? 0) + (weight * score) / most);
  }
  return sums;
}

/**
 * Reciprocal rank fusion: every list gives `weight / (k + rank)` to what it names, its best having rank 0. Ranks, not
 * scores, are added up, for the scores of different kinds of evidence have no common scale.
 *
 * @param constant `k`: the smaller, the more the first ranks count.
 */
export function fused(lists: readonly Evidence[], constant: number = FUSION_CONSTANT): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { scores, weight } of lists)
    for (const [rank, key] of ranking(scores).slice(0, FUSION_DEPTH).entries())
      sums.set(key, (sums.get(key) ?? 0) + weight / (constant + rank));
  return sums;
}
