import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareText, type Slot, type StepsContext } from '../../runtime/index.js';
import {
  type DiscoveredFile,
  type Discovery,
  decidesForOthers,
  discover,
  type EnteredFolder,
  type FileStatus,
  foldersAbove,
  ignoreFilesAbove,
  isManifest,
  languageOf,
  readText,
  type SkippedFile,
  type SkipReason,
  statusAt,
  type TrackedMark,
  trackedMark,
} from '../../source/index.js';
import { byOf } from './changed-files.js';
import { directoriesOf } from './directory-parts.js';
import { type FileStamp, isSameFile, stampOf } from './file-state.js';
import type { ProjectIndex, ProjectState } from './project-index.js';
import { knownFile, rootOf } from './scope.js';
import { turn } from './turn.js';

/** Reasons that another content of the same entry takes back: nothing else than the entry itself tells. */
const BY_CONTENT: ReadonlySet<SkipReason> = new Set([
  'too-large',
  'binary',
  'not-utf8',
  'unreadable',
  'vanished',
]);
/** Entries looked at before others have their turn. */
const ENTRIES_PER_TURN = 500;

/** One entry as it was when it was looked at. */
interface Entry {
  readonly diskPath: string;
  /** Null where it was too young to be believed, or was not there. */
  readonly stamp: FileStamp | null;
}

/** What a look at the statuses of everything tells. */
interface Glance {
  /** Files that are not, by their status, what they were when they were indexed or found to be no text. */
  readonly files: readonly string[];
  /** Whether a folder, or what decides about other files, is another: then all has to be discovered again. */
  readonly elsewhere: boolean;
}

/**
 * What discovery saw of a project when it last looked at all of it: the next look is one `lstat` per entry, with no
 * folder listed and no rule tried, as long as no folder changed.
 */
class KnownTree {
  /** The folders that were looked into. */
  readonly folders: readonly EnteredFolder[];
  readonly #rules: string;
  readonly #files = new Map<string, Entry>();
  readonly #deciding: readonly Entry[];
  readonly #root: string;
  #tracked: TrackedMark;

  /**
   * @param unreadable Paths of files that are taken by their names and whose content is no text.
   * @param since When the discovery began, in milliseconds since 1970.
   */
  constructor(
    project: ProjectState,
    { root, files, skipped, folders }: Discovery,
    unreadable: ReadonlySet<string>,
    since: number,
  ) {
    this.#rules = rulesOf(project);
    this.folders = folders;
    this.#root = root;
    this.#tracked = trackedMark(root);
    const entryAt = (diskPath: string): Entry => ({ diskPath, stamp: stampAt(diskPath, since) });
    const isFile = ({ path }: SkippedFile) => !path.endsWith('/');
    // What is or will be in the graph is compared with the graph's own state.
    for (const { path, diskPath } of files)
      this.#files.set(path, unreadable.has(path) ? entryAt(diskPath) : { diskPath, stamp: null });
    for (const { path } of skipped.filter(isFile).filter(({ reason }) => BY_CONTENT.has(reason)))
      this.#files.set(path, entryAt(join(root, path)));
    const hidden = skipped.filter(isFile).filter(({ path }) => decidesForOthers(path));
    this.#deciding = [
      ...folders.map(({ diskPath }) => diskPath),
      ...hidden.map(({ path }) => join(root, path)),
      ...ignoreFilesAbove(root),
    ].map(entryAt);
  }

  /** Whether it was looked at by the rules of this project. */
  fits(project: ProjectState): boolean {
    return this.#rules === rulesOf(project);
  }

  /** Looks at the status of every entry. */
  async glance({ states }: Pick<ProjectIndex, 'states'>): Promise<Glance> {
    const files: string[] = [];
    let looked = 0;
    const { paths } = this.#tracked;
    this.#tracked = trackedMark(this.#root, this.#tracked);
    if (this.#tracked.paths !== paths) return { files, elsewhere: true };
    for (const { diskPath, stamp } of this.#deciding) {
      if (!isSame(stamp, statusAt(diskPath))) return { files, elsewhere: true };
      if (++looked % ENTRIES_PER_TURN === 0) await nextTurn();
    }
    for (const [path, { diskPath, stamp }] of this.#files) {
      const state = states.get(path);
      const status = statusAt(diskPath);
      const isKnown = state ? status !== null && isSameFile(state, status) : isSame(stamp, status);
      if (!isKnown) files.push(path);
      if (++looked % ENTRIES_PER_TURN === 0) await nextTurn();
    }
    return { files, elsewhere: [...states.keys()].some((path) => !this.#files.has(path)) };
  }
}

/** Where the last look at a project is kept. */
const KNOWN_TREE: Slot<{ tree: KnownTree | null }> = {
  name: 'known tree',
  make: () => ({ tree: null }),
};

function rulesOf({ include, exclude, max_file_bytes }: ProjectState): string {
  return JSON.stringify([include, exclude, max_file_bytes]);
}

function stampAt(diskPath: string, since: number): FileStamp | null {
  const status = statusAt(diskPath);
  return status && stampOf(status, since);
}

/** What is not there is what it was when it was not there; what was young then is looked at again. */
function isSame(stamp: FileStamp | null, status: FileStatus | null): boolean {
  return status === null ? stamp === null : isSameFile({ stamp }, status);
}

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
