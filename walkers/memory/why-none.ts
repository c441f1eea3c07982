import type { ReadContext } from '../../runtime/index.js';
import { Memory } from '../../schema/index.js';

/** Why a search found nothing, where it is that nothing is remembered at all: a zero is never bare (P-01). */
export async function whyNone(
  { counts }: Pick<ReadContext, 'counts'>,
  found: readonly unknown[],
): Promise<string[]> {
  if (found.length > 0) return [];
  const { nodes } = await counts();
  const isEmpty = (nodes.get(Memory.name) ?? 0) === 0;
  return isEmpty
    ? ['Nothing is remembered here yet: memory_store (codewalk memory store) remembers something.']
    : [];
}
