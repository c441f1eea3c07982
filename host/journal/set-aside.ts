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
import { parseEntry } from './entry-label.js';

/** Why a file of the journal was set aside. Its folder in the quarantine is called so. */
export type AsideReason =
  /** It has no payload. */
  | 'empty'
  /** It has no label at its end. */
  | 'truncated'
  /** Larger than `LIMITS.journalFile`. */
  | 'too-large'
  /** Its name is none that a recorder makes, or it is no file. */
  | 'not-ours'
  /** A later version of Codewalk recorded it. */
  | 'other-version'
  /** Its payload is no JSON object. */
  | 'not-json'
  /** Its fields are not those of an event. */
  | 'refused'
  /** Its root is not there any more: back in `new/` it is recorded, when the root is. */
  | 'root-gone'
  /** Recording it failed, and failed again by itself: only what it told without its texts may be recorded. */
  | 'failed';

/** How many files lie in each of the folders below one, by name. */
export type Counted = Readonly<Record<string, number>>;

/** Characters that are kept of either end of a large file. */
const END = 32_768;

/**
 * Moves a file into a folder that only the user can enter: as it is, or without the secrets that its payload has. Nothing
 * that lies there is written over.
 */
export function setAside(file: string, folder: string, name: string): void {
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
}

/** What is to be kept of a file; null: all, as it is. */
function textWithoutSecrets(file: string, size: number): string | null {
  if (size > LIMITS.journalAsideFile.max) {
    const seen = 2 * END;
    const [first, last] = [readPart(file, 0, seen).toString(), readPart(file, size - seen, seen).toString()];
    // What a part was cut through is no secret's whole: of each, only the half that is away from the cut is kept.
    const [head, tail] = [Math.min(END, first.length >> 1), Math.min(END, last.length >> 1)];
    const text = `${first}\n${last}`;
    const kept = Buffer.byteLength(first.slice(0, head)) + Buffer.byteLength(last.slice(last.length - tail));
    const masking = withinEventTime(() => maskedEnds(text, head, text.length - tail));
    return (masking?.done ?? ['', '']).join(`\n[… ${Math.max(0, size - kept)} bytes left out …]\n`);
  }
  const bytes = readPart(file, 0, size);
  // A label behind the payload says where it belongs; anything else is text.
  const entry = parseEntry(bytes);
  const end = typeof entry === 'string' ? bytes.length : entry.payload.length;
  const payload = bytes.toString('utf8', 0, end);
  const shown = withinEventTime(() => masked(payload))?.done ?? NOT_CHECKED;
  return shown === payload ? null : shown + bytes.toString('utf8', end);
}

function readPart(file: string, from: number, length: number): Buffer {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(handle, bytes, 0, length, from));
  } finally {
    closeSync(handle);
  }
}

/** Removes the oldest files of the folders below one that are more than may be kept. How many. */
export function pushOut(folder: string): number {
  const files = namesIn(folder)
    .flatMap((reason) => namesIn(join(folder, reason)).map((name) => join(folder, reason, name)))
    .map((file) => ({ file, status: lstatSync(file, { throwIfNoEntry: false }) }))
    .sort((a, b) => (b.status?.ctimeMs ?? 0) - (a.status?.ctimeMs ?? 0));
  let bytes = 0;
  const spare = files.filter(({ status }, at) => {
    bytes += status?.size ?? 0;
    return at >= LIMITS.journalAside.max || bytes > LIMITS.journalAsideBytes.max;
  });
  for (const { file } of spare) rmSync(file, { recursive: true, force: true });
  return spare.length;
}

/** Counts what was set aside. */
export function countAside(folder: string): Counted {
  return Object.fromEntries(namesIn(folder).map((name) => [name, namesIn(join(folder, name)).length]));
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
  return (
    thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')
  );
}
