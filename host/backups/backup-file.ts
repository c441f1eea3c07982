import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { CodewalkError, LIMITS, toCodewalkError } from '../../schema/index.js';
import { entriesOf, sizeOf } from '../folders.js';
import { BackupLine } from './backup-line.js';

/** The version of the format that this code writes, and the newest that it reads. */
const FORMAT = 1;
const NAME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)-r(\d{1,15})\.jsonl\.gz$/u;
const NEWLINE = 10;

const Head = z.object({ type: z.literal('backup'), format: z.number().int().min(1) });
const End = z.object({ type: z.literal('end'), events: z.number(), nodes: z.number(), edges: z.number() });

/** A backup among those of a history. */
export interface Backup {
  /** Absolute. */
  readonly path: string;
  /** ISO 8601. */
  readonly made_at: string;
  /** Of the durable layer that it was made from. */
  readonly revision: number;
  /** On disk, compressed. */
  readonly bytes: number;
}

/** What a backup holds. */
export interface BackupCounts {
  readonly events: number;
  readonly nodes: number;
  readonly edges: number;
}

/** The backups in a folder, the oldest first; none where there is no folder. */
export function listBackups(folder: string): Backup[] {
  return entriesOf(folder).flatMap((entry) => {
    const [, hour, minute, second, revision] = NAME.exec(entry.name) ?? [];
    if (hour === undefined || !entry.isFile()) return [];
    const path = join(folder, entry.name);
    const made_at = `${hour}:${minute}:${second}`;
    return [{ path, made_at, revision: Number(revision), bytes: sizeOf(path) }];
  });
}

/** The path of the backup that is made of a revision at a time. @param now Milliseconds since 1970. */
export function backupPath(folder: string, now: number, revision: number): string {
  return join(folder, `${new Date(now).toISOString().replaceAll(':', '-')}-r${revision}.jsonl.gz`);
}

/**
 * Writes a backup of the user's alone (mode 0600), complete or not at all: alongside its place, synced, then renamed.
 * Gives way to other work between two pages.
 *
 * @param path As {@link backupPath} gives it.
 * @throws CodewalkError `STORE_FULL` when it cannot be written, `CANCELLED` after `signal`, or as reading the lines does.
 */
export async function writeBackup(
  path: string,
  lines: AsyncIterable<readonly BackupLine[]>,
  signal?: AbortSignal,
): Promise<BackupCounts> {
  const temporary = `${path}.${process.pid}.tmp`;
  const counts = { event: 0, node: 0, edge: 0 };
  const gzip = createGzip();
  let written: Promise<void> | undefined;
  const write = async (values: readonly unknown[]) => {
    const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), written]);
  };
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    written = pipeline(gzip, createWriteStream(temporary, { mode: 0o600 }));
    written.catch(() => undefined);
    await write([{ type: 'backup', format: FORMAT }]);
    for await (const page of lines) {
      if (signal?.aborted)
        throw new CodewalkError('CANCELLED', 'the backup was given up: its graph is closed');
      for (const { type } of page) counts[type] += 1;
      await write(page);
      await turn();
    }
    await write([{ type: 'end', ...named(counts) }]);
    gzip.end();
    await written;
    await synced(temporary);
    renameSync(temporary, path);
    // Windows syncs no folders.
    await synced(dirname(path)).catch(() => undefined);
    return named(counts);
  } catch (thrown) {
    if (thrown instanceof CodewalkError) throw thrown;
    const { message } = toCodewalkError(thrown);
    throw new CodewalkError('STORE_FULL', `${path} cannot be written: ${message}`, {
      input: path,
      suggestion: 'Free disk space; nothing was changed.',
      cause: thrown,
    });
  } finally {
    gzip.destroy();
    await written?.catch(() => undefined);
    if (existsSync(temporary)) rmSync(temporary);
  }
}

/**
 * The lines of a backup, in pages.
 *
 * @throws CodewalkError `BACKUP_INVALID` when the file cannot be read, is damaged, cut short or no backup, at the latest
 * after its last line; `STORE_NEWER` when a newer version wrote it.
 */
