import type { ReadContext } from '../../../../runtime/index.js';
import { fileId, MemoryAbout, parseId } from '../../../../schema/index.js';
import type { Scores } from '../../../../search/index.js';
import { add } from './scores.js';

/** Memories that are looked at. */
const MOST_MEMORIES = 500;

/**
 * Files that the same memories are about, themselves or by what is in them: the more a memory is about, the less it says
 * of each.
 *
 * @param own The ids of the files' symbols.
 */
export async function rememberedTogether(
  { q }: Pick<ReadContext, 'q'>,
  asked: readonly string[],
  own: readonly string[],
): Promise<Scores> {
  const scores = new Map<string, number>();
  const memories = await q([...asked.map(fileId), ...own])
    .in(MemoryAbout)
    .slice(0, MOST_MEMORIES)
    .ids();
  const inside = new Set(asked);
  const about = new Map(memories.map((id) => [id, new Set<string>()]));
  for (const { from, to } of await q(memories).out(MemoryAbout).edges()) {
    const path = parseId(to)?.path ?? null;
    if (path !== null && !inside.has(path)) about.get(from)?.add(path);
  }
  for (const paths of about.values())
    for (const path of paths) add(scores, path, 1 / Math.log2(1 + paths.size));
  return scores;
}
