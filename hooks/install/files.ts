import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../../host/index.js';
import { CodewalkError, issuesText } from '../../schema/index.js';

/** Why a file is left as it is. Thrown before anything is written. */
export function refusal(path: string, why: string, suggestion = 'Mend it'): CodewalkError {
  return new CodewalkError('INSTALL_REFUSED', `${path} ${why}`, {
    input: path,
    suggestion: `${suggestion}, then run this again; nothing was changed.`,
  });
}

/** A file as it stands, or the place where it would. */
interface FilePlace {
  /** As it was named. */
  readonly path: string;
  /** Where a link leads to; the path itself where it is none. */
  readonly real: string;
  /** Null: there is no file. */
  readonly bytes: Uint8Array | null;
  readonly stats: Pick<Stats, 'mode' | 'uid' | 'gid'> | null;
  /** The folders on its way that are not there, outermost first. */
  readonly missing: readonly string[];
}

/**
 * Looks at a file that is to be written. One behind a link is written where it is, and the link stays.
 *
 * @throws CodewalkError `INSTALL_REFUSED` where it could not be written whole, or is no ordinary file.
 */
export function placeAt(path: string): FilePlace {
  const entry = lstatAt(path);
  if (entry === null) return { path, real: path, bytes: null, stats: null, missing: missingAbove(path) };
  const real = entry.isSymbolicLink() ? targetOf(path) : path;
  const stats = statSync(real);
  if (!stats.isFile()) throw refusal(path, 'is no file');
  if ((stats.mode & 0o200) === 0 || !writable(real))
    throw refusal(path, 'is read-only', `Make it writable (chmod u+w ${real})`);
  if (!writable(dirname(real))) throw refusal(path, 'is in a folder that cannot be written');
  return { path, real, bytes: readFileSync(real), stats, missing: [] };
}

/** A file's content; null where there is none. */
export function bytesAt(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null;
    throw error;
  }
}

function missingAbove(path: string): string[] {
  const parent = dirname(path);
  const stats = lstatAt(parent);
  if (stats === null) return [...missingAbove(parent), parent];
  const real = stats.isSymbolicLink() ? targetOf(parent) : parent;
  if (!statSync(real).isDirectory()) throw refusal(parent, 'is no folder');
  if (!writable(real)) throw refusal(parent, 'cannot be written');
  return [];
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw refusal(path, 'is a link that leads nowhere');
  }
}

function lstatAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    if (codeOf(error) === 'ENOTDIR') throw refusal(join(path, '..'), 'is no folder');
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A change of a file. */
export interface FileChange {
  readonly place: FilePlace;
  /** Null: the file goes. The bytes of the place: it stays as it is. */
  readonly after: Uint8Array | null;
  /** Of a file that we make. */
  readonly mode: number;
}

/** What a change does to its file. */
export function changeOf({
  place: { bytes },
  after,
}: Pick<FileChange, 'place' | 'after'>): 'create' | 'change' | 'remove' | 'none' {
  if (isSame(bytes, after)) return 'none';
  if (bytes === null) return 'create';
  return after === null ? 'remove' : 'change';
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

/**
 * Makes changes of files: all of them, or none where one fails.
 *
 * @throws CodewalkError `INSTALL_REFUSED` where a file is not what it was when the change was planned, or cannot be
 * written.
 */
export function applyChanges(changes: readonly FileChange[]): void {
  const real = changes.filter((change) => changeOf(change) !== 'none');
  for (const { place } of real)
    if (!isSame(place.bytes, bytesAt(place.real)))
      throw refusal(place.path, 'was changed by somebody else just now', 'Wait until it is still');
  const done: FileChange[] = [];
  try {
    for (const change of real) {
      write(change, change.after);
      done.push(change);
    }
  } catch (thrown) {
    for (const change of done.reverse()) write(change, change.place.bytes);
    for (const { place } of real) removeEmpty(place.missing);
    const failed = real[done.length]?.place.path ?? '';
    throw refusal(failed, `cannot be written: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

/** Removes folders that are empty, the innermost first. */
export function removeEmpty(folders: readonly string[]): void {
  for (const folder of [...new Set(folders)].sort((a, b) => b.length - a.length))
    try {
      rmdirSync(folder);
    } catch {
      // It holds something of others, or has gone.
    }
}

function write({ place: { real, stats }, mode }: FileChange, bytes: Uint8Array | null): void {
  if (bytes === null) {
    rmSync(real, { force: true });
    return;
  }
  mkdirSync(dirname(real), { recursive: true });
  const temporary = `${real}.codewalk-${randomBytes(4).toString('hex')}.tmp`;
  try {
    // Others may not read its content before it has the file's own mode.
    const handle = openSync(temporary, 'wx', stats === null ? mode : 0o600);
    try {
      writeFileSync(handle, bytes);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (stats !== null) {
      chmodSync(temporary, stats.mode & 0o7777);
      if (stats.uid !== process.getuid?.() || stats.gid !== process.getgid?.())
        chownSync(temporary, stats.uid, stats.gid);
    }
    renameSync(temporary, real);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  }
}

const InstalledFile = z.object({
  client: z.string(),
  scope: z.enum(['user', 'project']),
  /** The project's root; null in scope `user`. */
  root: z.string().nullable(),
  /** As it was named: a link stays one. */
  path: z.string(),
  /** Whether the file is ours alone; else it has entries of ours. */
  whole: z.boolean(),
  /** What it held before, in base64; null: there was none. */
  before: z.string().nullable(),
  /** SHA-256 of what we wrote. */
  wrote: z.string(),
  /** Folders that were made for it, outermost first. */
  folders: z.array(z.string()),
  /** ISO 8601. */
  at: z.string(),
});
const InstallRecord = z.object({ version: z.literal(1), files: z.array(InstalledFile) });

/** A file that an installer wrote, and what restores it. */
export type InstalledFile = z.infer<typeof InstalledFile>;

/** In the folder of all graphs. It holds whole settings files: mode 0600. */
function recordFile(home: string): string {
  return join(home, 'installs.json');
}

/**
 * The files that were installed; none where there is no record.
 *
 * @throws CodewalkError `CONFIG_INVALID`
 */
export function readInstalls(home: string): readonly InstalledFile[] {
  const file = recordFile(home);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Reported as a record of another form.
  }
  const parsed = InstallRecord.safeParse(value);
  if (parsed.success) return parsed.data.files;
  throw new CodewalkError('CONFIG_INVALID', `${file}: ${issuesText(parsed.error)}`, {
    input: file,
    suggestion: 'Move it away: our entries are known without it, and are taken out of the files one by one.',
  });
}

/** Stores the record; one of nothing is no file. */
export function writeInstalls(home: string, files: readonly InstalledFile[]): void {
  if (files.length === 0) rmSync(recordFile(home), { force: true });
  else writeWhole(recordFile(home), `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
}

/** Checks whether a file is as we wrote it. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
