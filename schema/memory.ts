import { z } from 'zod';
import { defineEdge, defineNode, type EdgeArchetype } from './archetype.js';

/** What a memory is (S4-14, and `conversation` by ruling X-14). */
export const MEMORY_TYPES = [
  'task',
  'code_pattern',
  'problem',
  'solution',
  'project',
  'technology',
  'error',
  'fix',
  'command',
  'file_context',
  'workflow',
  'general',
  'conversation',
] as const;
/** One of {@link MEMORY_TYPES}. */
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** Other words for a type, with the tag that keeps the difference. */
export const MEMORY_TYPE_ALIASES: Readonly<Record<string, { type: MemoryType; tag: string | null }>> = {
  pattern: { type: 'code_pattern', tag: null },
  decision: { type: 'solution', tag: 'decision' },
};

/** The prefix under which the context is stored (S4-13). */
export const CONTEXT_PREFIX = 'context_';

const text = z.string();
const optionalText = text.nullable().default(null);
const texts = z.array(text).default([]);
const score = z.number().min(0).max(1);
const count = z.number().int().min(0).default(0);

/** Where a memory was made: the eleven fields of S4-13, each stored with {@link CONTEXT_PREFIX}. */
const context = {
  context_project_path: optionalText,
  context_files_involved: texts,
  context_languages: texts,
  context_frameworks: texts,
  context_technologies: texts,
  context_git_commit: optionalText,
  context_git_branch: optionalText,
  context_working_directory: optionalText,
  context_timestamp: optionalText,
  context_session_id: optionalText,
  context_user_id: optionalText,
};

/** Something worth knowing next time (S4.A). */
export const Memory = defineNode(
  'Memory',
  {
    type: z.enum(MEMORY_TYPES),
    title: text.trim().min(1),
    content: text.trim().min(1),
    summary: optionalText,
    /** Lower case (S4-32). */
    tags: z.array(text.trim().toLowerCase()).default([]),
    importance: score.default(0.5),
    confidence: score.default(0.8),
    effectiveness: score.nullable().default(null),
    /** How often it was read. */
    usage_count: count,
    /** Times are ISO 8601. */
    created_at: text,
    updated_at: text,
    last_accessed: optionalText,
    ...context,
  },
  {
    layer: 'durable',
    indexes: ['type', 'created_at', 'importance', 'confidence', 'context_project_path'],
    doc: 'Something worth knowing next time.',
  },
);

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

/** The properties of a relation (S4-23). `relation_id` is what tools and Cypher call `id`. */
export const MEMORY_RELATION_SHAPE = {
  relation_id: text,
  strength: score.default(0.5),
  confidence: score.default(0.8),
  context: optionalText,
  evidence_count: count,
  success_rate: score.nullable().default(null),
  created_at: text,
  last_validated: optionalText,
  validation_count: count,
  counter_evidence_count: count,
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

/** What a memory is about: a File, Symbol, Task or Error. */
export const MemoryAbout = defineEdge(
  'memory_about',
  {},
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
