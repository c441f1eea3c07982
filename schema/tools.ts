/** The sets of tools that `codewalk mcp --profile` lists; `query` and `memory` include `core` (table T). */
export const PROFILES = {
  core: ['core'],
  query: ['core', 'query'],
  memory: ['core', 'memory'],
  all: ['core', 'query', 'memory', 'extended'],
} as const;

/** The profile of a server that names none. */
export const DEFAULT_PROFILE = 'core' satisfies Profile;

/** The name of a profile. */
export type Profile = keyof typeof PROFILES;
/** The set that a tool belongs to; `extended`: listed with `all` alone. */
export type ToolSet = (typeof PROFILES)[Profile][number];

/** The profiles that a text names, with commas between them; null where one of the names is not known. */
export function profilesIn(text: string): Profile[] | null {
  const names = text.split(',').map((part) => part.trim());
  const isProfile = (name: string): name is Profile => Object.hasOwn(PROFILES, name);
  return names.every(isProfile) ? [...new Set(names)] : null;
}

/** One walker of table T: how it is reached. */
export interface ToolEntry {
  /** The walker's name and its tool's. */
  readonly walker: string;
  /** Null: no tool. */
  readonly set: ToolSet | null;
  /** The words after `codewalk`; null: no command. */
  readonly command: string | null;
  /** Tool names of upstream that mean the same. */
  readonly aliases: readonly string[];
}

/** Every walker that is a tool or a command (table T, table M). */
export const TOOLS: readonly ToolEntry[] = [
  tool('graph_index_project', 'core', 'index'),
  tool('graph_update_files', 'core', 'update'),
  tool('graph_context_for_files', 'core', 'context'),
  tool('etg_log_event', 'core', 'log'),
  tool('etg_query_similar_attempts', 'core', 'attempts'),
  tool('query_callers', 'core', 'callers'),
  tool('query_references', 'core', 'references'),
  tool('search_code', 'core', 'search', 'hybrid_search'),

  tool('query_call_graph', 'query', 'call-graph'),
  tool('query_dependencies', 'query', 'dependencies'),
  tool('query_hierarchy', 'query', 'hierarchy'),
  tool('query_exports', 'query', 'exports'),
  tool('query_implementations', 'query', 'implementations'),
  tool('query_cycles', 'query', 'cycles'),
  tool('query_cypher', 'query', 'cypher'),
  tool('query_codebase', 'query', 'query'),
  tool('pack_snippets', 'query', 'pack'),
  tool('graph_node', 'query', 'node'),
  tool('graph_stats', 'query', 'stats'),
  tool('query_impact', 'query', 'impact'),
  tool('query_tests', 'query', 'tests'),
  tool('trace_impact', 'query', 'trace-impact'),
  tool('graph_add_concept', 'query', null),

  tool('memory_store', 'core', 'memory store', 'store_memory'),
  tool('memory_get', 'memory', 'memory get', 'get_memory'),
  tool('memory_search', 'memory', 'memory search', 'search_memories'),
  tool('memory_recall', 'core', 'memory recall', 'recall_memories'),
  tool('memory_update', 'memory', 'memory update', 'update_memory'),
  tool('memory_delete', 'memory', 'memory delete', 'delete_memory'),
  tool('memory_link', 'memory', 'memory link', 'create_relationship'),
  tool('memory_related', 'memory', 'memory related', 'get_related_memories'),
  tool('memory_activity', 'memory', 'memory activity', 'get_recent_activity'),
  tool('memory_stats', 'extended', 'memory stats'),
  tool('memory_path', 'extended', 'memory path'),
  tool('memory_contextual_search', 'extended', 'memory contextual-search'),
  tool('memory_outcome', 'extended', 'memory outcome', 'reinforce'),
  tool('memory_history', 'extended', 'memory history'),
  tool('memory_as_of', 'extended', 'memory as-of'),

  tool('memory_export', null, 'memory export'),
  tool('memory_import', null, 'memory import'),

  tool('graph_export', null, 'export'),
  tool('graph_import_scip', null, 'import-scip'),
  tool('tasks', null, 'tasks'),
  tool('show', null, 'show'),
  tool('errors', null, 'errors'),
  tool('explain', null, 'explain'),

  // What the host asks for by itself, and `codewalk index --vectors`.
  tool('graph_embed', null, null),

  // What the pages of `codewalk explore` ask.
  tool('explore_code', null, null),
  tool('explore_history', null, null),
  tool('explore_map', null, null),
  tool('explore_health', null, null),

  // What the library's functions spawn.
  tool('library_graph', null, null),
  tool('library_expand', null, null),
  tool('library_stats', null, null),
  tool('library_write', null, null),
  tool('project_first_look', null, null),
  tool('project_texts', null, null),
  tool('project_refresh', null, null),
  tool('trace_ingest', null, null),
  tool('trace_replay', null, null),
  tool('trace_forget', null, null),
  tool('history_texts', null, null),
  tool('memory_read', null, null),
];

/** The entry of a walker or of one of its aliases; undefined for a walker that is not ours. */
export function toolEntry(name: string): ToolEntry | undefined {
  return TOOLS.find((entry) => entry.walker === name || entry.aliases.includes(name));
}

/** Whether a profile lists a tool. A walker that is not of table T is a user's own: it is always listed. */
export function isListed(walker: string, profile: Profile): boolean {
  const entry = toolEntry(walker);
  if (entry === undefined) return true;
  const sets: readonly ToolSet[] = PROFILES[profile];
  return entry.set !== null && sets.includes(entry.set);
}

function tool(walker: string, set: ToolSet | null, command: string | null, ...aliases: string[]): ToolEntry {
  return { walker, set, command, aliases };
}
