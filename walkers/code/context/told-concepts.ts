import { HISTORY_TOPICS, readTopics } from '../../../graphs/code/index.js';
import type { ReadContext } from '../../../runtime/index.js';
import { LIMITS } from '../../../schema/index.js';
import type { ConceptRow } from './context-rows.js';

/**
 * Concepts in the order in which they are told: what people and comments say as it was found, then commits, the newest
 * first and only the latest few: a file that is edited every day is mentioned by hundreds.
 */
export async function latestConcepts(
  { blobs }: Pick<ReadContext, 'blobs'>,
  found: readonly ConceptRow[],
): Promise<{ rows: ConceptRow[]; commits: number }> {
  const commits = found.filter(({ source }) => source === 'commit');
  const stated = found.filter(({ source }) => source !== 'commit');
  if (commits.length === 0) return { rows: stated, commits: 0 };
  const [stored] = await blobs([HISTORY_TOPICS]);
  const ages = new Map(readTopics(stored).map(({ label }, age) => [label, age]));
  const age = ({ label }: ConceptRow) => ages.get(label) ?? Number.MAX_SAFE_INTEGER;
  const latest = commits.sort((a, b) => age(a) - age(b)).slice(0, LIMITS.contextCommits.max);
  return { rows: [...stated, ...latest], commits: commits.length };
}
