import { compareText, type StepsContext } from '../../../runtime/index.js';
import {
  type DiscoveredFile,
  decidesForOthers,
  discover,
  isManifest,
  languageOf,
  readText,
} from '../../../source/index.js';
import { byOf } from '../indexing/changed-files.js';
import { directoriesOf } from '../indexing/directory-parts.js';
import { isSameFile, stampOf } from '../indexing/file-state.js';
import type { ProjectIndex } from '../indexing/project-index.js';
import { knownFile, rootOf } from '../indexing/scope.js';
import { turn } from '../indexing/turn.js';
import { KNOWN_TREE, KnownTree } from './known-tree.js';

/** One path that the graph has otherwise than the disk. */
export interface ChangedPath {
  /** Root-relative. */
  readonly path: string;
  readonly change: 'changed' | 'new' | 'gone';
}

/** What a look at a project found. */
export interface ChangesFound {
  /** In path order. */
  readonly changes: ChangedPath[];
  /** Folders that discovery looks into, among those that were looked at: absolute, as on disk. */
  readonly folders: string[];
  /** Whether a path among them decides about other files: then these can have changed, too. */
  readonly decides: boolean;
}

/** Files that are read before others have their turn. */
const READS_PER_TURN = 100;
/** More files than these are found by looking at everything. */
const FEW_FILES = 200;

/**
 * Compares the whole project with its index: by statuses alone where nothing came or went, else by the rules of
 * discovery. Where a status differs the content decides.
 */
export async function allChanges(context: StepsContext, index: ProjectIndex): Promise<ChangesFound> {
  const kept = context.kept(KNOWN_TREE);
  const known = kept.tree?.fits(index.project) ? kept.tree : null;
  if (known) {
    const { files, elsewhere } = await known.glance(index);
    if (!elsewhere && files.length === 0) return { changes: [], folders: diskPaths(known), decides: false };
    if (!elsewhere && files.length <= FEW_FILES)
      return { ...(await changesAt(context, index, files)), folders: diskPaths(known) };
  }
  const since = context.now();
  const found = await discovered(context, index, ['']);
  const { changes, unreadable } = await compared(context, index, found.files, [...index.states.keys()]);
  kept.tree = new KnownTree(index.project, found, unreadable, since);
  return { changes, folders: diskPaths(found), decides: changes.some(isDeciding) };
}

/**
 * Compares what stands at paths, and beneath those that are folders, with the index.
 *
 * @param paths Root-relative, NFC.
 */
export async function changesAt(
  context: StepsContext,
  index: ProjectIndex,
  paths: readonly string[],
): Promise<ChangesFound> {
  const found = await discovered(context, index, paths);
  const folders = directoriesOf(found.files.map(({ path }) => path));
  const asked = new Set(paths);
  const isAsked = (path: string) =>
    asked.has('') || asked.has(path) || folders.has(path) || foldersAbove(path).some((at) => asked.has(at));
  const indexed = [...index.states.keys()].filter(isAsked);
  const { changes } = await compared(context, index, found.files, indexed);
  const known = new Set(found.files.map(({ path }) => path));
  // What the graph never has can decide, too: an ignore file that ignores itself, a mark in a folder that is skipped.
  const decides = changes.some(isDeciding) || paths.some((path) => !known.has(path) && isDeciding({ path }));
  return { changes, folders: diskPaths(found), decides };
}

function isDeciding({ path }: Pick<ChangedPath, 'path'>): boolean {
  return isManifest(path) || decidesForOthers(path);
}

function diskPaths({ folders }: Pick<KnownTree, 'folders'>): string[] {
  return folders.map(({ diskPath }) => diskPath);
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join('/'));
}

function discovered(context: StepsContext, index: ProjectIndex, only: readonly string[]) {
  const { include, exclude, max_file_bytes } = index.project;
  return discover(rootOf(context), {
    languageOf,
    include,
    exclude,
    limits: { maxFileBytes: max_file_bytes },
    only,
    known: knownFile(index),
    signal: context.signal,
  });
}

/** @param indexed The paths that should be among the files if they still are there. */
async function compared(
  context: StepsContext,
  index: ProjectIndex,
  files: readonly DiscoveredFile[],
  indexed: readonly string[],
): Promise<{ readonly changes: ChangedPath[]; readonly unreadable: ReadonlySet<string> }> {
  const now = context.now();
  const found = new Set(files.map(({ path }) => path));
  const unreadable = new Set<string>();
  const changes: ChangedPath[] = indexed
    .filter((path) => !found.has(path))
    .map((path) => ({ path, change: 'gone' }));
  let read = 0;
  for (const file of files) {
    const { path } = file;
    const state = index.states.get(path);
    if (state && state.by === byOf(file) && isSameFile(state, file)) continue;
    if (++read % READS_PER_TURN === 0) await turn(context);
    const content = readText(file);
    // The graph has no file that cannot be read.
    if (!content.ok) {
      unreadable.add(path);
      if (state) changes.push({ path, change: 'gone' });
    } else if (!state) changes.push({ path, change: 'new' });
    else if (state.by !== byOf(file)) changes.push({ path, change: 'changed' });
    else if (state.hash === content.hash || (state.hash === '' && state.mtime_ms === file.mtimeMs))
      index.set(path, { ...state, stamp: stampOf(file, now), mtime_ms: file.mtimeMs });
    else changes.push({ path, change: 'changed' });
  }
  return { changes: changes.sort((a, b) => compareText(a.path, b.path)), unreadable };
}
