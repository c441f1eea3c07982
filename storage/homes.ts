import { createHash } from 'node:crypto';
import { existsSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import nodePath from 'node:path';
import { CodewalkError, HOME_MARKER } from '../schema/index.js';
import { graphsHome, historyPath } from './home-paths.js';
import { storeError } from './store-error.js';

/** Where the two layers of one root are stored (ruling X-34). */
export interface ProjectHomes {
  readonly graphs: string;
  /** The folder of the derived layer's store: one per root. */
  readonly derived: string;
  /** The folder of the durable layer's store: shared by the worktrees of a repository. */
  readonly durable: string;
  /** The folder of the history's rolling backups. */
  readonly backups: string;
  /** 16 hexadecimal digits of the root's real path. */
  readonly projectHash: string;
  /** 16 hexadecimal digits of the main worktree's top level plus the root's path inside its worktree. */
  readonly historyHash: string;
  /** The path that names the history: the root itself in an ordinary checkout. */
  readonly history: string;
  /** The real path of the root. */
  readonly root: string;
}

/** What homes depend on beside a root. */
export interface HomesOptions {
  /** Environment: `GRAPHS_HOME` moves the home of all graphs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly userHome: string;
}

/**
 * The folders of a root's stores. Nothing is made yet.
 *
 * @throws CodewalkError `INVALID_ROOT` when the root is no folder.
 */
export function projectHomes(root: string, { env, userHome }: HomesOptions): ProjectHomes {
  const real = realFolder(root);
  return homesUnder(graphsFolder({ env, userHome }), real, historyPath(real));
}

/** The folder of all graphs (ruling X-16). It need not be there. */
export function graphsFolder({ env, userHome }: HomesOptions): string {
  return graphsHome(env, userHome, isFolder, nodePath);
}

/** The folders of a root that need not be there any more, given the path that names its history. */
export function homesUnder(graphs: string, root: string, history: string): ProjectHomes {
  const projectHash = pathHash(root);
  const historyHash = pathHash(history);
  return {
    graphs,
    derived: nodePath.join(graphs, projectHash, 'derived'),
    durable: nodePath.join(graphs, historyHash, 'durable'),
    backups: nodePath.join(graphs, historyHash, 'backups'),
    projectHash,
    historyHash,
    history,
    root,
  };
}

/**
 * Marks the folder that holds all graphs, so that indexing a root around it leaves it out.
 *
 * @throws CodewalkError `STORE_FULL` when it cannot be written.
 */
export function markHome(graphs: string): void {
  const marker = nodePath.join(graphs, HOME_MARKER);
  if (existsSync(marker)) return;
  try {
    writeFileSync(marker, 'Codewalk keeps its graphs in this folder.\n', { mode: 0o600 });
  } catch (thrown) {
    throw storeError(thrown, marker);
  }
}

/** 64 bits of a path's SHA-256, in hexadecimal; composed and decomposed names are one. */
export function pathHash(path: string): string {
  return createHash('sha256').update(path.normalize('NFC')).digest('hex').slice(0, 16);
}

/** What cannot be looked at (missing, below a file, forbidden) counts as not there. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function realFolder(root: string): string {
  const path = nodePath.resolve(root);
  if (isFolder(path)) return realpathSync.native(path);
  throw new CodewalkError('INVALID_ROOT', `${root} is no folder`, {
    suggestion: 'Give the path of a project folder that exists.',
    input: root,
  });
}
