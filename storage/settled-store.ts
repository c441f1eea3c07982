import type { BinaryLevel } from './abstract-level-store.js';
import type { KeyValueStore } from './kv.js';

/** Less is left to LevelDB itself, in bytes. */
const LEAST = 4 * 1024 * 1024;
/** More takes longer than whoever closes waits (some 100 MB a second), and would only be begun. */
const MOST = 128 * 1024 * 1024;

/** What LevelDB can do beside what all engines can. */
interface Compactable {
  /** Merges its files. */
  compactRange(start: Uint8Array, end: Uint8Array): Promise<void>;
}

const [FIRST, LAST] = [new Uint8Array(0), new Uint8Array(64).fill(0xff)];

/**
 * A LevelDB store that is brought in order when it closes, if most of it was written since it was opened: after a first
 * index, say. Else its log holds up to 16 MiB that are neither compressed nor sorted, which the next one who opens it
 * would wait for; and a compaction that is cut short leaves the files that it began. This costs as much as that
 * compaction, and nothing for a store that was there before. A kill in the middle leaves what was there.
 *
 * @param db What the store stands on.
 */
export async function settledStore(store: KeyValueStore, db: BinaryLevel): Promise<KeyValueStore> {
  if (!isCompactable(db)) return store;
  const before = await store.sizeOnDisk();
  const isMostlyNew = async () => {
    const size = await store.sizeOnDisk();
    return size > LEAST && size <= MOST && size > 2 * before;
  };
  return {
    ...store,
    async close() {
      try {
        if (await isMostlyNew()) await db.compactRange(FIRST, LAST);
      } catch {
        // Closed, moved away or out of room: then it stays as it is.
      }
      await store.close();
    },
  };
}

function isCompactable(db: BinaryLevel): db is BinaryLevel & Compactable {
  return db.supports.additionalMethods.compactRange === true;
}
