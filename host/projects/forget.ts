import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CodewalkError } from '../../schema/index.js';
import { insideRoot } from '../../source/index.js';
import { type ProjectHomes, removeStore, rewriteStore } from '../../storage/index.js';
import { saysPath } from '../../walkers/index.js';
import { type BackupLine, listBackups, readBackup, rewriteBackups } from '../backups/backup-file.js';
import { ageOf, filesBeneath } from '../files.js';
import { graphsFolderOf, type HomeOptions, homesOf } from '../surroundings.js';
import { historyOf, knownProject, listProjects } from './project-list.js';
import { removeHistory, type StoreOwner, withStoresFree } from './remove.js';

/** What is to be forgotten of a project: the events and memories to which all given fields apply. */
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

/** What was forgotten. */
export interface Forgotten {
  readonly root: string;
  readonly dry_run: boolean;
  /** Null: everything that was remembered, uncounted. */
  readonly events: number | null;
  /** Tasks that are gone, and tasks of which something is left. */
  readonly tasks: number | null;
  readonly tasks_changed: number | null;
  /** Memories that are gone with all their versions. */
  readonly memories: number | null;
  /** Whether the code graph went too, as it may know a file that is gone. The next index makes it again. */
  readonly graph_removed: boolean;
}

/** Milliseconds after which an answer in the spool is not fetched any more. */
const UNFETCHED_MS = 60_000;
/** Characters of a name that is searched for in bytes as it is; a shorter one is searched for in quotes. */
const LEAST_NAME = 12;

const ids = z.array(z.string());
/** What the walker `trace_forget` answers. */
const Erased = z.object({
  session: z.string().nullable(),
  ...{ events: ids, tasks: ids, changed: ids, memories: ids, memory_versions: ids },
  names_file: z.boolean(),
});
type Erased = z.infer<typeof Erased>;

/**
 * Forgets events (spec P-07): in the traces and all that was made from them, in backups, in the journal, and in the bytes
 * on disk, since the durable layer is rewritten. An interrupted call is completed by another one.
 *
 * @throws CodewalkError `NODE_NOT_FOUND`, `INVALID_INPUT`, `PATH_OUTSIDE_ROOT`, `STORE_LOCKED`.
 */
export async function forgetEvents(
  root: string,
  what: Forgetting,
  owner: StoreOwner,
  { dryRun = false, ...options }: HomeOptions & { readonly dryRun?: boolean } = {},
): Promise<Forgotten> {
  const homes = homesOf(root, options);
  const file = what.file === undefined ? undefined : insideRoot(root, what.file);
  if (file?.path === '')
    throw new CodewalkError('INVALID_INPUT', `file: '${what.file}' is the whole project`, {
      suggestion: 'Give --project to forget all of it.',
      input: what.file,
    });
  const input = { ...what, file: file?.path };
  await owner.drain();
  const erase = async (dry_run: boolean) => {
    const limits = { deadlineMs: null, maxVisits: null, maxBytes: null };
    const request = { walker: 'trace_forget', root, input: { ...input, dry_run }, limits };
    return Erased.parse((await owner.spawn(request)).body);
  };
  const planned = await erase(true);
  const isGone = file !== undefined && !file.exists;
  if (isGone && !planned.names_file)
    throw unknown(
      file.path,
      `file '${file.path}': no recorded event names it, and it is not in the code graph`,
      "'codewalk tasks' and 'codewalk show' name the files that recorded work touched.",
    );
  const isKnown = planned.session !== null || planned.memories.length > 0;
  if (what.session !== undefined && !isKnown && !(await isNamedIn(what.session, homes)))
    throw unknown(
      what.session,
      `session '${what.session}': nothing is recorded of it in this project`,
      "'codewalk tasks --json' lists the tasks with their sessions.",
    );
  const forgotten = {
    root,
    dry_run: dryRun,
    events: planned.events.length,
    tasks: planned.tasks.length,
    tasks_changed: planned.changed.length,
    memories: planned.memories.length,
    graph_removed: isGone,
  };
  if (dryRun) return forgotten;
  const session = planned.session ?? what.session;
  const rewriteAll = (erased: Erased) =>
    rewriteBackups(homes.backups, isRetained(erased, { ...input, session }));
  // Backups come first: after an interruption, what only they still had could not be found any more.
  await rewriteAll(planned);
  const erased = await erase(false);
  await withStoresFree(owner, root, async () => {
    await rewriteStore(homes.durable);
    await rewriteAll(erased);
    if (isGone) await removeStore(homes.derived);
  });
  const isWhole = planned.session?.startsWith(what.session ?? '');
  forgetRaw(homes.graphs, [what.task, isWhole ? session : what.session, file?.path]);
  return forgotten;
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
  { dryRun = false, ...options }: HomeOptions & { readonly dryRun?: boolean } = {},
): Promise<Forgotten[]> {
  const graphs = graphsFolderOf(options);
  const projects = root === null ? listProjects(options) : [historyOf(knownProject(root, options), options)];
  const folders = projects.map(({ hash, root }) => ({ folder: join(graphs, hash), root }));
  if (!dryRun) {
    await owner.drain();
    for (const { folder, root } of folders)
      await withStoresFree(owner, root ?? folder, () => removeHistory(folder));
    forgetRaw(graphs, root === null ? null : [root]);
  }
  const uncounted = { events: null, tasks: null, tasks_changed: null, memories: null };
  return folders.map(({ folder, root }) => ({
    ...{ root: root ?? folder, dry_run: dryRun, ...uncounted, graph_removed: false },
  }));
}

