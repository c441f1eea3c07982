import type { EdgeRef, ReadContext } from '../../runtime/index.js';
import { CodewalkError, MEMORY_RELATIONS, Memory, type MemoryRelation } from '../../schema/index.js';
import { shownLine } from '../shown-text.js';

/** Memories whose relations are looked at together. */
const AT_ONCE = 5000;

type Look = Pick<ReadContext, 'findIds' | 'counts' | 'q'>;

/**
 * The relation with this id. Ids that memory_link gives tell the type and the ends; of others, which an import brings,
 * there is no index: the relations of all memories are looked through.
 *
 * @throws CodewalkError `NODE_NOT_FOUND`.
 */
export async function relationNamed(context: Look, id: string): Promise<EdgeRef<MemoryRelation>> {
  const found = (await relationAt(context, id)) ?? (await relationAmongAll(context, id));
  if (found) return found;
  throw new CodewalkError('NODE_NOT_FOUND', `relationship_id: there is no relation '${shownLine(id)}'`, {
    input: id,
    suggestion: 'memory_get and memory_related show the relations of a memory with their ids.',
  });
}

/** `SOLVES:from:to`; an id of a memory may have a colon, too. */
async function relationAt({ q }: Look, id: string): Promise<EdgeRef<MemoryRelation> | undefined> {
  const [name, ...parts] = id.split(':');
  const type = Object.entries(MEMORY_RELATIONS).find(([known]) => known === name)?.[1];
  if (!type) return undefined;
  const froms = parts.slice(1).map((_, at) => parts.slice(0, at + 1).join(':'));
  const edges = await q(froms).out(type).edges();
  return edges.find(({ relation_id }) => relation_id === id);
}

async function relationAmongAll(
  { findIds, counts, q }: Look,
  id: string,
): Promise<EdgeRef<MemoryRelation> | undefined> {
  const { edges } = await counts();
  const types = Object.values(MEMORY_RELATIONS).filter(({ name }) => edges.has(name));
  const memories = await findIds(Memory);
  for (let at = 0; at < memories.length; at += AT_ONCE)
    for (const type of types) {
      const some = memories.slice(at, at + AT_ONCE);
      const found = (await q(some).out(type).edges()).find(({ relation_id }) => relation_id === id);
      if (found) return found;
    }
  return undefined;
}
