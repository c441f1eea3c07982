import { z } from 'zod';
import { defineNode } from './archetype.js';
import { LIMITS } from './limits.js';

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
export const MEMORY_TYPE_ALIASES: Readonly<
  Record<'pattern' | 'decision', { type: MemoryType; tag: string | null }>
> = {
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

/** What somebody says of a memory, and may say anew: an update keeps what was said before. */
const said = {
  type: z.enum(MEMORY_TYPES),
  title: text.trim().min(1),
  content: text.trim().min(1),
  summary: optionalText,
  /** Lower case (S4-32). */
  tags: z.array(text.trim().toLowerCase()).default([]),
  importance: score.default(LIMITS.memoryImportance.default),
  confidence: score.default(LIMITS.memoryConfidence.default),
  effectiveness: score.nullable().default(null),
  ...context,
};

/** What somebody says of a memory, without what is counted of it. */
export const MemorySaid = z.object(said);

/** Something worth knowing next time (S4.A). */
export const Memory = defineNode(
  'Memory',
  {
    ...said,
    /** How often it was read. */
    usage_count: count,
    /** Times are ISO 8601. */
    created_at: text,
    updated_at: text,
    last_accessed: optionalText,
    /** From 1; what was said before are {@link MemoryVersion}s. */
    version: z.number().int().min(1).default(1),
    /** Outcomes that were told of it, those that spoke for it and those against; `effectiveness` follows from them. */
    evidence_count: count,
    validation_count: count,
    counter_evidence_count: count,
    last_validated: optionalText,
    /** What the latest outcomes rested on, the last one last. */
    evidence: texts,
  },
  {
    layer: 'durable',
    indexes: [
      ...['type', 'created_at', 'importance', 'confidence', 'context_project_path', 'tags[]'],
      'importance+created_at',
    ],
    doc: 'Something worth knowing next time.',
  },
);

/**
 * What a memory said before an update: bookkeeping, no Memory of its own and in no export. No edge leads to it: its id,
 * {@link memoryVersionId}, follows from the memory's.
 */
export const MemoryVersion = defineNode(
  'MemoryVersion',
  {
    ...said,
    memory_id: text,
    version: z.number().int().min(1),
    /** When it was said: the memory's `created_at` or `updated_at` at that time. */
    said_at: text,
    /** When something else was said instead. */
    replaced_at: text,
  },
  { layer: 'durable', indexes: ['replaced_at'], doc: 'What a memory said before an update.' },
);

/** The id of what a memory said once. @param version From 1. */
export const memoryVersionId = (memory: string, version: number): string => `${memory}@${version}`;
