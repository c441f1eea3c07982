import { join } from 'node:path';
import { DeclinedCounts } from './declined-counts.js';
import { journalFolders } from './folders.js';
import { type Counted, countAside, namesIn } from './set-aside.js';

/** What is known of a journal. */
export interface JournalCounts {
  /** Files that wait: recorded, and not in a graph yet. */
  readonly pending: number;
  /** Set aside, by {@link AsideReason}: without secrets; the oldest are pushed out. */
  readonly quarantine: Counted;
  /** Waiting for an adapter, by client. */
  readonly held: Counted;
  /** Removed by rule, ever, by {@link Declined}. */
  readonly declined: Counted;
}

/** What lies in the journal of a home, whoever reads it. @param home Absolute. */
export function journalCounts(home: string): JournalCounts {
  const { fresh, quarantine, held } = journalFolders(home);
  return {
    pending: namesIn(fresh).length,
    quarantine: countAside(quarantine),
    held: countAside(held),
    declined: declinedOf(home).read(),
  };
}

/** The counts of what was removed by rule. @param home Absolute. */
export function declinedOf(home: string): DeclinedCounts {
  return new DeclinedCounts(join(home, 'journal', 'declined.json'));
}
