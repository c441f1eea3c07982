import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isStub } from './codec.js';
import { hasLevelStore } from './has-level-store.js';
import { adjacencyOf, isNodeKey } from './keys.js';
import type { KeyRange, KeyValueEntry, KeyValueStore } from './kv.js';
import { openLevelStore } from './level.js';
import { storeError } from './store-error.js';
import { nextToStore, settleSwap, swapStore } from './swap-store.js';

/** Milliseconds that are waited for a store that somebody else holds. */
const WAIT_MS = 500;
const EVERYTHING = { from: Buffer.from([0]), to: Buffer.from([0xff]) };

/**
 * Removes a store that nobody holds. One that is not there is removed already; one that cannot be read is removed too.
 *
 * @throws CodewalkError `STORE_LOCKED`, `STORE_FULL`
 */
export async function removeStore(folder: string): Promise<void> {
  settleSwap(folder);
  const held = await holdStore(folder);
  const aside = `${folder}.removed`;
  try {
    // One that was being made in its place goes with it.
    rmSync(nextToStore(folder), { recursive: true, force: true });
    rmSync(aside, { recursive: true, force: true });
    // Moved while it is held: nobody can begin to write to what is about to go.
    // Windows moves nothing that is open.
    if (process.platform === 'win32') await held?.close();
    if (existsSync(folder)) renameSync(folder, aside);
  } catch (thrown) {
    throw storeError(thrown, folder);
  } finally {
    await held?.close();
  }
  rmSync(aside, { recursive: true, force: true });
}

/**
 * Moves a store that nobody holds. Nothing may stand where it goes.
 *
 * @throws CodewalkError `STORE_LOCKED`, `STORE_FULL`
 */
export async function moveStore(from: string, to: string): Promise<void> {
  settleSwap(from);
  const held = await holdStore(from);
  await held?.close();
  if (!existsSync(from)) return;
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    renameSync(from, to);
  } catch (thrown) {
    throw storeError(thrown, to);
  }
}

/**
 * Writes a store anew with the records that it has, and lets go of all its files: of what was deleted or written over
 * nothing is left on disk, neither in tables, nor in logs, nor in what LevelDB notes of its work. (Its own compaction
 * leaves old values where no other table lies above them.) A kill at any point leaves the one store or the other.
 *
 * @param meanwhile Done while nobody else can have the store; also where there is none.
 * @throws CodewalkError `STORE_LOCKED`, `STORE_CORRUPT`, `STORE_FULL`
 */
export async function rewriteStore(folder: string, meanwhile?: () => unknown): Promise<void> {
  settleSwap(folder);
  if (!hasLevelStore(folder)) {
    meanwhile?.();
    return;
  }
  const fresh = nextToStore(folder);
  const held = await openLevelStore(folder, { waitMs: WAIT_MS });
  try {
    rmSync(fresh, { recursive: true, force: true });
    meanwhile?.();
    await copyRecords(held, fresh);
    await swapStore(folder, held);
  } catch (thrown) {
    throw storeError(thrown, folder);
  } finally {
    await held.close();
  }
}

async function copyRecords(from: KeyValueStore, folder: string): Promise<void> {
  const to = await openLevelStore(folder);
  try {
    for await (const page of from.scan(EVERYTHING)) {
      const writes = (await withoutIdleStubs(from, page)).map(([key, value]) => ({ key, value }));
      await to.write(writes, { sync: true });
    }
  } finally {
    await to.close();
  }
}

/** Without ids that no edge names any more: a record holds the key of such a one, and its text. */
async function withoutIdleStubs(
  store: KeyValueStore,
  page: readonly KeyValueEntry[],
): Promise<readonly KeyValueEntry[]> {
  const idle = new Set<KeyValueEntry>();
  for (const entry of page)
    if (isNodeKey(entry[0]) && isStub(entry[1]) && !(await hasAny(store, adjacencyOf(entry[0]))))
      idle.add(entry);
  return idle.size === 0 ? page : page.filter((entry) => !idle.has(entry));
}

async function hasAny(store: KeyValueStore, range: Pick<KeyRange, 'from' | 'to'>): Promise<boolean> {
  for await (const page of store.scan({ ...range, limit: 1 })) if (page.length > 0) return true;
  return false;
}

/** Null where there is no store, or one that cannot be read. */
async function holdStore(folder: string): Promise<KeyValueStore | null> {
  if (!hasLevelStore(folder)) return null;
  try {
    return await openLevelStore(folder, { waitMs: WAIT_MS });
  } catch (thrown) {
    const error = storeError(thrown, folder);
    if (error.code === 'STORE_CORRUPT') return null;
    throw error;
  }
}
