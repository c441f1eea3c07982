import type { ReadContext } from '../../runtime/index.js';
import { type SemanticHits, withSemantic } from '../../search/index.js';
import { type MemoryFilter, type MemoryRef, passing } from './found-memories.js';

/** A memory, and how well it fits what was asked; null where nothing was. */
interface RecallHit {
  readonly memory: MemoryRef;
  readonly score: number | null;
}

/**
 * What words found, joined with what embeddings say of memories that pass the same filter. As it is where they say
 * nothing.
 */
export async function joinedHits(
  context: Pick<ReadContext, 'lookUp' | 'nodesOf' | 'entries'>,
  found: readonly RecallHit[],
  semantic: SemanticHits,
  filter: MemoryFilter,
): Promise<readonly RecallHit[]> {
  if (semantic.hits.length === 0) return found;
  const near = await passing(
    context,
    semantic.hits.map(({ id }) => id),
    filter,
  );
  const memories = new Map(
    [...found.map(({ memory }) => memory), ...near].map((memory) => [memory.id, memory]),
  );
  const byWords = new Map(found.map(({ memory, score }) => [memory.id, score ?? 0]));
  const hits = semantic.hits.filter(({ id }) => memories.has(id));
  return [...withSemantic(byWords, { hits })].flatMap(([id, score]) => {
    const memory = memories.get(id);
    return memory ? [{ memory, score }] : [];
  });
}
