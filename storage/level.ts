import { rmSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CodewalkError } from '../schema/index.js';
import { abstractLevelStore, type BinaryLevel } from './abstract-level-store.js';
import type { Bytes, KeyValueReader, KeyValueStore } from './kv.js';
import { baseOf, shareStore } from './linked-copy.js';
import { makeFolder } from './make-folder.js';
import { overlayStore } from './overlay-store.js';
import { heldStore, storeError } from './store-error.js';
import { isStore, nextToStore, settleSwap, swapStore } from './swap-store.js';

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
function withoutTornLog(store: KeyValueStore, db: BinaryLevel): KeyValueStore {
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

/** Less is left to LevelDB itself, in bytes. */
const LEAST = 4 * 1024 * 1024;
/** More takes longer than whoever closes waits (some 100 MB a second), and would only be begun. */
const MOST = 128 * 1024 * 1024;

/** What LevelDB can do beside what all engines can. */
interface Compactable {
  /** Merges its files. */
  compactRange(start: Uint8Array, end: Uint8Array): Promise<void>;
}

/** Milliseconds without a write after which a store rests. */
const REST_MS = 2000;

const [FIRST, LAST] = [new Uint8Array(0), new Uint8Array(64).fill(0xff)];

/**
 * A LevelDB store that is brought in order, if most of it was written since it was opened: after a first index, say. Else
 * its log holds up to 16 MiB that are neither compressed nor sorted, which the next one who opens or copies it would have
 * to read; and a compaction that is cut short leaves the files that it began. It is done when the store rests, or closes
 * before that; it costs as much as that compaction, and nothing for a store that was there before. A kill in the middle
 * leaves what was there.
 *
 * @param db What the store stands on.
 */
async function settledStore(store: KeyValueStore, db: BinaryLevel): Promise<KeyValueStore> {
  if (!isCompactable(db)) return store;
  let before = await store.sizeOnDisk();
  let resting: NodeJS.Timeout | undefined;
  let isClosed = false;
  let last: Promise<void> = Promise.resolve();
  const settleOnce = async () => {
    try {
      const size = await store.sizeOnDisk();
      if (size <= LEAST || size > MOST || size <= 2 * before) return;
      await db.compactRange(FIRST, LAST);
      before = await store.sizeOnDisk();
    } catch {
      // Closed, moved away or out of room: then it stays as it is.
    }
  };
  const settle = () => {
    last = last.then(settleOnce);
    return last;
  };
  return {
    ...store,
    async write(batch, options) {
      clearTimeout(resting);
      await store.write(batch, options);
      clearTimeout(resting);
      if (!isClosed) resting = setTimeout(settle, REST_MS).unref();
    },
    async close() {
      isClosed = true;
      clearTimeout(resting);
      await settle();
      await store.close();
    },
  };
}

function isCompactable(db: BinaryLevel): db is BinaryLevel & Compactable {
  return db.supports.additionalMethods.compactRange === true;
}

/** Options of {@link openLevelStore}, in bytes. */
export interface LevelOptions {
  /** Cache of uncompressed blocks. Default 64 MiB: the walks of limits.md were measured with it. */
  cacheSize?: number;
  /** Size of the log before it becomes a sorted file. Default 16 MiB: fewer compactions in a bulk load. */
  writeBufferSize?: number;
  /** Milliseconds that are waited for a store that somebody else holds. Default 0. */
  waitMs?: number;
}

const MIB = 1024 * 1024;

/** Milliseconds between two tries for a held store, at the least; up to as many more, so that waiters do not march in step. */
const RETRY_MS = 20;

/**
 * Opens (or makes, with mode 0700) the LevelDB store in a folder. One process at a time can hold it.
 *
 * @throws CodewalkError `STORE_LOCKED`, `STORE_CORRUPT` or `STORE_FULL`.
 */
export async function openLevelStore(folder: string, options: LevelOptions = {}): Promise<KeyValueStore> {
  const until = performance.now() + (options.waitMs ?? 0);
  for (;;) {
    try {
      return await openOnce(folder, options);
    } catch (thrown) {
      const error = storeError(thrown, folder);
      if (error.code !== 'STORE_LOCKED' || performance.now() >= until) throw error;
      await sleep(RETRY_MS * (1 + Math.random()));
    }
  }
}

/**
 * Keeps LevelDB's code in the process until it ends: to be called on the main thread by who starts threads that open
 * stores, before the first of them ends. It takes a few milliseconds once.
 *
 * LevelDB compacts on a thread of its own, one per process, that never ends. Node unloads a native module with the last
 * worker thread that has loaded it, and never one that the main thread has. A store that was closed while a compaction
 * came to its end left that thread on its way back into code that was unloaded then: signal 11 (classic-level 3.0.0,
 * Node 20 to 24).
 */
export function keepLevelLoaded(): void {
  try {
    const level = createRequire(import.meta.url).resolve('level');
    createRequire(level)('classic-level/binding.js');
  } catch {
    // Who opens a store is told what is wrong with it.
  }
}

async function openOnce(folder: string, options: LevelOptions): Promise<KeyValueStore> {
  const whole = () => openWhole(folder, options);
  return fillableStore(await whole(), { reopen: whole, open: (copy) => openWhole(copy, options) });
}

/** A store, over what it shares with another where there is something. */
async function openWhole(folder: string, options: LevelOptions): Promise<KeyValueStore> {
  settleSwap(folder);
  const db = await openDatabase(folder, options);
  const own = await settledStore(withoutTornLog(storeOf(db, folder), db), db);
  const base = baseOf(folder);
  if (!isStore(base)) return own;
  try {
    return overlayStore(own, storeOf(await openDatabase(base, options), base));
  } catch (thrown) {
    await own.close();
    throw thrown;
  }
}

function storeOf(db: BinaryLevel, folder: string): KeyValueStore {
  return abstractLevelStore(db, { engine: 'level', place: folder, sizeOnDisk: () => folderSize(folder) });
}

async function openDatabase(
  folder: string,
  { cacheSize, writeBufferSize }: LevelOptions,
): Promise<BinaryLevel> {
  const isNew = !isStore(folder);
  if (isNew) makeFolder(folder);
  // A native module: only who opens a store loads it.
  const { Level } = await import('level');
  const db = new Level<Bytes, Bytes>(folder, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    cacheSize: cacheSize ?? 64 * MIB,
    writeBufferSize: writeBufferSize ?? 16 * MIB,
  });
  // One that is just making way for another is not made anew.
  await db.open({ createIfMissing: isNew }).catch((thrown) => {
    const isGone = /does not exist \(create_if_missing/.test(Object(Object(thrown).cause).message);
    if (!isNew && (isGone || !isStore(folder))) throw heldStore(folder, thrown);
    throw thrown;
  });
  return db;
}

async function folderSize(folder: string): Promise<number> {
  const names = await readdir(folder);
  // Compaction removes files while they are counted: one that vanished counts nothing.
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (s) => s.size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const NOTHING: KeyValueReader = {
  getMany: (keys) => keys.map(() => undefined),
  async *scan() {},
};

/** How a store's folder is opened. */
interface Opening {
  /** The store, when what stands in its folder is another. */
  readonly reopen: () => Promise<KeyValueStore>;
  /** One in another folder. */
  readonly open: (folder: string) => Promise<KeyValueStore>;
}

/**
 * A store in a folder that can be filled while it is empty (`KeyValueStore.fillFrom`): with a copy that is prepared beside
 * it and takes its place. It is closed for that moment, in which readers find what there was: nothing. A kill at any point
 * leaves an empty store or the whole copy.
 */
function fillableStore(first: KeyValueStore, { reopen, open }: Opening): KeyValueStore {
  const { engine, place } = first;
  let store = first;
  let isAway = false;
  const now = (): KeyValueReader => (isAway ? NOTHING : store);

  const takePlace = async () => {
    isAway = true;
    try {
      await swapStore(place, store);
    } finally {
      // Whichever of the two is in its place by now.
      store = await reopen();
      isAway = false;
    }
  };
  return {
    engine,
    place,
    getMany: (keys) => now().getMany(keys),
    scan: (range) => now().scan(range),
    write: (batch, options) => store.write(batch, options),
    snapshot() {
      if (isAway) return { ...NOTHING, close: async () => undefined };
      const [pinned, made] = [store.snapshot(), store];
      const then = (): KeyValueReader => (store === made && !isAway ? pinned : NOTHING);
      return {
        getMany: (keys) => then().getMany(keys),
        scan: (range) => then().scan(range),
        close: () => pinned.close(),
      };
    },
    clear: (range) => store.clear(range),
    sizeOnDisk: async () => (isAway ? 0 : store.sizeOnDisk()),
    async fillFrom(folder, prepare) {
      const copied = nextToStore(place);
      if (!shareStore(folder, copied)) return false;
      try {
        const copy = await open(copied);
        if (await prepare(copy).finally(() => copy.close())) {
          await takePlace();
          return true;
        }
      } catch {
        // It is damaged, or not such a store: the one that is there stays.
      }
      rmSync(copied, { recursive: true, force: true });
      return false;
    },
    close: () => store.close(),
  };
}
