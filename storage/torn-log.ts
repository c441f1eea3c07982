import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodewalkError } from '../schema/index.js';
import type { BinaryLevel } from './abstract-level-store.js';
import type { KeyValueStore } from './kv.js';
import { storeError } from './store-error.js';

/** Bytes that must fit on the disk before a store is opened again: opening writes what its log holds to a file. */
const PROBE_BYTES = 1024 * 1024;

/**
 * A LevelDB store that outlives a full disk. A write that fails may leave half a record in LevelDB's log, and LevelDB
 * goes on behind it: what it acknowledges then is not found when the log is read again. So nothing is written behind a
 * failed write before the store has been opened anew, which begins another log. Until the disk has room again the store
 * stays open for reading; while it is opened anew (some milliseconds) reads reject with `STORE_CLOSED`.
 *
 * @param db what the store stands on.
 */
export function withoutTornLog(store: KeyValueStore, db: BinaryLevel): KeyValueStore {
  let torn: CodewalkError | null = null;
  let isClosed = false;
  let mending: Promise<void> | null = null;
  const fail = (thrown: unknown) => storeError(thrown, store.place);

  const mend = async () => {
    try {
      probe(store.place);
      await db.close();
      await db.open();
      torn = null;
    } catch (thrown) {
      throw fail(thrown);
    }
  };
  const guarded = async (write: () => Promise<void>) => {
    // Closed for good by its owner: the write says so.
    if (torn && !isClosed) {
      mending ??= mend().finally(() => {
        mending = null;
      });
      await mending;
    }
    try {
      await write();
    } catch (thrown) {
      const error = fail(thrown);
      if (error.code === 'STORE_FULL') torn = error;
      throw error;
    }
    // It went behind one that failed meanwhile.
    if (torn) throw torn;
  };
  return {
    ...store,
    write: (batch, options) => guarded(() => store.write(batch, options)),
    clear: (range) => guarded(() => store.clear(range)),
    async close() {
      isClosed = true;
      await mending?.catch(() => undefined);
      await store.close();
    },
  };
}

/** Whether the disk has room: found out by taking some, since what a disk says of itself knows no quotas. */
function probe(folder: string): void {
  const file = join(folder, 'room.tmp');
  try {
    writeFileSync(file, new Uint8Array(PROBE_BYTES), { mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}
