import { join } from 'node:path';

/** The folders of a home's journal (C-02). All are for the user alone. */
export interface JournalFolders {
  /** What is being written. */
  readonly tmp: string;
  /** What was recorded and waits. */
  readonly fresh: string;
  /** What could not be taken, by reason: without secrets, the oldest pushed out by others. */
  readonly quarantine: string;
  /** What waits for an adapter, by client. */
  readonly held: string;
}

/** The journal of a graphs home. */
export function journalFolders(home: string): JournalFolders {
  const journal = join(home, 'journal');
  return {
    tmp: join(journal, 'tmp'),
    fresh: join(journal, 'new'),
    quarantine: join(journal, 'quarantine'),
    held: join(journal, 'held'),
  };
}
