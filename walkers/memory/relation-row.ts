import { z } from 'zod';
import { compareText, type EdgeRef, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  MEMORY_RELATION_PREFIX,
  MEMORY_RELATIONS,
  MEMORY_TYPES,
  Memory,
  type MemoryRelation,
} from '../../schema/index.js';
import { stripHidden } from '../shown-text.js';

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
/** See {@link RelationRow}. */
export type RelationRow = z.infer<typeof RelationRow>;

/** All relations of a memory, the strongest first, then by their type and other end. */
export async function relationsOf(
  memory: NodeRef<typeof Memory>,
  { q, nodesOf }: Pick<ReadContext, 'q' | 'nodesOf'>,
): Promise<RelationRow[]> {
  const edges: EdgeRef<MemoryRelation>[] = [];
  for (const relation of Object.values(MEMORY_RELATIONS))
    edges.push(...(await q(memory).any(relation).edges()));
  const ends = [...new Set(edges.map((edge) => farEnd(edge, memory.id)))];
  const far = new Map((await nodesOf(Memory, ends)).map((node) => [node.id, node]));
  const rows = edges.flatMap((edge) => {
    const other = far.get(farEnd(edge, memory.id));
    return other && !other.gone ? [relationRow(edge, memory.id, other)] : [];
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
  edge: EdgeRef<MemoryRelation>,
  from: string,
  other: NodeRef<typeof Memory>,
): RelationRow {
  const { strength, confidence, context, evidence_count, success_rate } = edge;
  const { created_at, last_validated, validation_count, counter_evidence_count } = edge;
  return {
    id: edge.relation_id,
    type: edge.archetype.name.slice(MEMORY_RELATION_PREFIX.length),
    from_memory_id: edge.from,
    to_memory_id: edge.to,
    direction: edge.from === from ? 'out' : 'in',
    memory: { id: other.id, type: other.type, title: stripHidden(other.title) },
    strength,
    confidence,
    context: context === null ? null : stripHidden(context),
    evidence_count,
    success_rate,
    created_at,
    last_validated,
    validation_count,
    counter_evidence_count,
  };
}

function farEnd({ from, to }: { readonly from: string; readonly to: string }, near: string): string {
  return from === near ? to : from;
}
