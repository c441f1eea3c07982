import type { ReadContext } from '../../runtime/index.js';
import { rarity, readIndex, type TextIndexReader } from '../../search/index.js';
import {
  byImportance,
  type MemoryFilter,
  type MemoryRef,
  MOST_TRIED,
  narrowIds,
  noneRelated,
  passing,
  selectedIds,
  TRIED_NOTE,
} from './found-memories.js';
import { MEMORY_TEXT, type MemoryField, pathWord } from './memory-text.js';
import type { SoughtWords } from './sought.js';

/** The best hits, by whose files others are lifted. */
const SEEDS = 30;
/** The most that the files add, as a part of the best hit's score. */
const SHARE = 0.5;

/**
 * Lifts, among memories that words lead to, those about the files that the best of them are about: what the same work
 * taught is worth more than the same words elsewhere. A file counts by its rarity among all memories, and the less the
 * more files a memory names. (Spreading activation from the first hits: Crestani, "Application of spreading activation
 * techniques in information retrieval", 1997.) Scores stay from 0 to 1; without files they stay as they are.
 *
 * @param hits The best first.
 */
async function liftedBySharedFiles(
  index: TextIndexReader<MemoryField>,
  size: number,
  hits: readonly TextHit[],
): Promise<TextHit[]> {
  const seeds = hits.slice(0, SEEDS);
  const best = hits[0]?.score ?? 0;
  const paths = new Set(seeds.flatMap(({ memory }) => memory.context_files_involved));
  if (paths.size === 0 || best === 0) return [...hits];
  const known = await index.frequencies([...paths].map(pathWord));
  const worth = new Map([...paths].map((path) => [path, rarity(size, known.get(pathWord(path)) ?? 0)]));
  const worthOf = (path: string) => worth.get(path) ?? 0;
  const active = new Map<string, number>();
  for (const { memory, score } of seeds) {
    const files = memory.context_files_involved;
    const sum = files.reduce((all, path) => all + worthOf(path), 0) || 1;
    for (const path of files)
      active.set(path, (active.get(path) ?? 0) + ((score / best) ** 2 * worthOf(path)) / sum);
  }
  const lifts = hits.map(({ memory: { context_files_involved: files } }) => {
    const sum = files.reduce((all, path) => all + (active.get(path) ?? 0) * worthOf(path), 0);
    return sum / Math.sqrt(1 + files.length);
  });
  const most = lifts.reduce((high, lift) => Math.max(high, lift), 0) || 1;
  return hits.map(({ memory, score }, at) => ({
    memory,
    score: (score + (SHARE * best * (lifts[at] ?? 0)) / most) / (1 + SHARE),
  }));
}

/** So few are looked at one by one. */
const FEW = 1000;

/** A memory that words lead to. */
export interface TextHit {
  readonly memory: MemoryRef;
  /** Of the largest score that any memory could get for these words: from 0 to 1. */
  readonly score: number;
}

/** What words lead to. */
export interface TextHits {
  readonly hits: readonly TextHit[];
  /** Null where all that there are were looked at. */
  readonly note: string | null;
}

/** Hits after which wide filters select, too, from their indexes. */
const TRIED_FIRST = 2000;
/** Documents that are looked at beside those that are wanted, in the first round. */
const BESIDE = 150;

/**
 * The memories that words fit best, of those that pass a filter, those about the same files lifted; ties by importance
 * (X-12). A filter that lets few
 * through selects first (S1-19's way), so that the words are looked for in these alone; of others so many hits are tried,
 * and then they select, too. What has no index, a text as it is typed and relations, is looked at in the first hits.
 */
export async function textHits(
  context: Pick<
    ReadContext,
    'blobs' | 'blobsUnder' | 'kept' | 'version' | 'lookUp' | 'nodesOf' | 'entries' | 'counts'
  >,
  sought: SoughtWords,
  filter: MemoryFilter,
  most: number,
): Promise<TextHits> {
  if (await noneRelated(context, filter)) return { hits: [], note: null };
  const index = readIndex(context, MEMORY_TEXT);
  const narrow = await narrowIds(context, filter);
  let within = await havingAll(index, sought.required, narrow);
  let isSelected = narrow !== null;
  for (let limit = 2 * most + BESIDE; ; limit *= 4) {
    const hits = await index.search(sought.words, { ...(within === null ? {} : { within }), limit });
    const scores = new Map(hits.map(({ id, score }) => [id, score]));
    const found = await passing(context, [...scores.keys()], filter);
    const kept = found
      .filter((memory) => sought.fits(memory))
      .map((memory) => ({ memory, score: scores.get(memory.id) ?? 0 }))
      .sort(byScore);
    const isMore = kept.length < most && hits.length >= limit;
    if (isMore && limit >= TRIED_FIRST && !isSelected) {
      const selected = await selectedIds(context, filter);
      within = selected && within ? both(selected, within) : (selected ?? within);
      isSelected = true;
    }
    if (isMore && limit < MOST_TRIED) continue;
    const lifted = await liftedBySharedFiles(index, await index.size(), kept);
    return { hits: lifted.sort(byScore).slice(0, most), note: isMore ? TRIED_NOTE : null };
  }
}

function byScore(a: TextHit, b: TextHit): number {
  return b.score - a.score || byImportance(a.memory, b.memory);
}

function both(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(some);
  return others.filter((id) => known.has(id));
}

/**
 * The memories that may have all the words that are wanted, from the index alone: those that have the rarest of them, then
 * of these those that have the next, until few are left.
 *
 * @param wanted Each a word with others that may stand for it; empty: nothing has to be there.
 * @param within Ids that are looked at; null: all.
 * @returns Null: all of them.
 */
async function havingAll(
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
