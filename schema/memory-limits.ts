import { of } from './limit.js';

const MIB = 1024 * 1024;

/** What memories may hold, and what the tools of memories take and give. */
export const MEMORY_LIMITS = {
  // Texts of memories: the tools refuse longer ones
  memoryTitle: of.characters({ max: 500 }, 'Title of a memory', 'X-28'),
  memoryContent: of.characters({ max: 50_000 }, 'Content of a memory', 'X-28'),
  memorySummary: of.characters({ max: 1000 }, 'Summary of a memory', 'X-28'),
  memoryTag: of.characters({ max: 100 }, 'One tag', 'X-28'),
  memoryTags: of.items({ max: 50 }, 'Tags of a memory', 'X-28'),
  memoryQuery: of.characters({ max: 1000 }, 'Query of a memory tool', 'X-28'),
  memoryContext: of.characters({ max: 10_000 }, 'Context of a memory or relation', 'X-28'),

  // Memory tools
  memorySearchRows: of.rows({ default: 50, min: 1, max: 1000 }, 'memory_search.limit', 'M'),
  memoryRecallRows: of.rows({ default: 20, min: 1, max: 1000 }, 'memory_recall.limit', 'M'),
  memoryRelatedDepth: of.hops({ default: 2, min: 1, max: 5 }, 'memory_related.max_depth', 'M'),
  memoryRelatedRows: of.rows({ max: 20 }, 'Memories that memory_related answers with', 'S4-30'),
  memoryActivityDays: of.days({ default: 7, min: 1, max: 365 }, 'memory_activity.days', 'M'),
  memoryPathDepth: of.hops({ default: 3, min: 1, max: 5 }, 'memory_path.max_depth', 'M'),
  memoryContextualDepth: of.hops({ default: 2, min: 1, max: 5 }, 'memory_contextual_search.max_depth', 'M'),
  memoryContextualRows: of.rows({ default: 20, min: 1, max: 1000 }, 'memory_contextual_search.limit', 'M'),
  memoryImportance: of.share({ default: 0.5, min: 0, max: 1 }, 'Importance of a memory', 'S4-07'),
  memoryConfidence: of.share({ default: 0.8, min: 0, max: 1 }, 'Confidence of a memory or relation', 'S4-08'),
  duplicateLikeness: of.share(
    { min: 0.9 },
    'A new memory that is as like as this to one of its type is not stored anew',
  ),
  memoryEvidence: of.characters({ max: 1000 }, 'memory_outcome.evidence'),
  memoryEvidenceKept: of.items({ max: 20 }, 'What the latest outcomes of a memory rested on'),
  memoryLine: of.characters({ max: 2_000_000 }, 'A line of an import of memories'),
  memoryImport: of.bytes({ max: 256 * MIB }, 'A file that memory import reads'),
  memoryProblems: of.rows({ max: 20 }, 'Lines that an import names as wrong'),
  relationStrength: of.share({ default: 0.5, min: 0, max: 1 }, 'memory_link.strength', 'M'),
};
