import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { CodewalkError } from '../../schema/index.js';
import { pathHash, removeStore } from '../../storage/index.js';
import { entriesOf } from '../folders.js';
import { graphsFolderOf, type HomeOptions } from '../surroundings.js';
import { readProjectFile, writeProjectFile } from './project-file.js';
import { findProject, listProjects, type Project, type ProjectBytes } from './project-list.js';
import { type StoreOwner, withStoresFree } from './store-owner.js';

/** What is removed of a project. */
export interface RemoveOptions extends HomeOptions {
  /** Its traces, memories and backups too. Default false: only the derived layer, which the next index makes again. */
  readonly withHistory?: boolean;
  /** Only say what would be removed. Default false. */
  readonly dryRun?: boolean;
  /** Remove a history that other roots share. Default false. */
  readonly force?: boolean;
}

/** What was removed. */
export interface Removal {
  readonly root: string;
  readonly dry_run: boolean;
  /** What was on disk of that which is removed; 0 for what stays. */
  readonly bytes: ProjectBytes;
  /** Other roots with the same history. */
  readonly shared_with: readonly string[];
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
): Promise<Removal> {
  const { withHistory = false, dryRun = false, force = false } = options;
  const project = knownProject(root, options);
  const history = historyOf(project, options);
  const shared_with = listProjects(options)
    .filter(({ hash, history }) => hash !== project.hash && history === project.history)
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
      if (!withHistory) return;
      await removeStore(join(graphs, history.hash, 'durable'));
      removeBackups(join(graphs, history.hash));
    });
    for (const hash of new Set([project.hash, history.hash])) tidyFolder(join(graphs, hash));
  }
  return { root, dry_run: dryRun, bytes, shared_with };
}

/**
 * What is known of a root.
 *
 * @throws CodewalkError `PROJECT_NOT_INDEXED`
 */
export function knownProject(root: string, options: HomeOptions): Project {
  const project = findProject(root, options);
  if (project) return project;
  throw new CodewalkError('PROJECT_NOT_INDEXED', `Nothing is stored of ${root}`, {
    input: root,
    suggestion: "'codewalk projects' lists the roots of which something is.",
  });
}

/** The project whose folder holds the history of another one: that itself, unless it is a worktree. */
export function historyOf(project: Project, options: HomeOptions): Project {
  const hash = project.history === null ? project.hash : pathHash(project.history);
  return listProjects(options).find((one) => one.hash === hash) ?? project;
}

/** Removes the backups of a history, and the archive of an earlier version. @param folder Of the history. */
export function removeBackups(folder: string): void {
  for (const name of ['backups', 'archive']) rmSync(join(folder, name), { recursive: true, force: true });
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
