import { closeSync, existsSync, lstatSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CodewalkError } from '../../schema/index.js';
import { insideRoot } from '../../source/index.js';
import { type ProjectHomes, removeStore, rewriteStore } from '../../storage/index.js';
import { type BackupLine, listBackups, readBackup, rewriteBackups } from '../backups/index.js';
import { entriesOf } from '../folders.js';
import { graphsFolderOf, type HomeOptions, homesOf } from '../surroundings.js';
import { listProjects } from './project-list.js';
import { historyOf, knownProject, removeBackups } from './remove.js';
import { type StoreOwner, withStoresFree } from './store-owner.js';

/** Bytes that are read at a time: what was set aside may be larger than memory. */
const PIECE = 1024 * 1024;

/**
 * Whether a file holds one of some texts, as UTF-8. It is read in pieces.
 *
 * @param piece Bytes that are read at a time.
 * @throws Error as the disk fails.
 */
export function hasAnyOf(file: string, texts: readonly string[], piece = PIECE): boolean {
  const wanted = texts.map((text) => Buffer.from(text));
  // A text may begin in one piece and end in the next.
  const overlap = Math.max(0, ...wanted.map(({ length }) => length - 1));
  const bytes = Buffer.allocUnsafe(overlap + piece);
  const handle = openSync(file, 'r');
  try {
    for (let kept = 0; ; ) {
      const read = readSync(handle, bytes, kept, piece, null);
      if (read === 0) return false;
      const seen = bytes.subarray(0, kept + read);
      if (wanted.some((text) => seen.includes(text))) return true;
      kept = Math.min(overlap, seen.length);
      bytes.copyWithin(0, seen.length - kept, seen.length);
    }
  } finally {
    closeSync(handle);
  }
}

/** What is to be forgotten of a project: the events and memories to which all of it applies that is given. */
export interface Forgetting {
  /** A task's id, or its beginning. */
  readonly task?: string | undefined;
  /** A session, as the client names it, or the beginning of its name: all its tasks. */
  readonly session?: string | undefined;
  /** A path in the project, absolute: events that name it. */
  readonly file?: string | undefined;
  /** ISO 8601, or milliseconds since 1970. */
  readonly since?: string | number | undefined;
  /** A memory, by its id or the beginning of it: that alone. */
  readonly memory?: string | undefined;
}

/** What forgetting came to. */
export interface Forgotten {
  readonly root: string;
  readonly dry_run: boolean;
  /** Null: everything that was remembered, uncounted. */
  readonly events: number | null;
  /** Tasks that are gone, and tasks of which something is left. */
  readonly tasks: number | null;
  readonly tasks_changed: number | null;
  /** Memories that are gone with all that they said before. */
  readonly memories: number | null;
  /** Whether the code graph went too, as it may know a file that is gone. The next index makes it again. */
  readonly graph_removed: boolean;
}

/** Milliseconds after which nobody fetches an answer any more. */
const UNFETCHED_MS = 60_000;

/** Characters of a name that is found in bytes only where it is meant; a shorter one is looked for in quotes. */
const LEAST_NAME = 12;

const Told = z.object({
  session: z.string().nullable(),
  events: z.array(z.string()),
  tasks: z.array(z.string()),
  changed: z.array(z.string()),
  memories: z.array(z.string()),
  memory_versions: z.array(z.string()),
  knows_file: z.boolean(),
  names_file: z.boolean(),
});

/**
 * Forgets events (spec P-07): in the traces and all that was made from them, in backups, in what waits in the journal,
 * and in the bytes on disk, since the durable layer is written anew. Done again after it was cut off, it comes to its
 * end.
 *
 * @param root A real path.
 * @throws CodewalkError `NODE_NOT_FOUND`, `INVALID_INPUT`, `PATH_OUTSIDE_ROOT`, `STORE_LOCKED`.
 */
export async function forgetEvents(
  root: string,
  what: Forgetting,
  owner: StoreOwner,
  options: HomeOptions & { readonly dryRun?: boolean } = {},
): Promise<Forgotten> {
  const { dryRun = false } = options;
  const homes = homesOf(root, options);
  const file = what.file === undefined ? undefined : insideRoot(root, what.file);
  if (file?.path === '')
    throw new CodewalkError('INVALID_INPUT', `file: '${what.file}' is the whole project`, {
      suggestion: 'Give --project to forget all of it.',
      input: what.file,
    });
  const input = { ...what, file: file?.path };
  await owner.drain();
  const ask = async (dry_run: boolean) => {
    const limits = { deadlineMs: null, maxVisits: null, maxBytes: null };
    const request = { walker: 'trace_forget', root, input: { ...input, dry_run }, limits };
    return Told.parse((await owner.spawn(request)).body);
  };
  const planned = await ask(true);
  const { session } = what;
  const isKnown = planned.session !== null || planned.memories.length > 0;
  if (session !== undefined && !isKnown && !(await isNamedIn(session, homes))) throw noSession(session);
  const goes = file !== undefined && !file.exists;
  if (goes && !planned.names_file) throw noFile(file.path);
  const told = {
    root,
    dry_run: dryRun,
    events: planned.events.length,
    tasks: planned.tasks.length,
    tasks_changed: planned.changed.length,
    memories: planned.memories.length,
    graph_removed: goes,
  };
  if (dryRun) return told;
  // An archive of an earlier version goes into a backup. The backups come first: what they still had would not be found
  // by doing this again.
  if (existsSync(homes.archive)) await owner.backup(root);
  const kept = (told: z.infer<typeof Told>) =>
    without(told, { ...input, session: planned.session ?? session });
  await rewriteBackups(homes.backups, kept(planned));
  const gone = await ask(false);
  await withStoresFree(owner, root, async () => {
    await rewriteStore(homes.durable);
    await rewriteBackups(homes.backups, kept(gone));
  });
  if (goes) await withStoresFree(owner, root, () => removeStore(homes.derived));
  forgetRaw(homes.graphs, [
    what.task,
    planned.session?.startsWith(session ?? '') ? planned.session : session,
    file?.path,
  ]);
  return told;
}

