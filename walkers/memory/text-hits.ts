import type { ReadContext } from '../../runtime/index.js';
import { readIndex } from '../../search/index.js';
import { byImportance, type MemoryFilter, type MemoryRef, narrowIds, passing } from './found-memories.js';
import { MEMORY_TEXT } from './memory-text.js';
import { liftedBySharedFiles } from './shared-files.js';
import type { SoughtWords } from './sought.js';

/** A memory that words lead to. */
export interface TextHit {
  readonly memory: MemoryRef;
  /** Of the largest score that any memory could get for these words: from 0 to 1. */
  readonly score: number;
}

/** Documents that are looked at beside those that are wanted, in the first round. */
const BESIDE = 150;

/**
 * The memories that words fit best, of those that pass a filter, those about the same files lifted; ties by importance
 * (X-12). A filter that lets few
 * through selects first (S1-19's way), so that the words are looked for in these alone; of others as many hits are
 * tried as it takes.
 */
export async function textHits(
  context: Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'version' | 'lookUp' | 'nodesOf' | 'entries'>,
  sought: SoughtWords,
  filter: MemoryFilter,
  most: number,
): Promise<TextHit[]> {
  const index = readIndex(context, MEMORY_TEXT);
  const narrow = await narrowIds(context, filter);
  const within = narrow === null ? {} : { within: narrow };
  for (let limit = 2 * most + BESIDE; ; limit *= 4) {
    const hits = await index.search(sought.words, { ...within, limit });
    const scores = new Map(hits.map(({ id, score }) => [id, score]));
    const found = await passing(context, [...scores.keys()], filter);
    const kept = found
      .filter((memory) => sought.fits(memory))
      .map((memory) => ({ memory, score: scores.get(memory.id) ?? 0 }))
      .sort(byScore);
    if (kept.length < most && hits.length >= limit) continue;
    const lifted = await liftedBySharedFiles(index, await index.size(), kept);
    return lifted.sort(byScore).slice(0, most);
  }
}

function byScore(a: TextHit, b: TextHit): number {
  return b.score - a.score || byImportance(a.memory, b.memory);
}