export async function* readBackup(path: string): AsyncGenerator<BackupLine[]> {
  const counts = { event: 0, node: 0, edge: 0 };
  let head = false;
  let end: z.infer<typeof End> | null = null;
  try {
    for await (const page of pagesOf(path)) {
      const lines: BackupLine[] = [];
      for (const text of page) {
        const value: unknown = JSON.parse(text);
        if (end) throw new Error('it goes on after its end');
        if (!head) {
          if (Head.parse(value).format > FORMAT) throw newer(path);
          head = true;
          continue;
        }
        if (Object(value).type === 'end') {
          end = End.parse(value);
          continue;
        }
        const line = BackupLine.parse(value);
        counts[line.type] += 1;
        lines.push(line);
      }
      yield lines;
    }
    const { events, nodes, edges } = named(counts);
    if (end === null) throw new Error('its end is missing');
    if (end.events !== events || end.nodes !== nodes || end.edges !== edges)
      throw new Error('it has fewer or more lines than were written');
  } catch (thrown) {
    if (thrown instanceof CodewalkError) throw thrown;
    const why = thrown instanceof z.ZodError ? 'a line has an unknown shape' : String(Object(thrown).message);
    throw new CodewalkError('BACKUP_INVALID', `${path} is no intact backup: ${why}`, {
      input: path,
      suggestion: "Take another one: 'codewalk restore --list' shows them. Nothing was changed.",
      cause: thrown,
    });
  }
}

/** Reads a backup to its end. @returns how many of its lines fit. @throws CodewalkError as {@link readBackup}. */
export async function countLines(path: string, fits: (line: BackupLine) => boolean): Promise<number> {
  let count = 0;
  for await (const page of readBackup(path)) count += page.filter(fits).length;
  return count;
}

/** The newest backup of a folder that is intact; null where there is none. */
export async function newestIntact(folder: string): Promise<Backup | null> {
  for (const backup of listBackups(folder).reverse())
    if ((await countLines(backup.path, () => true).catch(() => null)) !== null) return backup;
  return null;
}

/**
 * Takes lines out of all backups of a folder for good. A backup that cannot be read, or of which nothing is left, is
 * removed, and so is what killed processes left.
 *
 * @throws CodewalkError `STORE_FULL`
 */
export async function rewriteBackups(folder: string, isKept: (line: BackupLine) => boolean): Promise<void> {
  for (const { name } of entriesOf(folder).filter((entry) => entry.name.endsWith('.tmp')))
    rmSync(join(folder, name), { force: true });
  for (const { path } of listBackups(folder)) {
    const [all, kept] = [
      await countLines(path, () => true).catch(() => 0),
      await countLines(path, isKept).catch(() => 0),
    ];
    if (kept === 0) rmSync(path, { force: true });
    else if (kept < all) await writeBackup(path, keptLines(path, isKept));
  }
}

async function* keptLines(path: string, isKept: (line: BackupLine) => boolean): AsyncGenerator<BackupLine[]> {
  for await (const page of readBackup(path)) yield page.filter(isKept);
}

/** The backups of a folder that {@link LIMITS}.backupsKept newer ones make superfluous. */
export function outdatedBackups(folder: string): Backup[] {
  return listBackups(folder).slice(0, -LIMITS.backupsKept.default);
}

function named({ event, node, edge }: Record<BackupLine['type'], number>): BackupCounts {
  return { events: event, nodes: node, edges: edge };
}

/** The lines of a compressed file as text, those of one piece at a time. */
async function* pagesOf(path: string): AsyncGenerator<string[]> {
  const file = createReadStream(path);
  const unzipped = createGunzip();
  file.on('error', (error) => unzipped.destroy(error));
  let begun: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of file.pipe(unzipped) as AsyncIterable<Buffer>) {
      const lines: string[] = [];
      let from = 0;
      for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
        lines.push(Buffer.concat([...begun, piece.subarray(from, at)]).toString('utf8'));
        [begun, length, from] = [[], 0, at + 1];
      }
      begun.push(piece.subarray(from));
      length += piece.length - from;
      if (length > LIMITS.backupLine.max)
        throw new Error(`a line has more than ${LIMITS.backupLine.max} bytes`);
      yield lines;
    }
    if (length > 0) throw new Error('its last line is cut');
  } finally {
    file.destroy();
    unzipped.destroy();
  }
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

function newer(path: string): CodewalkError {
  return new CodewalkError('STORE_NEWER', `${path} was written by a newer version of Codewalk`, {
    input: path,
    suggestion: 'Update Codewalk. Nothing was changed.',
  });
}
