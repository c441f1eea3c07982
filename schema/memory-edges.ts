import { z } from 'zod';
import { defineEdge, defineNode, type EdgeArchetype } from './archetype.js';
import { LIMITS } from './limits.js';
import { Memory } from './memory.js';

const text = z.string();
const optionalText = text.nullable().default(null);
const score = z.number().min(0).max(1);
const count = z.number().int().min(0).default(0);

/** The 35 relations between memories, in their seven groups (S4.B). */
export const MEMORY_RELATION_GROUPS = {
  causal: ['CAUSES', 'TRIGGERS', 'LEADS_TO', 'PREVENTS', 'BREAKS'],
  solution: ['SOLVES', 'ADDRESSES', 'ALTERNATIVE_TO', 'IMPROVES', 'REPLACES'],
  context: ['OCCURS_IN', 'APPLIES_TO', 'WORKS_WITH', 'REQUIRES', 'USED_IN'],
  learning: ['BUILDS_ON', 'CONTRADICTS', 'CONFIRMS', 'GENERALIZES', 'SPECIALIZES'],
  similarity: ['SIMILAR_TO', 'VARIANT_OF', 'RELATED_TO', 'ANALOGY_TO', 'OPPOSITE_OF'],
  workflow: ['FOLLOWS', 'DEPENDS_ON', 'ENABLES', 'BLOCKS', 'PARALLEL_TO'],
  quality: ['EFFECTIVE_FOR', 'INEFFECTIVE_FOR', 'PREFERRED_OVER', 'DEPRECATED_BY', 'VALIDATED_BY'],
} as const;

/** One of the seven groups. */
export type MemoryRelationGroup = keyof typeof MEMORY_RELATION_GROUPS;
/** The public name of a relation: `CAUSES`. */
export type MemoryRelationName = (typeof MEMORY_RELATION_GROUPS)[MemoryRelationGroup][number];

/** What stands before a relation's name where it is stored: other domains use the same words. */
export const MEMORY_RELATION_PREFIX = 'mem.';

/** The properties of a relation (S4-23). Tools and Cypher call `relation_id` `id`. */
export const MEMORY_RELATION_SHAPE = {
  relation_id: text,
  strength: score.default(LIMITS.relationStrength.default),
  confidence: score.default(LIMITS.memoryConfidence.default),
  context: optionalText,
  evidence_count: count,
  success_rate: score.nullable().default(null),
  created_at: text,
  last_validated: optionalText,
  validation_count: count,
  counter_evidence_count: count,
  /** True: Codewalk proposes it, and no caller has asserted it. */
  proposed: z.boolean().default(false),
};

/** A relation between two memories: one of {@link MEMORY_RELATIONS}. */
export type MemoryRelation = EdgeArchetype<
  `mem.${MemoryRelationName}`,
  typeof MEMORY_RELATION_SHAPE,
  typeof Memory,
  typeof Memory
>;

/** The 35 archetypes by public name; stored as `mem.CAUSES`, `mem.TRIGGERS`… */
export const MEMORY_RELATIONS = relationArchetypes();

/** The group of each relation. */
export const GROUP_OF_RELATION = new Map<string, MemoryRelationGroup>(
  relationNames().map(([group, name]) => [name, group]),
);

/**
 * A relation as it was before it was changed, or before one of its memories was deleted: bookkeeping, in no graph export.
 * It held from `created_at`, or from the `replaced_at` of the version before it.
 */
export const MemoryRelationVersion = defineNode(
  'MemoryRelationVersion',
  {
    ...MEMORY_RELATION_SHAPE,
    /** One of the 35. */
    type: text,
    from_memory_id: text,
    to_memory_id: text,
    replaced_at: text,
  },
  {
    layer: 'durable',
    indexes: ['from_memory_id', 'to_memory_id'],
    doc: 'A relation before a change or deletion.',
  },
);

/** What a memory is about: a File, Symbol, Task or Error. */
export const MemoryAbout = defineEdge(
  'memory_about',
  {
    /** Hash of the file, or of the symbol's lines, when the memory was bound to it; null: not known, or has none. */
    content_hash: optionalText,
    /** When it was bound; ISO 8601. */
    bound_at: optionalText,
  },
  {
    layer: 'durable',
    order: 'canonical',
    from: Memory,
    doc: 'A memory is about a file, symbol, task or error.',
  },
);

function relationNames(): [MemoryRelationGroup, MemoryRelationName][] {
  const groups = Object.entries(MEMORY_RELATION_GROUPS) as [
    MemoryRelationGroup,
    readonly MemoryRelationName[],
  ][];
  return groups.flatMap(([group, names]) =>
    names.map((name): [MemoryRelationGroup, MemoryRelationName] => [group, name]),
  );
}

function relationArchetypes(): Readonly<Record<MemoryRelationName, MemoryRelation>> {
  const made = relationNames().map(([group, name]) => {
    const doc = `One memory ${name.toLowerCase().replaceAll('_', ' ')} another (${group}).`;
    const relation: MemoryRelation = defineEdge(`mem.${name}` as const, MEMORY_RELATION_SHAPE, {
      layer: 'durable',
      from: Memory,
      to: Memory,
      inline: ['strength', 'confidence'],
      doc,
    });
    return [name, relation] as const;
  });
  return Object.fromEntries(made) as Record<MemoryRelationName, MemoryRelation>;
}
