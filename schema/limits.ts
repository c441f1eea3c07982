import { AGENT_LIMITS } from './agent-limits.js';
import { CYPHER_LIMITS } from './cypher-limits.js';
import { EMBEDDING_LIMITS } from './embedding-limits.js';
import { of } from './limit.js';
import { MEMORY_LIMITS } from './memory-limits.js';
import { SEARCH_LIMITS } from './search-limits.js';

/** How long is looked and waited for files that changed, before an answer. */
const FRESHNESS_LIMITS = {
  freshLook: of(
    { default: 50 },
    'ms',
    'P-01',
    'Looking for changed files before an answer; then it is `unchecked`',
  ),
  freshFirstLook: of(
    { default: 2000 },
    'ms',
    'own',
    'The same before the first answer of a graph that was just opened',
  ),
  freshWait: of(
    { default: 2000 },
    'ms',
    'P-01',
    'Wait for changed files to be indexed; then the answer names them',
  ),
  fenceWait: of(
    { max: 100 },
    'ms',
    'own',
    'What a watcher gets to tell what it has; then the files are looked at',
  ),
  firstIndexWait: of(
    { default: 10_000 },
    'ms',
    'own',
    'A question waits so long for the index that it began',
  ),
  pendingFiles: of({ max: 20 }, 'rows', 'own', 'Files that an answer names as pending'),
} as const;

const MIB = 1024 * 1024;