/** Whether what an interrupted call left, or what was set aside, still has a session that the traces do not have. */
async function isNamedIn(session: string, homes: ProjectHomes): Promise<boolean> {
  const name = session.length < LEAST_NAME ? JSON.stringify(session) : session;
  const files = [homes.durable, ...rawFolders(homes.graphs)].flatMap(filesBeneath);
  if (files.some((file) => holdsAny(file, [name]))) return true;
  for (const { path } of listBackups(homes.backups))
    try {
      for await (const page of readBackup(path)) if (JSON.stringify(page).includes(name)) return true;
    } catch {
      // A backup that cannot be read is removed.
    }
  return false;
}

function unknown(input: string, message: string, suggestion: string): CodewalkError {
  return new CodewalkError('NODE_NOT_FOUND', message, { input, suggestion });
}

/** Which lines of a backup stay: a backup may have events that the store has not, as after a restore. */
function isRetained(erased: Erased, what: Forgetting): (line: BackupLine) => boolean {
  const gone = new Set([...erased.events, ...erased.tasks, ...erased.memories, ...erased.memory_versions]);
  const { session, memory, file } = what;
  const named = what.task === undefined ? null : new Set([...erased.tasks, ...erased.changed]);
  const since = what.since === undefined ? 0 : new Date(what.since).getTime();
  const says = file === undefined ? () => true : saysPath(file);
  const tasks = new Set<string>();
  const isForgotten = (line: Extract<BackupLine, { readonly type: 'event' }>) => {
    if (session !== undefined && [line.session, line.begins].includes(session)) tasks.add(line.task);
    return (
      (named === null || named.has(line.task)) &&
      (session === undefined || tasks.has(line.task)) &&
      line.at >= since &&
      says(line)
    );
  };
  return (line) => {
    if (line.type === 'edge') return !gone.has(line.from) && !gone.has(line.to);
    return !gone.has(line.id) && (line.type !== 'event' || memory !== undefined || !isForgotten(line));
  };
}

/**
 * Removes raw payloads that were set aside and name what is forgotten, and answers that were not fetched.
 *
 * @param names null: all of them.
 */
function forgetRaw(graphs: string, names: readonly (string | undefined)[] | null): void {
  // As it is, and as JSON spells it.
  const wanted = names?.flatMap((name) =>
    name === undefined ? [] : [name, JSON.stringify(name).slice(1, -1)],
  );
  for (const file of rawFolders(graphs).flatMap(filesBeneath))
    if (!wanted || holdsAny(file, wanted)) rmSync(file, { force: true });
  // The caller may still be reading a young answer.
  for (const file of filesBeneath(join(graphs, 'spool')))
    if (ageOf(file) > UNFETCHED_MS) rmSync(file, { force: true });
}

/** Where the journal sets payloads aside. */
function rawFolders(graphs: string): string[] {
  return ['quarantine', 'held'].map((name) => join(graphs, 'journal', name));
}

/** Whether a file holds one of some texts, as UTF-8. */
function holdsAny(file: string, texts: readonly string[]): boolean {
  const bytes = readFileSync(file);
  return texts.some((text) => bytes.includes(text));
}
