import { of } from './limit.js';

const MIB = 1024 * 1024;

/** What memories may hold, and what the tools of memories take and give. */
export const MEMORY_LIMITS = {
  // Texts of memories: the tools refuse longer ones
  memoryTitle: of({ max: 500 }, 'characters', 'X-28', 'Title of a memory'),
  memoryContent: of({ max: 50_000 }, 'characters', 'X-28', 'Content of a memory'),
  memorySummary: of({ max: 1000 }, 'characters', 'X-28', 'Summary of a memory'),
  memoryTag: of({ max: 100 }, 'characters', 'X-28', 'One tag'),
  memoryTags: of({ max: 50 }, 'items', 'X-28', 'Tags of a memory'),
  memoryQuery: of({ max: 1000 }, 'characters', 'X-28', 'Query of a memory tool'),
  memoryContext: of({ max: 10_000 }, 'characters', 'X-28', 'Context of a memory or relation'),

  // Memory tools
  memorySearchRows: of({ default: 50, min: 1, max: 1000 }, 'rows', 'M', 'memory_search.limit'),
  memoryRecallRows: of({ default: 20, min: 1, max: 1000 }, 'rows', 'M', 'memory_recall.limit'),
  memoryRelatedDepth: of({ default: 2, min: 1, max: 5 }, 'hops', 'M', 'memory_related.max_depth'),
  memoryRelatedRows: of({ max: 20 }, 'rows', 'S4-30', 'Memories that memory_related answers with'),
  memoryActivityDays: of({ default: 7, min: 1, max: 365 }, 'days', 'M', 'memory_activity.days'),
  memoryPathDepth: of({ default: 3, min: 1, max: 5 }, 'hops', 'M', 'memory_path.max_depth'),
  memoryContextualDepth: of(
    { default: 2, min: 1, max: 5 },
    'hops',
    'M',
    'memory_contextual_search.max_depth',
  ),
  memoryContextualRows: of({ default: 20, min: 1, max: 1000 }, 'rows', 'M', 'memory_contextual_search.limit'),
  memoryImportance: of({ default: 0.5, min: 0, max: 1 }, 'share', 'S4-07', 'Importance of a memory'),
  memoryConfidence: of(
    { default: 0.8, min: 0, max: 1 },
    'share',
    'S4-08',
    'Confidence of a memory or relation',
  ),
  duplicateLikeness: of(
    { min: 0.9 },
    'share',
    'own',
    'A new memory that is as like as this to one of its type is not stored anew',
  ),
  memoryEvidence: of({ max: 1000 }, 'characters', 'own', 'memory_outcome.evidence'),
  memoryEvidenceKept: of({ max: 20 }, 'items', 'own', 'What the latest outcomes of a memory rested on'),
  memoryLine: of({ max: 2_000_000 }, 'characters', 'own', 'A line of an import of memories'),
  memoryImport: of({ max: 256 * MIB }, 'bytes', 'own', 'A file that memory import reads'),
  memoryProblems: of({ max: 20 }, 'rows', 'own', 'Lines that an import names as wrong'),
  relationStrength: of({ default: 0.5, min: 0, max: 1 }, 'share', 'M', 'memory_link.strength'),
};
