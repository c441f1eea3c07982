import { copyFileSync, linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasLevelStore } from './has-level-store.js';
import { makeFolder } from './make-folder.js';

/** A store that is written to may change its list of tables while they are copied: then it is copied again. */
const TRIES = 5;
/** Tables never change once they are written. */
const TABLE = /^\d+\.(?:ldb|sst)$/;
/** Logs are only appended to. */
const LOG = /^\d+\.log$/;

/** Where in its folder a store has what it shares with another. */
export function baseOf(folder: string): string {
  return join(folder, 'base');
}

/**
 * Makes a store that shows what another one holds, and shares its files: with what that one shares itself, where it does.
 *
 * @returns False where there is none, or it cannot be read: then nothing is made.
 */
export function shareStore(from: string, to: string): boolean {
  rmSync(to, { recursive: true, force: true });
  const base = baseOf(from);
  const isShared = hasLevelStore(base)
    ? copyLinked(from, to) && copyLinked(base, baseOf(to))
    : copyLinked(from, baseOf(to));
  if (!isShared) rmSync(to, { recursive: true, force: true });
  return isShared;
}

/**
 * Copies a LevelDB store, which may be open elsewhere and be written to, as it was at one of its last commits. Its tables
 * become files of both: LevelDB never changes a table, and where one store removes it, it stays in the other. A disk that
 * cannot do that has them twice. The copy is made in the place of what is there.
 *
 * @returns False where there is none, or it cannot be read: then nothing is there.
 */
function copyLinked(from: string, to: string): boolean {
  rmSync(to, { recursive: true, force: true });
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      makeFolder(to);
      if (copyOnce(from, to)) return true;
      rmSync(to, { recursive: true, force: true });
    }
  } catch {
    // Not there, not ours to read, no room: whoever wants the copy does without.
    rmSync(to, { recursive: true, force: true });
  }
  return false;
}

function copyOnce(from: string, to: string): boolean {
  const before = manifestOf(from);
  for (const name of readdirSync(from).sort()) {
    if (!TABLE.test(name) && !LOG.test(name)) continue;
    try {
      copyFile(join(from, name), join(to, name), TABLE.test(name));
    } catch (thrown) {
      // What has just been removed is of no version that is copied, or the list below is another.
      if (Object(thrown).code !== 'ENOENT') throw thrown;
    }
  }
  // Every change of what the store stands on is noted there before a file is removed.
  const after = manifestOf(from);
  if (before.name !== after.name || !before.bytes.equals(after.bytes)) return false;
  writeFileSync(join(to, before.name), before.bytes, { mode: 0o600 });
  writeFileSync(join(to, 'CURRENT'), `${before.name}\n`, { mode: 0o600 });
  return true;
}

function copyFile(from: string, to: string, isShared: boolean): void {
  try {
    if (isShared) linkSync(from, to);
  } catch (thrown) {
    if (Object(thrown).code === 'ENOENT') throw thrown;
    isShared = false;
  }
  if (!isShared) copyFileSync(from, to);
}

/** The list of a store's files. */
function manifestOf(folder: string): { name: string; bytes: Buffer } {
  const name = readFileSync(join(folder, 'CURRENT'), 'utf8').trim();
  return { name, bytes: readFileSync(join(folder, name)) };
}
