import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../../schema/index.js';
import { masked, maskedEnds, NOT_CHECKED } from '../../source/index.js';
import { withinEventTime } from '../../walkers/index.js';
import { readCounters } from './counters.js';
import { journalFolders, parseEntry } from './entry.js';

/** What lies in the journal of a home, and what was declined, by reason. @param home Absolute. */
export function journalCounts(home: string) {
  const { fresh, quarantine, held } = journalFolders(home);
  const countsIn = (folder: string): Record<string, number> =>
    Object.fromEntries(namesIn(folder).map((name) => [name, namesIn(join(folder, name)).length]));
  return {
    /** Files that wait: recorded, and not in a graph yet. */
    pending: namesIn(fresh).length,
    /** Set aside, by reason: without secrets; the oldest are pushed out. */
    quarantine: countsIn(quarantine),
    /** Waiting for an adapter, by client. */
    held: countsIn(held),
    declined: readCounters(home).declined,
  };
}

/** The names in a folder, sorted; none where there is no folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw thrown;
  }
}

/** Whether there was no such file or folder, or a file in the place of one. */
export function isMissing(thrown: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(Object(thrown).code);
}

/**
 * Moves a file into a folder that only the user can enter, without the secrets of its payload; replaces nothing.
 *
 * @throws Error where the file is still in its place.
 */
export function setAside(file: string, folder: string, name: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    let place = join(folder, name);
    for (let at = 2; existsSync(place); at++) place = join(folder, `${name}.${at}`);
    const status = lstatSync(file);
    const text = status.isFile() ? textWithoutSecrets(file, status.size) : null;
    if (text === null) renameSync(file, place);
    else {
      writeFileSync(place, text, { mode: 0o600, flag: 'wx' });
      rmSync(file);
    }
  } catch (thrown) {
    // Another process may have taken it meanwhile.
    if (lstatSync(file, { throwIfNoEntry: false })) throw thrown;
  }
}

/** Characters that are stored of either end of a large file. */
const END = 32_768;

/** What may be stored of a file; null: all, as it is. */
function textWithoutSecrets(file: string, size: number): string | null {
  if (size > LIMITS.journalAsideFile.max) {
    const first = bytesOf(file, 0, 2 * END).toString();
    const last = bytesOf(file, size - 2 * END, 2 * END).toString();
    // Of a part that was cut, a secret may be cut too: only the half that is away from the cut is stored.
    const head = first.slice(0, Math.min(END, first.length >> 1));
    const tail = last.slice(last.length - Math.min(END, last.length >> 1));
    const text = `${first}\n${last}`;
    const ends = withinEventTime(() => maskedEnds(text, head.length, text.length - tail.length));
    const left = Math.max(0, size - Buffer.byteLength(head) - Buffer.byteLength(tail));
    return (ends?.done ?? ['', '']).join(`\n[… ${left} bytes left out …]\n`);
  }
  const bytes = bytesOf(file, 0, size);
  // A label behind the payload says where it belongs; anything else is text.
  const entry = parseEntry(bytes);
  const end = typeof entry === 'string' ? bytes.length : entry.payload.length;
  const payload = bytes.toString('utf8', 0, end);
  const shown = withinEventTime(() => masked(payload))?.done ?? NOT_CHECKED;
  return shown === payload ? null : shown + bytes.toString('utf8', end);
}

function bytesOf(file: string, from: number, length: number): Buffer {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(handle, bytes, 0, length, from));
  } finally {
    closeSync(handle);
  }
}

/** Removes the oldest files of the folders below one that are more than may be stored. How many. */
export function pushOut(folder: string): number {
  let bytes = 0;
  const spare = namesIn(folder)
    .flatMap((reason) => namesIn(join(folder, reason)).map((name) => join(folder, reason, name)))
    .map((file) => ({ file, status: lstatSync(file, { throwIfNoEntry: false }) }))
    .sort((a, b) => (b.status?.ctimeMs ?? 0) - (a.status?.ctimeMs ?? 0))
    .filter(({ status }, at) => {
      bytes += status?.size ?? 0;
      return at >= LIMITS.journalAside.max || bytes > LIMITS.journalAsideBytes.max;
    });
  for (const { file } of spare) rmSync(file, { recursive: true, force: true });
  return spare.length;
}
