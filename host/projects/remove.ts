import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compareText } from '../../runtime/index.js';
import { CodewalkError, HOME_MARKER, LIMITS, toCodewalkError } from '../../schema/index.js';
import { removeStore } from '../../storage/index.js';
import { outdatedBackups } from '../backups/backup-file.js';
import { settingsFor } from '../config.js';
import { ageOf, entriesOf, folderSize, sizeOf } from '../files.js';
import type { Host } from '../host.js';
import { graphsFolderOf, type HomeOptions } from '../surroundings.js';
import {
  historyOf,
  knownProject,
  listProjects,
  type Project,
  type ProjectBytes,
  readProjectFile,
  writeProjectFile,
} from './project-list.js';

/** Who may have stores open while they are moved, removed or rebuilt: the daemon, or this process. */
export type StoreOwner = Pick<Host, 'spawn' | 'release' | 'drain' | 'backup'>;

/** A process that asked for something just now may have had the store opened again. */
const TRIES = 3;

/**
 * Does something with the stores of a root while nobody has them open. What it does may be done again.
 *
 * @throws CodewalkError `STORE_LOCKED` when somebody else has them, or as the work does.
 */
export async function withStoresFree<T>(
  owner: Pick<StoreOwner, 'release'>,
  root: string,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    await owner.release(root);
    try {
      return await work();
    } catch (thrown) {
      if (tries === TRIES || toCodewalkError(thrown).code !== 'STORE_LOCKED') throw thrown;
    }
  }
}

interface RemoveOptions extends HomeOptions {
  /** Its traces, memories and backups too. Default false: only the derived layer, which the next index makes again. */
  readonly withHistory?: boolean;
  /** Only say what would be removed. Default false. */
  readonly dryRun?: boolean;
  /** Remove a history that other roots share. Default false. */
  readonly force?: boolean;
}

/**
 * Removes what is stored of a root, which may have vanished. Its settings stay.
 *
 * @param root A real path, or the one that a vanished root had.
 * @throws CodewalkError `PROJECT_NOT_INDEXED`, `HISTORY_REFUSED` when other roots share the history, `STORE_LOCKED`.
 */
export async function removeProject(
  root: string,
  owner: Pick<StoreOwner, 'release'>,
  options: RemoveOptions = {},
) {
  const { withHistory = false, dryRun = false, force = false } = options;
  const project = knownProject(root, options);
  const history = historyOf(project, options);
  const shared_with = listProjects(options)
    .filter((other) => other.hash !== project.hash && other.history === project.history)
    .flatMap((other) => other.root ?? []);
  if (withHistory && shared_with.length > 0 && !force)
    throw new CodewalkError(
      'HISTORY_REFUSED',
      `The history of ${root} is that of ${shared_with.join(', ')} too`,
      {
        input: root,
        suggestion: 'Leave out --with-history, or give --force to remove it for all of them.',
      },
    );
  const { durable, backups } = withHistory ? history.bytes : { durable: 0, backups: 0 };
  const bytes = { derived: project.bytes.derived, durable, backups };
  if (!dryRun) {
    const graphs = graphsFolderOf(options);
    await withStoresFree(owner, root, async () => {
      await removeStore(join(graphs, project.hash, 'derived'));
      if (withHistory) await removeHistory(join(graphs, history.hash));
    });
    for (const hash of new Set([project.hash, history.hash])) tidyFolder(join(graphs, hash));
  }
  return {
    root,
    dry_run: dryRun,
    /** What was on disk of that which is removed; 0 for what stays. */
    bytes,
    /** Other roots with the same history. */
    shared_with,
  };
}

/** Removes traces, memories and backups, while nobody has them open. @param folder Of the history. */
export async function removeHistory(folder: string): Promise<void> {
  await removeStore(join(folder, 'durable'));
  rmSync(join(folder, 'backups'), { recursive: true, force: true });
}

/** What is worth nothing without a store: which root it was, and the folder of its watcher's fences. */
const NO_STORE = new Set(['project.json', 'fence']);

/** Removes a folder that holds no store, and records in its project file when it holds no index. */
export function tidyFolder(folder: string): void {
  const names = entriesOf(folder).map(({ name }) => name);
  const file = readProjectFile(folder);
  if (names.every((name) => NO_STORE.has(name))) rmSync(folder, { recursive: true, force: true });
  else if (file?.index && !names.includes('derived')) writeProjectFile(folder, { ...file, index: null });
}

/** One thing that is dropped. */
interface Garbage {
  /** `derived`: a code graph, which the next index makes again; `backup`: an old one; `leftover`: of a crash. */
  readonly what: 'derived' | 'backup' | 'leftover';
  readonly path: string;
  /** Null: of no project. */
  readonly root: string | null;
  readonly bytes: number;
  readonly why: string;
}

/** Files and stores that were being written or replaced. */
const TEMPORARY = /\.(?:tmp|new|removed)$/;

/**
 * Drops what retention allows to drop (spec P-08): derived layers of roots that have vanished; of the others the least
 * recently used while all take more than `cache_bytes`, but never the last one; backups beyond those of P-07; leftovers
 * of crashes.
 */
