import { rarity, type TextIndexReader } from '../../search/index.js';
import { type MemoryField, pathWord } from './memory-text.js';
import type { TextHit } from './text-hits.js';

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
export async function liftedBySharedFiles(
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
