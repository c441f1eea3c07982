export { type ClientsSeen, clientsSeen, type HookCounts, type HookEnd, hookCounts } from './counters.js';
export type { JournalEvent } from './entry.js';
export { type Declined, eventRoot } from './event-root.js';
export { type AsideReason, type JournalCounts, journalCounts } from './files.js';
export { drainInto, ingestOn, passOn } from './ingest.js';
export { Journal, type JournalOptions } from './journal.js';
export type { Drained, Ingest } from './look.js';
export { type RecordOptions, recordEntry } from './record.js';
export { reportEvents } from './tells-of-events.js';
