import { z } from 'zod';
import { defineNode } from './archetype.js';
import { LIMITS } from './limits.js';

/** What a memory is: S4-14's types, `conversation` and `decision`. */
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
  'decision',
] as const;
/** One of {@link MEMORY_TYPES}. */
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** Other words for a type. */
export const MEMORY_TYPE_ALIASES = { pattern: 'code_pattern' } as const satisfies Readonly<
  Record<string, MemoryType>
>;

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

/** The fields of a context, without {@link CONTEXT_PREFIX}. */
export const MEMORY_CONTEXT_FIELDS: readonly string[] = Object.keys(context).map((field) =>
  field.slice(CONTEXT_PREFIX.length),
);

/** What an update may change: the values before it are stored as a {@link MemoryVersion}. */
const content = {
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

/** The content of a memory: all of it but what is counted. */
export const MemoryContent = z.object(content);

/** Something worth knowing next time (S4.A). */
export const Memory = defineNode(
  'Memory',
  {
    ...content,
    /** How often it was read. */
    usage_count: count,
    /** Times are ISO 8601. */
    created_at: text,
    updated_at: text,
    last_accessed: optionalText,
    /** From 1; earlier contents are {@link MemoryVersion}s. */
    version: z.number().int().min(1).default(1),
    /** Reported outcomes: all, successes, failures; `effectiveness` follows from them. */
    evidence_count: count,
    validation_count: count,
    counter_evidence_count: count,
    last_validated: optionalText,
    /** Evidence of the latest outcomes, the last one last. */
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
 * The content of a memory before an update, or before it was deleted: bookkeeping, not a Memory and in no graph export. No
 * edge leads to it: its id, {@link memoryVersionId}, follows from the memory's.
 */
export const MemoryVersion = defineNode(
  'MemoryVersion',
  {
    ...content,
    memory_id: text,
    version: z.number().int().min(1),
    /** When it became the memory's content: its `created_at` or `updated_at` at that time. */
    said_at: text,
    /** When other content replaced it, or the memory was deleted. */
    replaced_at: text,
  },
  {
    layer: 'durable',
    indexes: ['replaced_at'],
    doc: 'The content of a memory before an update or deletion.',
  },
);

/** The id of an earlier version of a memory. @param version From 1. */
export const memoryVersionId = (memory: string, version: number): string => `${memory}@${version}`;