/**
 * Forgets all that is remembered of a project or of every project: traces, memories, backups. Code graphs stay.
 *
 * @param root A real path, or the one that a vanished root had; null: every project.
 * @throws CodewalkError `PROJECT_NOT_INDEXED`, `STORE_LOCKED`.
 */
export async function forgetProjects(
  root: string | null,
  owner: StoreOwner,
  options: HomeOptions & { readonly dryRun?: boolean } = {},
): Promise<Forgotten[]> {
  const { dryRun = false } = options;
  const graphs = graphsFolderOf(options);
  const projects = root === null ? listProjects(options) : [historyOf(knownProject(root, options), options)];
  if (!dryRun) await owner.drain();
  const forgotten: Forgotten[] = [];
  for (const { hash, root: mine } of projects) {
    const place = mine ?? join(graphs, hash);
    if (!dryRun) {
      await withStoresFree(owner, place, async () => {
        await removeStore(join(graphs, hash, 'durable'));
        removeBackups(join(graphs, hash));
      });
    }
    const uncounted = { events: null, tasks: null, tasks_changed: null, memories: null };
    forgotten.push({ root: place, dry_run: dryRun, ...uncounted, graph_removed: false });
  }
  if (!dryRun) forgetRaw(graphs, root === null ? null : [root]);
  return forgotten;
}

/** Whether what was cut off, or set aside, still has a session that the traces know no more. */
async function isNamedIn(
  session: string,
  { durable, backups, archive, graphs }: ProjectHomes,
): Promise<boolean> {
  const aside = ['quarantine', 'held'].map((name) => join(graphs, 'journal', name));
  const name = session.length < LEAST_NAME ? JSON.stringify(session) : session;
  const files = [durable, archive, ...aside].flatMap(filesBeneath);
  if (files.some((file) => hasAnyOf(file, [name]))) return true;
  for (const { path } of listBackups(backups))
    try {
      for await (const page of readBackup(path)) if (JSON.stringify(page).includes(name)) return true;
    } catch {
      // One that cannot be read is removed.
    }
  return false;
}

function noSession(session: string): CodewalkError {
  return new CodewalkError(
    'NODE_NOT_FOUND',
    `session '${session}': nothing is recorded of it in this project`,
    {
      input: session,
      suggestion: "'codewalk tasks --json' lists the tasks with their sessions.",
    },
  );
}

/** The code graph may have had it once, but it is derived: nothing that could not be made again is in it. */
function noFile(path: string): CodewalkError {
  return new CodewalkError(
    'NODE_NOT_FOUND',
    `file '${path}': no recorded event names it, and it is not in the code graph`,
    {
      input: path,
      suggestion: "'codewalk tasks' and 'codewalk show' name the files that recorded work touched.",
    },
  );
}

/** Whether a text has a path: one that is longer on either side is another one. */
function saysPath(text: string, path: string): boolean {
  const isPart = (character: string | undefined) => character !== undefined && /[\w-]/u.test(character);
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + path.length])) return true;
  return false;
}

/** Which lines of a backup stay: a backup may have events that the store has not, as after a restore. */
function without(told: z.infer<typeof Told>, what: Forgetting): (line: BackupLine) => boolean {
  const gone = new Set([...told.events, ...told.tasks, ...told.memories, ...told.memory_versions]);
  const { session, memory, file = '' } = what;
  const meant = what.task === undefined ? null : new Set([...told.tasks, ...told.changed]);
  const since = what.since === undefined ? 0 : new Date(what.since).getTime();
  const tasks = new Set<string>();
  const isMeant = (line: Extract<BackupLine, { readonly type: 'event' }>) => {
    if (session !== undefined && [line.session, line.begins].includes(session)) tasks.add(line.task);
    return (
      (meant === null || meant.has(line.task)) &&
      (session === undefined || tasks.has(line.task)) &&
      (file === '' || saysPath(JSON.stringify(line).replaceAll('\\\\', '/'), file)) &&
      line.at >= since
    );
  };
  return (line) => {
    if (line.type === 'edge') return !gone.has(line.from) && !gone.has(line.to);
    return !gone.has(line.id) && (line.type !== 'event' || memory !== undefined || !isMeant(line));
  };
}

/**
 * Removes raw payloads that were set aside and name what is forgotten, and answers that nobody fetched.
 *
 * @param names null: all of them.
 */
function forgetRaw(graphs: string, names: readonly (string | undefined)[] | null): void {
  const wanted = names?.flatMap((name) => (name === undefined ? [] : [name, escaped(name)])) ?? null;
  for (const folder of ['quarantine', 'held'])
    for (const file of filesBeneath(join(graphs, 'journal', folder))) {
      if (wanted === null || hasAnyOf(file, wanted)) rmSync(file, { force: true });
    }
  for (const file of filesBeneath(join(graphs, 'spool')))
    if (isUnfetched(file)) rmSync(file, { force: true });
}

/** Whoever asked for an answer is reading it, if it is young. */
function isUnfetched(file: string): boolean {
  const written = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - written > UNFETCHED_MS;
}

/** As JSON spells it. */
function escaped(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}

/** Links hold no payload, wherever they lead: they and whatever else is no file are passed over. */
function filesBeneath(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBeneath(path);
    return entry.isFile() ? [path] : [];
  });
}
