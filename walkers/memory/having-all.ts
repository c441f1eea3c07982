import type { TextIndexReader } from '../../search/index.js';
import type { MemoryField } from './memory-text.js';

/** So few are looked at one by one. */
const FEW = 1000;

/**
 * The memories that may have all the words that are wanted, from the index alone: those that have the rarest of them, then
 * of these those that have the next, until few are left.
 *
 * @param wanted Each a word with others that may stand for it; empty: nothing has to be there.
 * @param within Ids that are looked at; null: all.
 * @returns Null: all of them.
 */
export async function havingAll(
  index: TextIndexReader<MemoryField>,
  wanted: readonly (readonly string[])[],
  within: readonly string[] | null,
): Promise<readonly string[] | null> {
  const counts = await index.frequencies(wanted.flat());
  const countOf = (words: readonly string[]) => words.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0);
  const rarestFirst = wanted
    .map((words) => ({ words, count: countOf(words) }))
    .sort((a, b) => a.count - b.count);
  let left = within;
  for (const { words, count } of rarestFirst) {
    if (count === 0) return [];
    // One word alone is looked for anyway.
    if (wanted.length === 1) break;
    if (left !== null && left.length <= FEW) break;
    const query = new Map(words.map((word) => [word, 1]));
    const hits = await index.search(query, { limit: count, ...(left === null ? {} : { within: left }) });
    left = hits.map(({ id }) => id);
  }
  return left;
}
