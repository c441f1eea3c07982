import { z } from 'zod';
import { stripHidden } from '../../present/index.js';
import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { MEMORY_TYPES, Memory } from '../../schema/index.js';
import { linksOf, type RelationLink, type RelationProps, relationsBehind } from './relation-links.js';

const text = z.string();
const share = z.number();
const count = z.number().int();

/** One relation as it is seen from a memory. */
export const RelationRow = z.object({
  id: text,
  /** One of the 35. */
  type: text,
  from_memory_id: text,
  to_memory_id: text,
  /** Whether it leaves the memory or reaches it. */
  direction: z.enum(['out', 'in']),
  /** The memory at its other end. */
  memory: z.object({ id: text, type: z.enum(MEMORY_TYPES), title: text }),
  strength: share,
  confidence: share,
  context: text.nullable(),
  evidence_count: count,
  success_rate: share.nullable(),
  created_at: text,
  last_validated: text.nullable(),
  validation_count: count,
  counter_evidence_count: count,
});
export type RelationRow = z.infer<typeof RelationRow>;

/** All relations of a memory, the strongest first, then by their type and other end. */
export async function relationsOf(
  memory: NodeRef<typeof Memory>,
  context: Pick<ReadContext, 'entries' | 'entryEdges' | 'nodesOf'>,
): Promise<RelationRow[]> {
  const [links = []] = await linksOf(context, [memory.id]);
  const relations = await relationsBehind(context, links);
  const ends = await context.nodesOf(Memory, [...new Set(links.map(({ far }) => far))]);
  const far = new Map(ends.map((node) => [node.id, node]));
  const rows = links.flatMap((link, at) => {
    const [relation, other] = [relations[at], far.get(link.far)];
    return relation && other && !other.gone ? [relationRow(memory.id, link, relation, other)] : [];
  });
  return rows.sort(
    (a, b) =>
      b.strength - a.strength ||
      compareText(a.type, b.type) ||
      compareText(a.memory.id, b.memory.id) ||
      compareText(a.id, b.id),
  );
}

/** A relation seen from one of its ends. @param other The memory at the other one. */
export function relationRow(
  near: string,
  { type, direction, far }: Pick<RelationLink, 'type' | 'direction' | 'far'>,
  { relation_id, context, ...relation }: RelationProps,
  other: NodeRef<typeof Memory>,
): RelationRow {
  const [from, to] = direction === 'out' ? [near, far] : [far, near];
  return {
    id: relation_id,
    type,
    from_memory_id: from,
    to_memory_id: to,
    direction,
    memory: { id: other.id, type: other.type, title: stripHidden(other.title) },
    ...relation,
    context: context === null ? null : stripHidden(context),
  };
}
