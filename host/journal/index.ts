export { type JournalCounts, journalCounts } from './counts.js';
export type { Declined } from './event-root.js';
export { ingestOn } from './ingest.js';
export { Journal, type JournalOptions } from './journal.js';
export type { Drained, HeardPayload, Ingest } from './look.js';
export type { JournalEvent } from './read-entry.js';
export { type RecordOptions, recordEntry } from './record.js';
export type { AsideReason } from './set-aside.js';
export { tellsOfEvents } from './tells-of-events.js';