/** Every limit and default, once. Tools keep the numbers of their own source. */
export const LIMITS = {
  // Structural queries
  callersDepth: of({ default: 1, min: 1, max: 5 }, 'hops', 'S0-02', 'query_callers.max_depth'),
  hierarchyDepth: of({ default: 10, min: 1, max: 10 }, 'hops', 'S0-06', 'query_hierarchy.max_depth'),
  callGraphDepth: of({ default: 3, min: 1, max: 5 }, 'hops', 'S0-15', 'query_call_graph.max_depth'),
  impactDepth: of({ default: 2, min: 1, max: 5 }, 'hops', 'table T', 'query_impact.max_depth'),
  impactNodes: of(
    { max: 20_000 },
    'nodes',
    'own',
    'A search for what is affected, or for tests, ends here and says so',
  ),
  callGraphNodes: of({ default: 50, min: 1, max: 100 }, 'nodes', 'S0-16', 'query_call_graph.max_nodes'),
  ...CYPHER_LIMITS,
  queryRows: of({ max: 100 }, 'rows', 'S0-59', 'Pre-built queries are cut here; `truncated` says so'),
  nodeEdges: of({ max: 5 }, 'rows', 'own', 'Edges of one type and direction that graph_node shows'),
  neighbours: of({ max: 10 }, 'nodes', 'S1-21', 'Graph neighbours that a search hit shows'),

  // Context, search and packs
  contextRadius: of({ default: 1, min: 0, max: 5 }, 'hops', 'S3-14', 'graph_context_for_files.radius'),
  contextRanges: of({ max: 200 }, 'items', 'own', 'graph_context_for_files.ranges and .symbols'),
  contextRelated: of({ max: 20 }, 'rows', 'own', 'Nearest files that a context names as related'),
  contextRelatedSymbols: of({ max: 30 }, 'rows', 'own', 'Nearest symbols that a context names as related'),
  contextTests: of({ max: 12 }, 'rows', 'own', 'Test files that a context names'),
  contextMemories: of({ max: 10 }, 'rows', 'own', 'Memories about files that a context names, the best'),
  contextCommits: of({ max: 10 }, 'rows', 'own', 'Commits that a context names as concepts, the latest'),
  contextSteps: of({ max: 10 }, 'rows', 'own', 'Earlier steps that a context names, the latest'),
  explainDepth: of(
    { default: 6, min: 1, max: 12 },
    'hops',
    'own',
    'explain.max_depth: longest path looked for',
  ),
  explainEnds: of({ max: 20 }, 'nodes', 'own', 'What one ambiguous name may lead to in explain'),
  explainEdges: of({ max: 50 }, 'rows', 'own', 'Edges of one kind of answer that explain lists'),
  ...SEARCH_LIMITS,
  attemptRows: of({ default: 5, min: 1, max: 50 }, 'rows', 'S3-11', 'etg_query_similar_attempts.limit'),

  // Answers
  lookupTokens: of({ default: 2000, max: 20_000 }, 'tokens', 'P-02', 'max_tokens of look-ups'),
  packTokens: of({ default: 6000, max: 20_000 }, 'tokens', 'P-02', 'max_tokens of packs'),
  answerRows: of(
    { max: 50 },
    'rows',
    'P-02',
    'Rows asked for with `limit` that keep id, score, path and lines',
  ),
  descriptionLead: of(
    { max: 160 },
    'characters',
    'C-08',
    'The part of a tool description that every client shows',
  ),

  // Names and paths that are asked for: longer ones are refused
  nameText: of({ max: 5000 }, 'characters', 'own', 'A name, qualified name, id or scope that is asked for'),
  pathText: of({ max: 4096 }, 'characters', 'own', 'A path that is asked for: what systems take at most'),

  // Texts: longer ones are cut and marked, tools of M refuse them
  searchQuery: of(
    { max: 10_000 },
    'characters',
    'X-28',
    'Query of search_code and of attempts: cut and marked, never rejected',
  ),

  // Traces: longer texts are cut in the middle and marked with truncated_bytes
  tracePrompt: of({ max: 20_000 }, 'characters', 'X-28', 'Prompt or summary of a task, summary of a step'),
  traceMessage: of({ max: 10_000 }, 'characters', 'X-28', 'Message of an error'),
  traceOutput: of({ max: 32_000 }, 'characters', 'X-28', 'stdout, stderr or a log excerpt, each'),
  traceParams: of({ max: 32_000 }, 'characters', 'X-28', 'Parameters of a tool, as JSON: its texts are cut'),
  traceName: of({ max: 500 }, 'characters', 'X-28', 'Name of a tool, a tag, a role, a status, a path'),
  traceTags: of({ max: 50 }, 'items', 'X-28', 'Tags of a task'),
  eventSymbols: of({ max: 200 }, 'items', 'own', 'Symbols that one edit is said to touch: the first by id'),
  traceTests: of({ max: 50 }, 'items', 'own', 'Names of failing tests of an error: the first ones told'),
  eventFiles: of({ max: 1000 }, 'items', 'own', 'Files that one event may name'),
  taskFiles: of(
    { max: 2000 },
    'items',
    'own',
    'Paths in `files_touched` of a task or step: the first by name',
  ),
  taskConcepts: of({ max: 20 }, 'items', 'own', 'Concepts that a prompt relates a task to: the first by id'),
  similarKeys: of(
    { max: 8 },
    'items',
    'own',
    'Failures of one step that make it like others: the first by name',
  ),
  similarSteps: of(
    { max: 256 },
    'items',
    'own',
    'Steps that share one failure or set of files and are joined',
  ),
  openTools: of(
    { max: 64 },
    'items',
    'own',
    'Uses of one tool, and steps that no step event began, that are open at once',
  ),
  openFailures: of(
    { max: 32 },
    'items',
    'own',
    'Commands and edits of a task that failed and did not pass since, and errors of each: the last ones',
  ),
  taskRows: of({ default: 20, min: 1, max: 200 }, 'rows', 'own', 'tasks.limit'),
  impactRows: of({ default: 20, min: 1, max: 50 }, 'rows', 'P-02', 'trace_impact.limit: rows of each list'),
  errorRows: of({ default: 20, min: 1, max: 200 }, 'rows', 'own', 'errors.limit'),

  ...MEMORY_LIMITS,

  // Discovery and extraction
  fileBytes: of(
    { default: 2 * MIB, min: 1, max: 16 * MIB },
    'bytes',
    'own',
    'A larger file is skipped, and named: `max_file_bytes`',
  ),
  binaryProbe: of({ max: 8192 }, 'bytes', 'own', 'A NUL byte among the first of these makes a file binary'),
  averageLineBytes: of(
    { max: 5000 },
    'bytes',
    'own',
    'A file with longer lines on average is minified: not extracted',
  ),
  minifiedBytes: of({ min: 32 * 1024 }, 'bytes', 'own', 'Smaller files are not tried for being minified'),
  signature: of({ max: 300 }, 'characters', 'own', 'A longer signature is cut'),
  expression: of({ max: 120 }, 'characters', 'own', 'A longer expression or receiver is cut in the evidence'),
  commentTag: of({ max: 200 }, 'characters', 'own', 'A longer TODO text is cut'),
  syntaxErrors: of({ max: 20 }, 'items', 'own', 'Lines of syntax errors that a file keeps'),
  extractionThreads: of(
    { max: 4 },
    'items',
    'own',
    'Worker threads that extract: one fewer than there are cores, and no more than these',
  ),
  fileTime: of(
    { max: 30_000 },
    'ms',
    'own',
    'A file that takes longer to extract is named and kept without symbols until it changes; on a busy machine, processor time counts',
  ),
  callerTime: of(
    { max: 1_000 },
    'ms',
    'own',
    'A file that takes longer to parse in the thread of the caller is parsed in a worker thread',
  ),
  fileSteps: of(
    { max: 300_000 },
    'items',
    'own',
    'Expressions of one file that are evaluated to resolve its calls: the rest stays unresolved',
  ),
  referenceSteps: of({ max: 50 }, 'items', 'own', 'Further expressions for each name that the file uses'),
  fileDeaths: of(
    { max: 2 },
    'items',
    'own',
    'A file that ended as many worker threads is named and passed over',
  ),
  parserMemory: of(
    { max: 256 * MIB },
    'bytes',
    'own',
    'A worker thread whose parser has grown beyond is replaced',
  ),
  testedSymbols: of({ max: 64 }, 'items', 'own', 'Symbols that one test is linked to, the nearest first'),
  lookups: of(
    { max: 512 },
    'items',
    'own',
    'Things elsewhere that the resolution of a file is known to rest on: with more, any change has it resolved again',
  ),
  ancestors: of({ max: 128 }, 'items', 'own', 'Base classes of a class that are searched, nearest first'),
  smallJobFiles: of({ max: 128 }, 'items', 'own', 'As few files are extracted without worker threads'),
  smallJobBytes: of({ max: 128 * 1024 }, 'bytes', 'own', 'As few bytes are extracted without worker threads'),

  // History
  historyCommits: of({ max: 500 }, 'items', 'own', 'The last commits of a root that become concepts'),
  historyChanges: of(
    { max: 5000 },
    'items',
    'own',
    'The last commits of a root of which is kept what changed together',
  ),
  historyLines: of(
    { max: 1000 },
    'items',
    'own',
    'The last commits of a root of which is kept which lines changed',
  ),
  historyFiles: of({ max: 30 }, 'items', 'own', 'A commit that touched more files says nothing of any'),
  historyTime: of({ max: 5000 }, 'ms', 'own', 'What git gets to tell the history; else it stays as it was'),
  historyBytes: of({ max: 16 * MIB }, 'bytes', 'own', 'A longer log is not read'),
  commitLabel: of({ max: 200 }, 'characters', 'own', 'A longer subject of a commit is cut'),
  commitText: of({ max: 500 }, 'characters', 'own', 'A longer first paragraph of a commit is cut'),

  keptFacts: of(
    { max: 4 * MIB },
    'bytes',
    'own',
    'Facts, as they are stored, whose tables stay in memory between two index runs of an open graph',
  ),

  indexedText: of(
    { max: 256 * 1024 },
    'characters',
    'own',
    'A longer file of a language that is not extracted is found by its path alone',
  ),

  // Runs of walkers, when the caller names no other bounds
  runTime: of({ default: 600_000 }, 'ms', 'own', 'Deadline of a run'),
  runVisits: of({ default: 5_000_000 }, 'items', 'own', 'Locations that a run may visit'),
  runBytes: of({ default: 256 * MIB }, 'bytes', 'own', 'Bytes that a run may read and report'),

  runGrace: of(
    { max: 2000 },
    'ms',
    'own',
    'What a run gets to end by itself after its deadline or being cancelled; then it is given up',
  ),
  runAttempts: of(
    { max: 10 },
    'items',
    'own',
    'Attempts of a writing run that loses conflicts, before CONFLICT',
  ),
  replayTurn: of(
    { max: 10_000 },
    'ms',
    'own',
    'Wait for the turn to replay; then it replays beside the others, since one of them may wait for it',
  ),
  walkerLoading: of({ max: 30_000 }, 'ms', 'own', "Time that a file of people's own walkers gets to load"),
  walkerSilence: of(
    { default: 120_000 },
    'ms',
    'own',
    "Time that people's own walkers may run without yielding, where no --deadline is given",
  ),

  // The host
  graphQueue: of({ max: 512 }, 'items', 'own', 'Requests that wait for one history; more are answered BUSY'),
  clientQueue: of(
    { max: 64 },
    'items',
    'own',
    'Requests of one client without an answer; more are answered BUSY',
  ),
  heldWait: of(
    { default: 10_000 },
    'ms',
    'own',
    'What a request waits for another one that holds up its history; then it is answered BUSY',
  ),
  inputNesting: of({ max: 1000 }, 'levels', 'own', 'How deep the values of a request may be nested'),
  retryAfter: of({ default: 250 }, 'ms', 'own', '`retry_after` of an answer that is BUSY'),
  hostMemory: of(
    { default: 1024 * MIB, min: 64 * MIB },
    'bytes',
    'own',
    'Memory of the daemon above which graphs are closed, least recently used first',
  ),
  threadHeap: of(
    { max: 112 * MIB },
    'bytes',
    'own',
    'A resting thread whose heap an index has grown beyond makes way for a fresh one',
  ),
  sideIdle: of({ max: 30_000 }, 'ms', 'own', 'A side thread that is idle for as long ends'),
  sideMemory: of(
    { max: 512 * MIB },
    'bytes',
    'own',
    'Memory of all heavy queries of one history above which they run one by one, oldest first',
  ),
  openGraphs: of({ max: 16 }, 'items', 'own', 'Histories that the daemon keeps open'),
  daemonIdle: of(
    { default: 600_000, min: 1_000 },
    'ms',
    'own',
    'A daemon that nobody asked for anything as long leaves',
  ),
  daemonStart: of({ max: 15_000 }, 'ms', 'own', 'What a daemon gets to start, before DAEMON_FAILED'),
  daemonStop: of(
    { max: 2500 },
    'ms',
    'own',
    'What a daemon gets to leave when it is told to; then it is ended',
  ),

  ...FRESHNESS_LIMITS,
  ...EMBEDDING_LIMITS,
  ...AGENT_LIMITS,

  // Stores
  storeWait: of(
    { default: 5_000 },
    'ms',
    'own',
    'Wait for a graph that another process holds, where something is to be recorded: no event is lost by it',
  ),
  storeWaitReading: of({ default: 1_500 }, 'ms', 'own', 'The same where a graph is only read'),

  // Graphs in memory
  hotGraph: of(
    { max: 96 * MIB },
    'bytes',
    'own',
    'Adjacency of one layer that is kept in memory; what does not fit in is read from the store each time',
  ),
  hotNodes: of({ max: 48 * MIB }, 'bytes', 'own', 'Nodes of one layer that are kept decoded, about'),
  hotEdges: of({ max: 16 * MIB }, 'bytes', 'own', 'Edges of one layer that are kept decoded, about'),
  hotIdle: of({ max: 60_000 }, 'ms', 'own', 'A layer that nobody read for as long lets go of its memory'),

  // Configuration
  configItems: of({ max: 1000 }, 'items', 'own', 'Values of one setting that is a list'),

  // Retention
  extractCache: of(
    { default: 1024 * MIB },
    'bytes',
    'P-08',
    'Extraction cache; least recently used goes first',
  ),
  leftoverAge: of({ max: 3_600_000 }, 'ms', 'own', 'What a crash left is collected when it is older'),
  eventArchive: of({ default: 1024 * MIB }, 'bytes', 'P-08', 'Event archive; least recently used goes first'),
} as const;

/** The name of a limit. */
export type LimitName = keyof typeof LIMITS;
