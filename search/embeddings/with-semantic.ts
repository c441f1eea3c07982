import { fused, ranking, type Scores } from '../fusion.js';
import type { SemanticHits } from './semantic-hits.js';

/** Two lists of equal weight: words do not go before meaning, nor meaning before words. */
const WEIGHT = 1;
/** Below the last of those that count. */
const BEHIND = 0.99;

/**
 * Scores by words joined with what embeddings say, by rank ({@link fused}): shares of what the first of both lists gets. Where
 * embeddings say nothing, the scores as they were.
 */
export function withSemantic(byWords: Scores, { hits }: Pick<SemanticHits, 'hits'>): Scores {
  if (hits.length === 0) return byWords;
  const byMeaning = new Map(hits.map(({ id, similarity }) => [id, similarity]));
  const both = fused([byWords, byMeaning].map((scores) => ({ scores, weight: WEIGHT })));
  const same = new Map([['', 1]]);
  const most = fused([same, same].map((scores) => ({ scores, weight: WEIGHT }))).get('') ?? 1;
  const joined = new Map(ranking(both).map((id) => [id, (both.get(id) ?? 0) / most]));
  // What stands too deep in its list to count stays behind all that counts.
  const least = Math.min(...joined.values());
  for (const [id, score] of byWords) if (!joined.has(id)) joined.set(id, least * Math.min(1, score) * BEHIND);
  return joined;
}
