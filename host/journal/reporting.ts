import { toolEntry } from '../../schema/index.js';

/** Our walkers whose answers may show events; the others are about code alone, or only record. */
export const REPORTING: ReadonlySet<string> = new Set([
  'etg_query_similar_attempts',
  'tasks',
  'show',
  'errors',
  'trace_impact',
  'explain',
  'graph_context_for_files',
  'graph_export',
  'graph_stats',
  'graph_node',
  'query_cypher',
  'query_codebase',
]);

/** Whether what waits in the journal is taken in before a walker answers: also before a walker of the user's own. */
export function reportsEvents(walker: string): boolean {
  const entry = toolEntry(walker);
  return entry === undefined || REPORTING.has(entry.walker);
}
