import { of } from './limit.js';

const MIB = 1024 * 1024;

/** What is recorded of agents, and what they are told. */
export const AGENT_LIMITS = {
  // What agents are told
  hookAnswer: of({ default: 300 }, 'ms', 'C-03', 'A hook that answers stays silent past this'),
  hookPayload: of(
    { max: 4 * MIB },
    'bytes',
    'own',
    'A hook with a larger payload records it, and asks nothing',
  ),
  hookWork: of(
    { max: 30_000 },
    'ms',
    'own',
    'What finding an answer may take when its hook has gone: the first reads a history',
  ),
  hookRecord: of({ max: 100 }, 'ms', 'C-02', 'CPU time of a hook that only records, under Node'),
  mcpMessageBytes: of(
    { max: 64 * MIB },
    'bytes',
    'own',
    'A larger message of an MCP client is answered with an error, unread',
  ),
  initialize: of({ max: 300 }, 'ms', 'C-09', 'Goal: from process start to the answer to `initialize`'),
  recalledFailures: of({ max: 3 }, 'items', 'C-06', 'Earlier failures shown after a failure'),
  recalledText: of({ max: 1500 }, 'characters', 'C-06', 'Characters of that recall'),
  repeatAge: of(
    { max: 3_600_000 },
    'ms',
    'own',
    'An older failure is none that is about to be repeated: people change things, too',
  ),
  fileContextText: of({ max: 1000 }, 'characters', 'own', 'Context of a file that is read or edited'),
  hookContext: of(
    { max: 1500 },
    'tokens',
    'own',
    'What hooks tell one session; beyond it they speak of failures alone',
  ),
  hookSession: of({ max: 4500 }, 'tokens', 'own', 'What hooks tell one session, failures included'),
  toolListMarkdown: of({ max: 2500 }, 'tokens', 'C-11', '`tools/list` of profile core in Markdown mode'),
  toolListJson: of({ max: 6000 }, 'tokens', 'C-11', '`tools/list` of profile core in JSON mode'),
  sweepAfter: of(
    { default: 60 * 60 * 1000 },
    'ms',
    'C-04',
    'A session that is silent for longer has left its tasks: they end as aborted',
  ),
  autoIndexFiles: of(
    { default: 20_000 },
    'items',
    'own',
    'A project with more files is not indexed just because an agent works in it',
  ),

  // The journal
  journalFile: of(
    { max: 32 * MIB },
    'bytes',
    'own',
    'A larger file in the journal is set aside, and counted',
  ),
  journalAside: of(
    { max: 1000 },
    'items',
    'own',
    'Files that are kept aside; more of them push out the oldest',
  ),
  journalAsideBytes: of({ max: 64 * MIB }, 'bytes', 'own', 'The same, by what they hold'),
  journalAsideFile: of(
    { max: 4 * MIB },
    'bytes',
    'own',
    'Of a larger file that is set aside only its beginning and its end are kept',
  ),
  journalBatch: of({ max: 1000 }, 'items', 'own', 'Events of one root that are recorded in one commit'),
  journalBatchBytes: of({ max: 8 * MIB }, 'bytes', 'own', 'The same, by what their files hold'),
  journalPoll: of(
    { default: 2000 },
    'ms',
    'own',
    'Between two looks into the journal where the system tells of nothing new',
  ),
  journalTries: of(
    { max: 3 },
    'items',
    'own',
    'How often an event that brings its batch down is tried by itself before it is recorded without its texts',
  ),
  eventTime: of(
    { max: 1000 },
    'ms',
    'own',
    'Checking and parsing one event: a text that takes longer is not recorded',
  ),
  archiveSegment: of(
    { max: 16 * MIB },
    'bytes',
    'own',
    'Larger than this no file of an archive begins to grow',
  ),
} as const;
