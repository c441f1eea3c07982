import { AGENT_LIMITS } from './agent-limits.js';
import { CYPHER_LIMITS } from './cypher-limits.js';
import { of } from './limit.js';

/** How long is looked and waited for files that changed, before an answer. */
const FRESHNESS_LIMITS = {
  freshLook: of.ms(
    { default: 50 },
    'Looking for changed files before an answer; then it is `unchecked`',
    'P-01',
  ),
  freshFirstLook: of.ms(
    { default: 2000 },
    'The same before the first answer of a graph that was just opened',
  ),
  freshWait: of.ms(
    { default: 2000 },
    'Wait for changed files to be indexed; then the answer names them',
    'P-01',
  ),
  fenceWait: of.ms({ max: 100 }, 'What a watcher gets to tell what it has; then the files are looked at'),
  firstIndexWait: of.ms({ default: 10_000 }, 'A question waits so long for the index that it began'),
  pendingFiles: of.rows({ max: 20 }, 'Files that an answer names as pending'),
} as const;

const MIB = 1024 * 1024;

/** Every limit and default, once. Tools keep the numbers of their own source. */
export const LIMITS = {
  // Structural queries
  callersDepth: of.hops({ default: 1, min: 1, max: 5 }, 'query_callers.max_depth', 'S0-02'),
  hierarchyDepth: of.hops({ default: 10, min: 1, max: 10 }, 'query_hierarchy.max_depth', 'S0-06'),
  callGraphDepth: of.hops({ default: 3, min: 1, max: 5 }, 'query_call_graph.max_depth', 'S0-15'),
  impactDepth: of.hops({ default: 2, min: 1, max: 5 }, 'query_impact.max_depth', 'table T'),
  impactNodes: of.nodes(
    { max: 20_000 },
    'A search for what is affected, or for tests, ends here and says so',
  ),
  callGraphNodes: of.nodes({ default: 50, min: 1, max: 100 }, 'query_call_graph.max_nodes', 'S0-16'),
  ...CYPHER_LIMITS,
  queryRows: of.rows({ max: 100 }, 'Pre-built queries are cut here; `truncated` says so', 'S0-59'),
  nodeEdges: of.rows({ max: 5 }, 'Edges of one type and direction that graph_node shows'),
  neighbours: of.nodes({ max: 10 }, 'Graph neighbours that a search hit shows', 'S1-21'),

  // Context, search and packs
  contextRadius: of.hops({ default: 1, min: 0, max: 5 }, 'graph_context_for_files.radius', 'S3-14'),
  contextRanges: of.items({ max: 200 }, 'graph_context_for_files.ranges and .symbols'),
  contextRelated: of.rows({ max: 20 }, 'Nearest files that a context names as related'),
  contextRelatedSymbols: of.rows({ max: 30 }, 'Nearest symbols that a context names as related'),
  contextTests: of.rows({ max: 12 }, 'Test files that a context names'),
  contextMemories: of.rows({ max: 10 }, 'Memories about files that a context names, the best'),
  contextCommits: of.rows({ max: 10 }, 'Commits that a context names as concepts, the latest'),
  contextSteps: of.rows({ max: 10 }, 'Earlier steps that a context names, the latest'),
  explainDepth: of.hops({ default: 6, min: 1, max: 12 }, 'explain.max_depth: longest path looked for'),
  explainEnds: of.nodes({ max: 20 }, 'What one ambiguous name may lead to in explain'),
  explainEdges: of.rows({ max: 50 }, 'Edges of one kind of answer that explain lists'),
  searchRows: of.rows({ default: 20, min: 1, max: 50 }, 'search_code.limit', 'T'),
  searchFilterNodes: of.nodes(
    { max: 20_000 },
    'Nodes that a structure_filter of search_code may give; of more the first are searched',
  ),
  searchFiles: of.rows({ max: 10 }, 'Files that search_code names beside its hits'),
  codebaseSeeds: of.rows({ default: 8, min: 1, max: 100 }, 'query_codebase.k: seeds found by text', 'S2-25'),
  codebaseHops: of.hops(
    { default: 1, min: 0, max: 5 },
    'query_codebase.hop: expansion around the seeds',
    'S2-25',
  ),
  codebaseNodes: of.nodes({ default: 25, min: 1, max: 100 }, 'query_codebase.max_nodes in tools', 'S2-33'),
  codebaseReach: of.nodes(
    { max: 5000 },
    'Nodes that query_codebase and pack_snippets come by; farther ones are left out, and it is said',
  ),
  packNodes: of.nodes(
    { default: 15, min: 1, max: 50 },
    'pack_snippets.max_nodes in tools; 50 in the library',
    'S2-33',
  ),
  snippetContext: of.lines(
    { default: 5, min: 0, max: 50 },
    'pack_snippets.context: lines around a span',
    'S2-33',
  ),
  snippetLines: of.lines({ default: 60, min: 1, max: 400 }, 'pack_snippets.max_lines', 'S2-33'),
  snippetGap: of.lines({ max: 2 }, 'Spans of a file as near as this count as one in a pack', 'S2-32'),
  attemptRows: of.rows({ default: 5, min: 1, max: 50 }, 'etg_query_similar_attempts.limit', 'S3-11'),

  // Answers
  lookupTokens: of.tokens({ default: 2000, max: 20_000 }, 'max_tokens of look-ups', 'P-02'),
  packTokens: of.tokens({ default: 6000, max: 20_000 }, 'max_tokens of packs', 'P-02'),
  exploreTokens: of.tokens(
    { default: 100_000, max: 100_000 },
    'What a page of the explorer asks for at once',
  ),
  answerRows: of.rows({ max: 50 }, 'Rows asked for with `limit` that keep id, score, path and lines', 'P-02'),
  descriptionLead: of.characters(
    { max: 160 },
    'The part of a tool description that every client shows',
    'C-08',
  ),

  // Names and paths that are asked for: longer ones are refused
  nameText: of.characters({ max: 5000 }, 'A name, qualified name, id or scope that is asked for'),
  pathText: of.characters({ max: 4096 }, 'A path that is asked for: what systems take at most'),

  exploreBoxes: of.nodes({ default: 200, min: 1, max: 200 }, 'explore_map.most: boxes of one picture'),

  // Texts: longer ones are cut and marked, tools of M refuse them
  searchQuery: of.characters(
    { max: 10_000 },
    'Query of search_code and of attempts: cut and marked, never rejected',
    'X-28',
  ),

  // Traces: longer texts are cut in the middle and marked with truncated_bytes
  tracePrompt: of.characters({ max: 20_000 }, 'Prompt or summary of a task, summary of a step', 'X-28'),
  traceMessage: of.characters({ max: 10_000 }, 'Message of an error', 'X-28'),
  traceOutput: of.characters({ max: 32_000 }, 'stdout, stderr or a log excerpt, each', 'X-28'),
  traceParams: of.characters({ max: 32_000 }, 'Parameters of a tool, as JSON: its texts are cut', 'X-28'),
  traceName: of.characters({ max: 500 }, 'Name of a tool, a tag, a role, a status, a path', 'X-28'),
  traceTags: of.items({ max: 50 }, 'Tags of a task', 'X-28'),
  eventSymbols: of.items({ max: 200 }, 'Symbols that one edit is said to touch: the first by id'),
  traceTests: of.items({ max: 50 }, 'Names of failing tests of an error: the first ones told'),
  eventFiles: of.items({ max: 1000 }, 'Files that one event may name'),
  taskFiles: of.items({ max: 2000 }, 'Paths in `files_touched` of a task or step: the first by name'),
  taskConcepts: of.items({ max: 20 }, 'Concepts that a prompt relates a task to: the first by id'),
  similarKeys: of.items({ max: 8 }, 'Failures of one step that make it like others: the first by name'),
  openTools: of.items(
    { max: 64 },
    'Uses of one tool, and steps that no step event began, that are open at once',
  ),
  openFailures: of.items(
    { max: 32 },
    'Commands and edits of a task that failed and did not pass since, and errors of each: the last ones',
  ),
  taskRows: of.rows({ default: 20, min: 1, max: 200 }, 'tasks.limit'),
  impactRows: of.rows({ default: 20, min: 1, max: 50 }, 'trace_impact.limit: rows of each list', 'P-02'),
  errorRows: of.rows({ default: 20, min: 1, max: 200 }, 'errors.limit'),

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
  duplicateSimilarity: of.share(
    { min: 0.9 },
    'Similarity from which on a new memory is a duplicate of one of its type',
  ),
  memoryEvidence: of.characters({ max: 1000 }, 'memory_outcome.evidence'),
  memoryEvidenceKept: of.items({ max: 20 }, 'What the latest outcomes of a memory rested on'),
  memoryLine: of.characters({ max: 2_000_000 }, 'A line of an import of memories'),
  memoryImport: of.bytes({ max: 256 * MIB }, 'A file that memory import reads'),
  scipImport: of.bytes({ max: 1024 * MIB }, 'A file that import-scip reads'),
  memoryProblems: of.rows({ max: 20 }, 'Lines that an import names as wrong'),
  relationStrength: of.share({ default: 0.5, min: 0, max: 1 }, 'memory_link.strength', 'M'),

  // Discovery and extraction
  fileBytes: of.bytes(
    { default: 2 * MIB, min: 1, max: 16 * MIB },
    'A larger file is skipped, and named: `max_file_bytes`',
  ),
  binaryProbe: of.bytes({ max: 8192 }, 'A NUL byte among the first of these makes a file binary'),
  averageLineBytes: of.bytes({ max: 5000 }, 'A file with longer lines on average is minified: not extracted'),
  minifiedBytes: of.bytes({ min: 32 * 1024 }, 'Smaller files are not tried for being minified'),
  signature: of.characters({ max: 300 }, 'A longer signature is cut'),
  expression: of.characters({ max: 120 }, 'A longer expression or receiver is cut in the evidence'),
  commentTag: of.characters({ max: 200 }, 'A longer TODO text is cut'),
  syntaxErrors: of.items({ max: 20 }, 'Lines of syntax errors that a file keeps'),
  extractionThreads: of.items(
    { max: 4 },
    'Worker threads that extract: one fewer than there are cores, and no more than these',
  ),
  fileTime: of.ms(
    { max: 30_000 },
    'A file that takes longer to extract is named and kept without symbols until it changes; on a busy machine, processor time counts',
  ),
  callerTime: of.ms(
    { max: 1_000 },
    'A file that takes longer to parse in the thread of the caller is parsed in a worker thread',
  ),
  fileSteps: of.items(
    { max: 300_000 },
    'Expressions of one file that are evaluated to resolve its calls: the rest stays unresolved',
  ),
  referenceSteps: of.items({ max: 50 }, 'Further expressions for each name that the file uses'),
  fileDeaths: of.items({ max: 2 }, 'A file that ended as many worker threads is named and passed over'),
  parserMemory: of.bytes({ max: 256 * MIB }, 'A worker thread whose parser has grown beyond is replaced'),
  testedSymbols: of.items({ max: 64 }, 'Symbols that one test is linked to, the nearest first'),
  lookups: of.items(
    { max: 512 },
    'Things elsewhere that the resolution of a file is known to rest on: with more, any change has it resolved again',
  ),
  ancestors: of.items({ max: 128 }, 'Base classes of a class that are searched, nearest first'),
  smallJobFiles: of.items({ max: 128 }, 'As few files are extracted without worker threads'),
  smallJobBytes: of.bytes({ max: 128 * 1024 }, 'As few bytes are extracted without worker threads'),

  // History
  historyCommits: of.items({ max: 500 }, 'The last commits of a root that become concepts'),
  historyChanges: of.items(
    { max: 5000 },
    'The last commits of a root of which is kept what changed together',
  ),
  historyFiles: of.items({ max: 30 }, 'A commit that touched more files says nothing of any'),
  historyTime: of.ms({ max: 5000 }, 'What git gets to tell the history; else it stays as it was'),
  historyBytes: of.bytes({ max: 16 * MIB }, 'A longer log is not read'),
  commitLabel: of.characters({ max: 200 }, 'A longer subject of a commit is cut'),
  commitText: of.characters({ max: 500 }, 'A longer first paragraph of a commit is cut'),

  keptFacts: of.bytes(
    { max: 4 * MIB },
    'Facts, as they are stored, whose tables stay in memory between two index runs of an open graph',
  ),

  indexedText: of.characters(
    { max: 256 * 1024 },
    'A longer file of a language that is not extracted is found by its path alone',
  ),

  // Runs of walkers, when the caller names no other bounds
  runTime: of.ms(
    { default: 600_000 },
    'Deadline of a run; one that commits in steps has it anew with each report of progress',
  ),
  runVisits: of.items({ default: 5_000_000 }, 'Locations that a run may visit'),
  runBytes: of.bytes({ default: 256 * MIB }, 'Bytes that a run may read and report'),

  runGrace: of.ms(
    { max: 2000 },
    'What a run gets to end by itself after its deadline or being cancelled; then it is given up',
  ),
  runAttempts: of.items({ max: 10 }, 'Attempts of a writing run that loses conflicts, before CONFLICT'),
  replayTurn: of.ms(
    { max: 10_000 },
    'Wait for the turn to replay; then it replays beside the others, since one of them may wait for it',
  ),
  walkerLoading: of.ms({ max: 30_000 }, "Time that a file of people's own walkers gets to load"),
  walkerSilence: of.ms(
    { default: 120_000 },
    "Time that people's own walkers may run without yielding, where no --deadline is given",
  ),

  // The host
  graphQueue: of.items({ max: 512 }, 'Requests that wait for one history; more are answered BUSY'),
  clientQueue: of.items({ max: 64 }, 'Requests of one client without an answer; more are answered BUSY'),
  heldWait: of.ms(
    { default: 10_000 },
    'What a request waits for another one that holds up its history; then it is answered BUSY',
  ),
  inputNesting: of.levels({ max: 1000 }, 'How deep the values of a request may be nested'),
  retryAfter: of.ms({ default: 250 }, '`retry_after` of an answer that is BUSY'),
  hostMemory: of.bytes(
    { default: 1024 * MIB, min: 64 * MIB },
    'Memory of the daemon above which graphs are closed, least recently used first',
  ),
  threadHeap: of.bytes(
    { max: 112 * MIB },
    'A resting thread whose heap an index has grown beyond makes way for a fresh one',
  ),
  sideIdle: of.ms({ max: 30_000 }, 'A side thread that is idle for as long ends'),
  sideMemory: of.bytes(
    { max: 512 * MIB },
    'Memory of all heavy queries of one history above which they run one by one, oldest first',
  ),
  openGraphs: of.items({ max: 16 }, 'Histories that the daemon keeps open'),
  daemonIdle: of.ms(
    { default: 600_000, min: 1_000 },
    'A daemon that nobody asked for anything as long leaves',
  ),
  daemonStart: of.ms({ max: 15_000 }, 'What a daemon gets to start, before DAEMON_FAILED'),
  daemonStop: of.ms({ max: 2500 }, 'What a daemon gets to leave when it is told to; then it is ended'),

  ...FRESHNESS_LIMITS,

  // Embeddings
  embeddingText: of.characters({ max: 4000 }, 'A longer text is cut before it is embedded'),
  embeddingBatch: of.items({ max: 64 }, 'Texts in one request, and vectors in one commit'),
  embeddingWait: of.ms({ max: 30_000 }, 'What the endpoint gets for one request of an index'),
  embeddingTries: of.items({ max: 3 }, 'Requests for one batch while the endpoint fails'),
  embeddingPause: of.ms(
    { default: 250, max: 5_000 },
    'Wait before the second request for a batch, doubled before each further one',
  ),
  embeddingQueryWait: of.ms(
    { max: 1500 },
    'What the endpoint gets for the query of a search, which then goes on without it',
  ),
  embeddingRest: of.ms(
    { max: 30_000 },
    'An endpoint that failed a search is not asked by searches for as long',
  ),
  embeddingDelay: of.ms(
    { default: 3_000 },
    'Rest after the last change of a graph before its new texts are embedded',
  ),
  embeddingAnswer: of.bytes({ max: 32 * MIB }, 'A longer answer of the endpoint is not read'),
  embeddingDimension: of.items({ max: 8192 }, 'Numbers in one vector'),
  vectorsInMemory: of.bytes(
    { max: 256 * MIB },
    'Vectors of one layer that stay in memory; where there are more, each search reads them from the store',
  ),
  embeddingQueries: of.items({ max: 256 }, 'Queries whose vectors are kept in memory'),
  ...AGENT_LIMITS,

  // Stores
  storeWait: of.ms(
    { default: 5_000 },
    'Wait for a graph that another process holds, where something is to be recorded: no event is lost by it',
  ),
  storeWaitReading: of.ms({ default: 1_500 }, 'The same where a graph is only read'),

  // Graphs in memory
  hotNodes: of.bytes({ max: 48 * MIB }, 'Details of the code graph that are cached, about'),
  hotIdle: of.ms({ max: 60_000 }, 'A code graph that nobody read for as long drops what it cached'),

  // Configuration
  configItems: of.items({ max: 1000 }, 'Values of one setting that is a list'),

  // Retention
  extractCache: of.bytes({ default: 1024 * MIB }, 'Extraction cache; least recently used goes first', 'P-08'),
  leftoverAge: of.ms({ max: 3_600_000 }, 'What a crash left is collected when it is older'),
  backupInterval: of.ms({ default: 86_400_000 }, 'Between two backups of a history that changes', 'P-07'),
  backupsKept: of.items({ default: 7 }, 'Backups of a history; the oldest goes first', 'P-07'),
  backupDelay: of.ms({ default: 30_000 }, 'After a request the daemon looks whether a backup is due'),
  backupLine: of.bytes({ max: 64 * MIB }, 'A file with a longer line is no backup'),
} as const;
