import { join } from 'node:path';
import { compareText } from '../../runtime/index.js';
import { isFolder, pathHash } from '../../storage/index.js';
import { readConfig } from '../config.js';
import { entriesOf, folderSize } from '../folders.js';
import { graphsFolderOf, type HomeOptions } from '../surroundings.js';
import { type ProjectFile, readProjectFile } from './project-file.js';

/** Bytes on disk. */
export interface ProjectBytes {
  /** The code graph, with all that indexing keeps. */
  readonly derived: number;
  /** Traces and memories. */
  readonly durable: number;
  /** Backups of these, and the archive of an earlier version. */
  readonly backups: number;
}

/** One folder among the graphs. */
export interface Project {
  /** Of the root's real path: the folder's name. */
  readonly hash: string;
  /** Null: a folder of an earlier version, which says nothing of itself until its project is opened again. */
  readonly root: string | null;
  /**
   * `project`: it has a history of its own; `worktree`: its history is that of another root (`history`); `history`:
   * only that of worktrees; `unknown`: see `root`.
   */
  readonly kind: 'project' | 'worktree' | 'history' | 'unknown';
  /** The root under whose folder its history lies; null where it is unknown. */
  readonly history: string | null;
  /** As its last index found them; null: unknown. */
  readonly files: number | null;
  readonly symbols: number | null;
  readonly revision: number | null;
  /** ISO 8601; null: unknown, or never. */
  readonly indexed_at: string | null;
  readonly used_at: string | null;
  readonly first_commit: string | null;
  /** Where the root lies in its repository's work tree; null: unknown, or in none. */
  readonly inside: string | null;
  /** Of this folder: the history of a worktree counts where it lies. */
  readonly bytes: ProjectBytes;
  /** Whether nothing is recorded in it. */
  readonly paused: boolean;
  /** Whether its root is no folder any more. */
  readonly gone: boolean;
}

/** Every project that has a graph, by root, from files alone: their stores may be open elsewhere. */
export function listProjects(options: HomeOptions = {}): Project[] {
  const graphs = graphsFolderOf(options);
  const folders = entriesOf(graphs).filter(
    (entry) => entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name),
  );
  const files = new Map(folders.map(({ name }) => [name, readProjectFile(join(graphs, name))]));
  // A main worktree that was never opened itself is known by its others.
  const histories = new Map(
    [...files.values()].flatMap((file) => (file ? [[pathHash(file.history), file]] : [])),
  );
  const { projects = {} } = readConfig(options);
  return [...files]
    .map(([hash, file]) => {
      const root = file?.root ?? histories.get(hash)?.history ?? null;
      const paused = root !== null && Object.hasOwn(projects, root) && projects[root]?.paused === true;
      return rowOf(join(graphs, hash), hash, file, root, paused);
    })
    .sort((a, b) => compareText(a.root ?? `\uffff${a.hash}`, b.root ?? `\uffff${b.hash}`));
}

/** The project of a root, which need not be there any more; null where it has no graph. */
export function findProject(root: string, options: HomeOptions = {}): Project | null {
  const projects = listProjects(options);
  return (
    projects.find((project) => project.root === root) ??
    projects.find(({ hash }) => hash === pathHash(root)) ??
    null
  );
}

function rowOf(
  folder: string,
  hash: string,
  file: ProjectFile | null,
  root: string | null,
  paused: boolean,
): Project {
  const { index = null, history = root } = file ?? {};
  return {
    hash,
    root,
    kind: kindOf(hash, file, root),
    history,
    files: index?.files ?? null,
    symbols: index?.symbols ?? null,
    revision: index?.revision ?? null,
    indexed_at: index?.at ?? null,
    used_at: file?.used_at ?? null,
    first_commit: file?.first_commit ?? null,
    inside: file?.inside ?? null,
    bytes: {
      derived: folderSize(join(folder, 'derived')),
      durable: folderSize(join(folder, 'durable')),
      backups: folderSize(join(folder, 'backups')) + folderSize(join(folder, 'archive')),
    },
    paused,
    gone: root !== null && !isFolder(root),
  };
}

function kindOf(hash: string, file: ProjectFile | null, root: string | null): Project['kind'] {
  if (file) return pathHash(file.history) === hash ? 'project' : 'worktree';
  return root === null ? 'unknown' : 'history';
}
