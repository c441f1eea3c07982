import type { WalkerType } from '../runtime/index.js';
import { Explain } from './code/explain.js';
import { GraphAddConcept } from './code/graph-add-concept.js';
import { GraphContextForFiles } from './code/graph-context-for-files.js';
import { GraphExport } from './code/graph-export.js';
import { GraphImportScip } from './code/graph-import-scip.js';
import { GraphIndexProject } from './code/graph-index-project.js';
import { GraphStats } from './code/graph-stats.js';
import { GraphUpdateFiles } from './code/graph-update-files.js';
import { ProjectFirstLook, ProjectRefresh, ProjectTexts } from './code/project-jobs.js';
import { ExploreCode } from './explore/explore-code.js';
import { ExploreHealth } from './explore/explore-health.js';
import { ExploreHistory } from './explore/explore-history.js';
import { ExploreMap } from './explore/explore-map.js';
import { HistoryTexts } from './history/history-texts.js';
import { LibraryExpand, LibraryGraph, LibraryStats } from './library/library-read.js';
import { LibraryWrite } from './library/library-write.js';
import { MemoryActivity } from './memory/memory-activity.js';
import { MemoryAsOf } from './memory/memory-as-of.js';
import { MemoryContextualSearch } from './memory/memory-contextual-search.js';
import { MemoryDelete } from './memory/memory-delete.js';
import { MemoryExport } from './memory/memory-export.js';
import { MemoryGet } from './memory/memory-get.js';
import { MemoryHistory } from './memory/memory-history.js';
import { MemoryImport } from './memory/memory-import.js';
import { MemoryLink } from './memory/memory-link.js';
import { MemoryOutcome } from './memory/memory-outcome.js';
import { MemoryPath } from './memory/memory-path.js';
import { MemoryRead } from './memory/memory-read.js';
import { MemoryRecall } from './memory/memory-recall.js';
import { MemoryRelated } from './memory/memory-related.js';
import { MemorySearch } from './memory/memory-search.js';
import { MemoryStats } from './memory/memory-stats.js';
import { MemoryStore } from './memory/memory-store.js';
import { MemoryUpdate } from './memory/memory-update.js';
import { GraphNode } from './query/graph-node.js';
import { QueryCallGraph } from './query/query-call-graph.js';
import { QueryCallers } from './query/query-callers.js';
import { QueryCycles } from './query/query-cycles.js';
import { QueryCypher } from './query/query-cypher.js';
import { QueryDependencies } from './query/query-dependencies.js';
import { QueryExports } from './query/query-exports.js';
import { QueryHierarchy } from './query/query-hierarchy.js';
import { QueryImpact } from './query/query-impact.js';
import { QueryImplementations } from './query/query-implementations.js';
import { QueryReferences } from './query/query-references.js';
import { QueryTests } from './query/query-tests.js';
import { GraphEmbed } from './search/graph-embed.js';
import { PackSnippets } from './search/pack-snippets.js';
import { QueryCodebase } from './search/query-codebase.js';
import { SearchCode } from './search/search-code.js';
import { Errors } from './trace/errors.js';
import { EtgLogEvent } from './trace/etg-log-event.js';
import { EtgQuerySimilarAttempts } from './trace/etg-query-similar-attempts.js';
import { Show } from './trace/show.js';
import { Tasks } from './trace/tasks.js';
import { TraceForget } from './trace/trace-forget.js';
import { TraceImpact } from './trace/trace-impact.js';
import { TraceIngest, TraceReplay } from './trace/trace-ingest.js';

export { CodeEdge, CodeNode, PackNode } from '../graphs/code/index.js';
export { withinEventTime } from '../graphs/trace/index.js';
export type { CallRow, LinkRow, UnresolvedRow } from './explore/code-calls.js';
export type { ExploreCodeOutput } from './explore/explore-code.js';
export type { ExploreHealthOutput } from './explore/explore-health.js';
export type { ExploreHistoryOutput } from './explore/explore-history.js';
export type { ExploreMapOutput } from './explore/explore-map.js';
export type { SourceRow } from './explore/source-lines.js';
export { HistoryTexts } from './history/history-texts.js';
export { LibraryExpand, LibraryGraph, LibraryStats } from './library/library-read.js';
export { LibraryWrite } from './library/library-write.js';
export { GraphEmbed } from './search/graph-embed.js';
export { type PackedNode, type PackOutput, PackSnippets, packMarkdown } from './search/pack-snippets.js';
export { type CodebaseOutput, codebaseMarkdown, QueryCodebase } from './search/query-codebase.js';
export { saysPath } from './trace/trace-forget.js';
export { type IngestOutcome, StoredEvent } from './trace/trace-ingest.js';

/** The built-in walkers. Adding one is adding its file and a line here. */
export const WALKERS: readonly WalkerType[] = [
  GraphIndexProject,
  GraphUpdateFiles,
  GraphContextForFiles,
  GraphAddConcept,
  GraphStats,
  GraphExport,
  GraphImportScip,
  GraphEmbed,
  ExploreCode,
  ExploreHistory,
  ExploreMap,
  ExploreHealth,
  LibraryGraph,
  LibraryExpand,
  LibraryStats,
  LibraryWrite,
  EtgLogEvent,
  EtgQuerySimilarAttempts,
  QueryCallers,
  QueryReferences,
  QueryCallGraph,
  QueryDependencies,
  QueryCypher,
  SearchCode,
  QueryCodebase,
  PackSnippets,
  GraphNode,
  QueryHierarchy,
  QueryExports,
  QueryImplementations,
  QueryCycles,
  QueryImpact,
  QueryTests,
  Tasks,
  Show,
  Errors,
  TraceImpact,
  Explain,
  MemoryStore,
  MemoryGet,
  MemorySearch,
  MemoryRecall,
  MemoryActivity,
  MemoryUpdate,
  MemoryDelete,
  MemoryLink,
  MemoryRelated,
  MemoryStats,
  MemoryPath,
  MemoryContextualSearch,
  MemoryOutcome,
  MemoryHistory,
  MemoryAsOf,
  MemoryExport,
  MemoryImport,
  ProjectFirstLook,
  ProjectRefresh,
  ProjectTexts,
  TraceIngest,
  TraceReplay,
  TraceForget,
  HistoryTexts,
  MemoryRead,
];

export { type ChangesOutput, ProjectChanges, ProjectTexts } from './code/project-jobs.js';
