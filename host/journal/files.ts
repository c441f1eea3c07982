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
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../../schema/index.js';
import { masked, maskedEnds, NOT_CHECKED } from '../../source/index.js';
import { withinEventTime } from '../../walkers/index.js';
import { declinedCounts } from './counters.js';
import { parseEntry } from './entry.js';

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
  /** Recording it failed, and failed again by itself: only what it reported without its texts may be recorded. */
  | 'failed';

/** How many files lie in each of the folders below one, by name. */
type Counted = Readonly<Record<string, number>>;

/** What is known of a journal. */
export interface JournalCounts {
  /** Files that wait: recorded, and not in a graph yet. */
  readonly pending: number;
  /** Set aside, by {@link AsideReason}: without secrets; the oldest are pushed out. */
  readonly quarantine: Counted;
  /** Waiting for an adapter, by client. */
  readonly held: Counted;
  /** Removed by rule, ever, by `Declined`. */
  readonly declined: Counted;
}

/** Characters that are stored of either end of a large file. */
const END = 32_768;
/** Milliseconds after which a half-written file is abandoned: as Maildir has it, 36 hours. */
const ABANDONED = 36 * 3600 * 1000;

/** The folders of a home's journal (C-02). All are for the user alone. */
export function journalFolders(home: string) {
  const journal = join(home, 'journal');
  return {
    /** What is being written. */
    tmp: join(journal, 'tmp'),
    /** What was recorded and waits. */
    fresh: join(journal, 'new'),
    /** What could not be taken in, by reason. */
    quarantine: join(journal, 'quarantine'),
    /** What waits for an adapter, by client. */
    held: join(journal, 'held'),
  };
}

/** What lies in the journal of a home. @param home Absolute. */
export function journalCounts(home: string): JournalCounts {
  const { fresh, quarantine, held } = journalFolders(home);
  return {
    pending: namesIn(fresh).length,
    quarantine: countBelow(quarantine),
    held: countBelow(held),
    declined: declinedCounts(home),
  };
}

/** The files of a home's journal, and what becomes of them. */
export class JournalFiles {
  readonly folders: ReturnType<typeof journalFolders>;

  /** @param home The graphs home; absolute. */
  constructor(home: string) {
    this.folders = journalFolders(home);
  }

  /** The names of what waits, the oldest first. */
  waiting(): string[] {
    return namesIn(this.folders.fresh);
  }

  /** Removes a file whose event is recorded, or is not to be. */
  remove(name: string): void {
    rmSync(join(this.folders.fresh, name), { force: true });
  }

  /** @throws Error where the file is still there. */
  quarantine(name: string, reason: AsideReason): void {
    this.#move(name, join(this.folders.quarantine, reason));
  }

  /** Stores a file for the adapter that its client will have. @throws Error where the file is still there. */
  hold(name: string, client: string): void {
    this.#move(name, join(this.folders.held, client));
  }

  /** Lets what was held for a client wait again: its adapter is there. */
  release(known: (client: string) => boolean): void {
    for (const client of namesIn(this.folders.held).filter(known)) {
      const folder = join(this.folders.held, client);
      for (const name of namesIn(folder)) renameSync(join(folder, name), join(this.folders.fresh, name));
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Removes the oldest of what was set aside where it is too much. How many files. */
  pushOut(): number {
    return pushOut(this.folders.quarantine) + pushOut(this.folders.held);
  }

  /** Removes what was never finished, and so never acknowledged. */
  sweep(): void {
    for (const name of namesIn(this.folders.tmp)) {
      const file = join(this.folders.tmp, name);
      const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - written > ABANDONED) rmSync(file, { force: true });
    }
  }

  #move(name: string, folder: string): void {
    const file = join(this.folders.fresh, name);
    try {
      setAside(file, folder, name);
    } catch (thrown) {
      if (lstatSync(file, { throwIfNoEntry: false })) throw thrown;
    }
  }
}

/** Moves a file into a folder that only the user can enter, without the secrets of its payload; writes over nothing. */
function setAside(file: string, folder: string, name: string): void {
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

/** What may be stored of a file; null: all, as it is. */
function textWithoutSecrets(file: string, size: number): string | null {
  if (size > LIMITS.journalAsideFile.max) {
    const [first, last] = [readPart(file, 0, 2 * END), readPart(file, size - 2 * END, 2 * END)].map(String);
    return endsWithoutSecrets(first ?? '', last ?? '', size);
  }
  const bytes = readPart(file, 0, size);
  // A label behind the payload says where it belongs; anything else is text.
  const entry = parseEntry(bytes);
  const end = typeof entry === 'string' ? bytes.length : entry.payload.length;
  const payload = bytes.toString('utf8', 0, end);
  const shown = withinEventTime(() => masked(payload))?.done ?? NOT_CHECKED;
  return shown === payload ? null : shown + bytes.toString('utf8', end);
}

/** Of a part that was cut, a secret may be cut too: only the half that is away from the cut is stored. */
function endsWithoutSecrets(first: string, last: string, size: number): string {
  const [head, tail] = [Math.min(END, first.length >> 1), Math.min(END, last.length >> 1)];
  const text = `${first}\n${last}`;
  const stored = Buffer.byteLength(first.slice(0, head)) + Buffer.byteLength(last.slice(last.length - tail));
  const masking = withinEventTime(() => maskedEnds(text, head, text.length - tail));
  return (masking?.done ?? ['', '']).join(`\n[… ${Math.max(0, size - stored)} bytes left out …]\n`);
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

/** Removes the oldest files of the folders below one that are more than may be stored. How many. */
function pushOut(folder: string): number {
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

function countBelow(folder: string): Counted {
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