export async function collectGarbage(
  owner: Pick<StoreOwner, 'release'>,
  now: number,
  { dryRun = false, ...options }: HomeOptions & { readonly dryRun?: boolean } = {},
) {
  const graphs = graphsFolderOf(options);
  const projects = listProjects(options);
  const found = [
    ...leftovers(graphs, projects, now),
    ...spareGraphs(graphs, projects, settingsFor(null, options).cache_bytes),
    ...spareBackups(graphs, projects),
  ];
  const dropped: (Garbage & { readonly kept: string | null })[] = [];
  // `kept` says why it is still there.
  for (const one of found) dropped.push({ ...one, kept: dryRun ? null : await drop(one, owner) });
  for (const { hash } of dryRun ? [] : projects) tidyFolder(join(graphs, hash));
  const bytes = dropped.reduce((sum, one) => sum + (one.kept === null ? one.bytes : 0), 0);
  return { dry_run: dryRun, dropped, bytes };
}

/** @returns why it could not be dropped; null: it was. */
async function drop({ what, path, root }: Garbage, owner: Pick<StoreOwner, 'release'>) {
  try {
    if (what === 'derived') await withStoresFree(owner, root ?? path, () => removeStore(path));
    else rmSync(path, { recursive: true, force: true });
    return null;
  } catch (thrown) {
    return toCodewalkError(thrown).message;
  }
}

function spareGraphs(graphs: string, projects: readonly Project[], most: number): Garbage[] {
  const indexed = projects
    .filter(({ bytes }) => bytes.derived > 0)
    .sort((a, b) => compareText(a.used_at ?? '', b.used_at ?? '') || compareText(a.hash, b.hash));
  const there = indexed.filter(({ gone }) => !gone);
  let total = there.reduce((sum, { bytes }) => sum + bytes.derived, 0);
  return indexed.flatMap(({ hash, root, bytes: { derived: bytes }, gone }) => {
    if (!gone && (total <= most || hash === there.at(-1)?.hash)) return [];
    if (!gone) total -= bytes;
    const why = gone ? 'its root has vanished' : `all graphs take more than ${most} bytes`;
    return [{ what: 'derived' as const, path: join(graphs, hash, 'derived'), root, bytes, why }];
  });
}

/** Backups that restores left beyond the number that is stored. */
function spareBackups(graphs: string, projects: readonly Project[]): Garbage[] {
  const why = `the history has ${LIMITS.backupsKept.default} newer ones`;
  return projects.flatMap(({ hash, root }) =>
    outdatedBackups(join(graphs, hash, 'backups')).map(({ path, bytes }) => ({
      ...{ what: 'backup' as const, path, root, bytes, why },
    })),
  );
}

/** Answers that were not fetched, and files and stores that were set aside before a crash. */
function leftovers(graphs: string, projects: readonly Project[], now: number): Garbage[] {
  const pathsIn = (folder: string) => entriesOf(folder).map(({ name }) => join(folder, name));
  const folders = projects.flatMap(({ hash }) => [join(graphs, hash), join(graphs, hash, 'backups')]);
  const temporary = [graphs, ...folders].flatMap(pathsIn).filter((path) => TEMPORARY.test(path));
  const why = 'a run that did not come to its end left it';
  return [...pathsIn(join(graphs, 'spool')), ...temporary]
    .filter((path) => ageOf(path, now) > LIMITS.leftoverAge.max)
    .map((path) => ({ what: 'leftover', path, root: null, bytes: sizeOf(path), why }));
}

/** See {@link homeSizes}. */
export type HomeSizes = ReturnType<typeof homeSizes>;

/**
 * Bytes that a graphs home takes, and how many `projects` it has; all 0 where there is none. `rest`: the journal, settings,
 * the daemon's log, what is not ours.
 */
export function homeSizes(home: string) {
  const projects = listProjects({ home });
  const sum = (layer: keyof ProjectBytes) => projects.reduce((all, { bytes }) => all + bytes[layer], 0);
  const [derived, durable, backups] = [sum('derived'), sum('durable'), sum('backups')];
  const total = folderSize(home);
  const rest = total - derived - durable - backups;
  return { total, projects: projects.length, derived, durable, backups, rest };
}

/** What stands in a graphs home: projects and histories by their hashes, and what serves all of them. */
const OURS =
  /^(?:[0-9a-f]{16}(?:[.-].*)?|daemon(?:[.-].*)?|(?:config|installs)\.json(?:\..*)?|journal|spool|paused|\.codewalk-home)$/u;

/**
 * Removes all that there is in a graphs home, and the folder, if nobody else has anything in it. Its daemon has ended.
 *
 * @returns what is not ours and stays.
 * @throws CodewalkError `INVALID_INPUT` where the folder is no graphs home.
 */
export function purgeHome(home: string): string[] {
  if (!existsSync(home)) return [];
  const names = readdirSync(home);
  const left = names.filter((name) => !OURS.test(name)).sort();
  if (left.length > 0 && !names.includes(HOME_MARKER))
    throw new CodewalkError('INVALID_INPUT', `${home} is no folder of graphs: nothing in it is removed`, {
      input: home,
      suggestion: 'Name the right one with --home or GRAPHS_HOME.',
    });
  // The mark goes last: what a crash leaves is still known as ours.
  const ours = names.filter((name) => OURS.test(name) && name !== HOME_MARKER);
  for (const name of [...ours, HOME_MARKER]) rmSync(join(home, name), { recursive: true, force: true });
  if (left.length === 0) rmdirSync(home);
  return left;
}
