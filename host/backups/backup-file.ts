import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline as pipe } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { CodewalkError, LIMITS, toCodewalkError } from '../../schema/index.js';
import { entriesOf, sizeOf } from '../files.js';

/** The version of the format that this code writes, and the newest that it reads. */
const FORMAT = 1;
const NAME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)-r(\d{1,15})\.jsonl\.gz$/u;

const text = z.string();
const props = z.record(text, z.unknown());

/**
 * One line of a backup. `event`: the record of an event as it is stored, masked and cut; its other fields are checked
 * when it is recorded again. `node`, `edge`: what follows from no event, with the archetypes of an edge's ends. `blob`: what
 * is stored alongside the graph; in the file all of these are in its last line.
 */
export const BackupLine = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('event'), id: text, at: z.number(), task: text }),
  z.object({ type: z.literal('node'), id: text, archetype: text, props }),
  z.object({
    type: z.literal('edge'),
    archetype: text,
    from: text,
    to: text,
    seq: z.number().int(),
    ends: z.tuple([text, text]),
    undirected: z.boolean(),
    props,
  }),
  z.object({ type: z.literal('blob'), id: text, value: text }),
]);
export type BackupLine = z.infer<typeof BackupLine>;
/** A line of one type. */
export type LineOf<T extends BackupLine['type']> = Extract<BackupLine, { readonly type: T }>;

const Head = z.object({ type: z.literal('backup'), format: z.number().int().min(1) });
const Counts = z.object({ events: z.number(), nodes: z.number(), edges: z.number() });
const End = Counts.extend({ type: z.literal('end'), blobs: z.record(text, text).default({}) });

/** How many lines of each type a backup has. */
export type BackupCounts = z.infer<typeof Counts>;
/** Where counting begins. */
export const NO_LINES: Readonly<BackupCounts> = { events: 0, nodes: 0, edges: 0 };

/** Counts a line; blobs are not counted. */
export function countLine(counts: BackupCounts, { type }: BackupLine): void {
  if (type !== 'blob') counts[`${type}s`] += 1;
}

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
 * @throws CodewalkError `STORE_FULL` when it cannot be written, `CANCELLED` after `signal`, or as reading the lines does.
 */
export async function writeBackup(
  path: string,
  lines: AsyncIterable<readonly BackupLine[]>,
  signal?: AbortSignal,
): Promise<BackupCounts> {
  const temporary = `${path}.${process.pid}.tmp`;
  const counts = { ...NO_LINES };
  async function* texts(): AsyncGenerator<string> {
    const blobs: Record<string, string> = {};
    yield `${JSON.stringify({ type: 'backup', format: FORMAT })}\n`;
    for await (const page of lines) {
      if (signal?.aborted)
        throw new CodewalkError('CANCELLED', 'the backup was given up: its graph is closed');
      let text = '';
      for (const line of page) {
        countLine(counts, line);
        if (line.type === 'blob') blobs[line.id] = line.value;
        else text += `${JSON.stringify(line)}\n`;
      }
      yield text;
      await turn();
    }
    yield `${JSON.stringify({ type: 'end', ...counts, blobs })}\n`;
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Opened first: a stream that is given up while it opens its file may create it after it was removed.
    const file = await open(temporary, 'w', 0o600);
    await pipeline(texts, createGzip(), file.createWriteStream());
    await synced(temporary);
    renameSync(temporary, path);
    // Windows syncs no folders.
    await synced(dirname(path)).catch(() => undefined);
    return counts;
  } catch (thrown) {
    if (thrown instanceof CodewalkError) throw thrown;
    const { message } = toCodewalkError(thrown);
    throw new CodewalkError('STORE_FULL', `${path} cannot be written: ${message}`, {
      input: path,
      suggestion: 'Free disk space; nothing was changed.',
      cause: thrown,
    });
  } finally {
    if (existsSync(temporary)) rmSync(temporary);
  }
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

/**
 * The lines of a backup, in pages.
 *
 * @throws CodewalkError `BACKUP_INVALID` when the file cannot be read, is damaged, cut short or no backup, at the latest
 * after its last line; `STORE_NEWER` when a newer version wrote it.
 */
export async function* readBackup(path: string): AsyncGenerator<BackupLine[]> {
  const counts = { ...NO_LINES };
  let hasHead = false;
  let end: z.infer<typeof End> | null = null;
  try {
    for await (const page of textLines(path)) {
      const lines: BackupLine[] = [];
      for (const line of page) {
        const value: unknown = JSON.parse(line);
        if (end) throw new Error('it goes on after its end');
        if (!hasHead) {
          if (Head.parse(value).format > FORMAT)
            throw new CodewalkError('STORE_NEWER', `${path} was written by a newer version of Codewalk`, {
              input: path,
              suggestion: 'Update Codewalk. Nothing was changed.',
            });
          hasHead = true;
        } else if (Object(value).type === 'end') end = End.parse(value);
        else lines.push(BackupLine.parse(value));
      }
      for (const line of lines) countLine(counts, line);
      yield lines;
    }
    if (end === null) throw new Error('its end is missing');
    const { type: _, blobs, ...announced } = end;
    if (!isDeepStrictEqual(announced, counts))
      throw new Error('it has fewer or more lines than were written');
    yield Object.entries(blobs).map(([id, value]) => ({ type: 'blob', id, value }));
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

/** The lines of a compressed file as text, those of one piece at a time. */
async function* textLines(path: string): AsyncGenerator<string[]> {
  const unzipped = pipe(createReadStream(path), createGunzip(), () => undefined).setEncoding('utf8');
  const { max } = LIMITS.backupLine;
  let begun = '';
  for await (const piece of unzipped as AsyncIterable<string>) {
    const lines = piece.split('\n');
    lines[0] = begun + lines[0];
    begun = lines.pop() ?? '';
    if (begun.length > max) throw new Error(`a line has more than ${max} bytes`);
    yield lines;
  }
  if (begun !== '') throw new Error('its last line is cut');
}

/** Reads a backup to its end. @throws CodewalkError as {@link readBackup}. */
export async function checkBackup(
  path: string,
  visit: (line: BackupLine) => void = () => undefined,
): Promise<void> {
  for await (const page of readBackup(path)) page.forEach(visit);
}

/**
 * Takes lines out of all backups of a folder for good. A backup that cannot be read, or of which nothing is left, is
 * removed, and so is what killed processes left.
 */
export async function rewriteBackups(
  folder: string,
  isRetained: (line: BackupLine) => boolean,
): Promise<void> {
  for (const { name } of entriesOf(folder).filter((entry) => entry.name.endsWith('.tmp')))
    rmSync(join(folder, name), { force: true });
  for (const { path } of listBackups(folder)) {
    const count = { left: 0, gone: 0 };
    const visit = (line: BackupLine) => {
      if (!isRetained(line)) count.gone += 1;
      else if (line.type !== 'blob') count.left += 1;
    };
    async function* remaining(): AsyncGenerator<BackupLine[]> {
      for await (const page of readBackup(path)) yield page.filter(isRetained);
    }
    const isRead = await checkBackup(path, visit).then(
      () => true,
      () => false,
    );
    if (!isRead || count.left === 0) rmSync(path, { force: true });
    else if (count.gone > 0) await writeBackup(path, remaining());
  }
}

/** The backups of a folder that {@link LIMITS}.backupsKept newer ones make superfluous. */
export function outdatedBackups(folder: string): Backup[] {
  return listBackups(folder).slice(0, -LIMITS.backupsKept.default);
}
