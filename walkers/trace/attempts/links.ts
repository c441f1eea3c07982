import { compareText } from '../../../runtime/index.js';
import { rarity } from '../../../search/index.js';
import type { AttemptIndex, KnownAttempt } from './attempt-index.js';

/** The best matches whose files and names lead on. */
const SEEDS = 20;

/** Scores by attempt; the largest is 1. */
export type LinkScores = ReadonlyMap<string, number>;

/**
 * Attempts by what they share of some files: rare files count more, an attempt that touched many files less (by the
 * fourth root: the files asked for are certain).
 */
export function scoresByFiles(index: AttemptIndex, links: readonly string[]): LinkScores {
  const scores = new Map<string, number>();
  for (const link of links) {
    const worth = rarity(index.size, index.linkedBy(link).size);
    for (const id of index.linkedBy(link)) {
      const touched = index.of(id)?.files.size ?? 0;
      scores.set(id, (scores.get(id) ?? 0) + worth / (1 + touched) ** 0.25);
    }
  }
  return ofLargest(scores);
}

/**
 * Attempts by what the best matches lead to: one step of spreading activation (Collins and Loftus, 1975) from the
 * matches to the files they touched and the names they used, and on to other attempts. A match gives by the square
 * of its score, shared among its links by their rarity; an attempt with many links gets less of each.
 */
export function scoresByMatches(index: AttemptIndex, matches: ReadonlyMap<string, number>): LinkScores {
  const seeds = [...matches].sort(([a, x], [b, y]) => y - x || compareText(a, b)).slice(0, SEEDS);
  const [, top] = seeds[0] ?? ['', 0];
  if (top <= 0) return new Map();
  const active = new Map<string, number>();
  for (const [id, score] of seeds) {
    const weights = linksOf(index, index.of(id));
    const all = weights.reduce((sum, [, weight]) => sum + weight, 0) || 1;
    for (const [link, weight] of weights)
      active.set(link, (active.get(link) ?? 0) + (score / top) ** 2 * (weight / all));
  }
  const scores = new Map<string, number>();
  for (const [link, activation] of active) {
    const linked = index.linkedBy(link);
    const worth = activation * rarity(index.size, linked.size);
    for (const id of linked) {
      const links = index.of(id)?.links.size ?? 0;
      scores.set(id, (scores.get(id) ?? 0) + worth / Math.sqrt(1 + links));
    }
  }
  return ofLargest(scores);
}

function linksOf(index: AttemptIndex, attempt: KnownAttempt | undefined): [link: string, weight: number][] {
  return [...(attempt?.links ?? [])].map((link) => [link, rarity(index.size, index.linkedBy(link).size)]);
}

function ofLargest(scores: ReadonlyMap<string, number>): LinkScores {
  const largest = Math.max(0, ...scores.values());
  return largest > 0 ? new Map([...scores].map(([id, score]) => [id, score / largest])) : new Map();
}
