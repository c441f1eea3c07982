import { of } from './limit.js';

const MIB = 1024 * 1024;

/** What is recorded of agents, and what they are told. */
export const AGENT_LIMITS = {
  // What agents are told
  hookAnswer: of.ms(
    { default: 1000, min: 50, max: 2500 },
    'A hook that answers stays silent past this; its client waits twice the largest value',
    'C-03',
  ),
  hookPayload: of.bytes({ max: 4 * MIB }, 'A hook with a larger payload records it, and asks nothing'),
  hookWork: of.ms(
    { max: 30_000 },
    'What finding an answer may take when its hook has gone: the first reads a history',
  ),
  hookRecord: of.ms({ max: 100 }, 'CPU time of a hook that only records, under Node', 'C-02'),
  mcpMessageBytes: of.bytes(
    { max: 64 * MIB },
    'A larger message of an MCP client is answered with an error, unread',
  ),
  initialize: of.ms({ max: 300 }, 'Goal: from process start to the answer to `initialize`', 'C-09'),
  recalledFailures: of.items({ max: 3 }, 'Earlier failures shown after a failure', 'C-06'),
  recalledText: of.characters({ max: 1500 }, 'Characters of that recall', 'C-06'),
  repeatAge: of.ms(
    { max: 3_600_000 },
    'An older failure is none that is about to be repeated: people change things, too',
  ),
  fileContextText: of.characters({ max: 1000 }, 'Context of a file that is read or edited'),
  hookContext: of.tokens(
    { max: 1500 },
    'What hooks tell one session; beyond it they speak of failures alone',
  ),
  hookSession: of.tokens({ max: 4500 }, 'What hooks tell one session, failures included'),
  toolListMarkdown: of.tokens({ max: 2500 }, '`tools/list` of profile core in Markdown mode', 'C-11'),
  toolListJson: of.tokens({ max: 6000 }, '`tools/list` of profile core in JSON mode', 'C-11'),
  sweepAfter: of.ms(
    { default: 60 * 60 * 1000 },
    'A session that is silent for longer has left its tasks: they end as aborted',
    'C-04',
  ),
  autoIndexFiles: of.items(
    { default: 20_000 },
    'A project with more files is not indexed just because an agent works in it',
  ),

  // The journal
  journalFile: of.bytes({ max: 32 * MIB }, 'A larger file in the journal is set aside, and counted'),
  journalAside: of.items({ max: 1000 }, 'Files that are kept aside; more of them push out the oldest'),
  journalAsideBytes: of.bytes({ max: 64 * MIB }, 'The same, by what they hold'),
  journalAsideFile: of.bytes(
    { max: 4 * MIB },
    'Of a larger file that is set aside only its beginning and its end are kept',
  ),
  journalBatch: of.items({ max: 1000 }, 'Events of one root that are recorded in one commit'),
  journalBatchBytes: of.bytes({ max: 8 * MIB }, 'The same, by what their files hold'),
  journalPoll: of.ms(
    { default: 2000 },
    'Between two looks into the journal where the system tells of nothing new',
  ),
  journalTries: of.items(
    { max: 3 },
    'How often an event that brings its batch down is tried by itself before it is recorded without its texts',
  ),
  eventTime: of.ms({ max: 1000 }, 'Checking and parsing one event: a text that takes longer is not recorded'),
} as const;
