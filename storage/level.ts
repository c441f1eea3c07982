import { readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { abstractLevelStore } from './abstract-level-store.js';
import type { Bytes, KeyValueStore } from './kv.js';
import { makeFolder } from './make-folder.js';
import { settledStore } from './settled-store.js';
import { heldStore, storeError } from './store-error.js';
import { isStore, settleSwap } from './swap-store.js';
import { withoutTornLog } from './torn-log.js';

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

async function openOnce(
  folder: string,
  { cacheSize, writeBufferSize }: LevelOptions,
): Promise<KeyValueStore> {
  await settleSwap(folder);
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
    if (!isNew && !isStore(folder)) throw heldStore(folder, thrown);
    throw thrown;
  });
  const about = { engine: 'level', place: folder, sizeOnDisk: () => folderSize(folder) };
  return settledStore(withoutTornLog(abstractLevelStore(db, about), db), db);
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
