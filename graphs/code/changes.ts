import { join } from 'node:path';
import { compareText, type Slot, type StepsContext } from '../../runtime/index.js';
import {
  type Discovery,
  decidesForOthers,
  type EnteredFolder,
  type FileStatus,
  ignoreFilesAbove,
  readText,
  type SkipReason,
  statusAt,
  type TrackedMark,
  trackedMark,
} from '../../source/index.js';
import type { ProjectIndex } from './project-index.js';
import { INDEX_SESSION } from './project-index.js';
import { isDeciding, lookAt } from './scan.js';
import { type FileStamp, isSameFile, type ProjectState, stampOf, writtenBy } from './state.js';
import { turn } from './write.js';

/** One path that the graph has otherwise than the disk. */
export interface ChangedPath {
  /** Root-relative. */
  readonly path: string;
  readonly change: 'changed' | 'new' | 'gone';
}

/** What a look at a project found. */
interface ChangesFound {
  /** In path order. */
  readonly changes: ChangedPath[];
  /** Folders that discovery looks into, among those that were looked at: absolute, as on disk. */
  readonly folders: string[];
  /** Whether a path among them decides about other files: then these can have changed, too. */
  readonly decides: boolean;
}

/** What {@link projectChanges} answers. */
export interface ProjectChanges extends ChangesFound {
  /** Whether the project was ever indexed. */
  readonly indexed: boolean;
  /** False where the last index run did not finish, or texts are not indexed: then a run over the whole project is due. */
  readonly complete: boolean;
}

/**
 * Says what of the project is on disk otherwise than in its graph, and changes neither. Takes its turn among the runs
 * of the indexer, whose memory of the files it uses.
 *
 * @param paths Looks only at these, root-relative; none: everywhere.
 */
export function projectChanges(context: StepsContext, paths: readonly string[]): Promise<ProjectChanges> {
  return context.cached(INDEX_SESSION).alone(context, async (index) => {
    const [indexed, complete] = [index.mark !== undefined, index.isWhole];
    if (!complete) return { indexed, complete, changes: [], folders: [], decides: false };
    const found =
      paths.length === 0 ? await allChanges(context, index) : await changesAt(context, index, paths);
    return { ...found, indexed, complete };
  });
}

/** Reasons that another content of the same entry takes back: only the entry itself shows it. */
const BY_CONTENT: ReadonlySet<SkipReason> = new Set([
  'too-large',
  'binary',
  'not-utf8',
  'unreadable',
  'vanished',
]);
/** Entries looked at, and files read, before others have their turn. */
const ENTRIES_PER_TURN = 500;
const READS_PER_TURN = 100;
/** More files than these are found by looking at everything. */
const FEW_FILES = 200;

/** One entry as it was when it was looked at. */
interface Entry {
  readonly diskPath: string;
  /** Null where it was too young to be believed, or was not there. */
  readonly stamp: FileStamp | null;
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
  /** Folders and what decides about other files: where one is another, all has to be discovered again. */
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
    const entryAt = (diskPath: string): Entry => {
      const status = statusAt(diskPath);
      return { diskPath, stamp: status && stampOf(status, since) };
    };
    const left = skipped.filter(({ path }) => !path.endsWith('/'));
    // What is or will be in the graph is compared with the graph's own state.
    for (const { path, diskPath } of files)
      this.#files.set(path, unreadable.has(path) ? entryAt(diskPath) : { diskPath, stamp: null });
    for (const { path, reason } of left)
      if (BY_CONTENT.has(reason)) this.#files.set(path, entryAt(join(root, path)));
    this.#deciding = [
      ...folders.map(({ diskPath }) => diskPath),
      ...left.filter(({ path }) => decidesForOthers(path)).map(({ path }) => join(root, path)),
      ...ignoreFilesAbove(root),
    ].map(entryAt);
  }

  /** Whether it was looked at by the rules of this project. */
  fits(project: ProjectState): boolean {
    return this.#rules === rulesOf(project);
  }

  /**
   * Looks at the status of every entry.
   *
   * @returns Files that are not, by their status, what they were when they were indexed or found to be no text; null
   * where all has to be discovered again.
   */
  async glance(context: StepsContext, { states }: ProjectIndex): Promise<string[] | null> {
    const { paths } = this.#tracked;
    this.#tracked = trackedMark(this.#root, this.#tracked);
    if (this.#tracked.paths !== paths) return null;
    let looked = 0;
    for (const { diskPath, stamp } of this.#deciding) {
      if (!isSame(stamp, statusAt(diskPath))) return null;
      if (++looked % ENTRIES_PER_TURN === 0) await turn(context);
    }
    const files: string[] = [];
    for (const [path, { diskPath, stamp }] of this.#files) {
      const state = states.get(path);
      const status = statusAt(diskPath);
      const isKnown = state ? status !== null && isSameFile(state, status) : isSame(stamp, status);
      if (!isKnown) files.push(path);
      if (++looked % ENTRIES_PER_TURN === 0) await turn(context);
    }
    return [...states.keys()].every((path) => this.#files.has(path)) ? files : null;
  }
}

/** Where the last look at a project is cached. */
const KNOWN_TREE: Slot<{ tree: KnownTree | null }> = { name: 'known tree', make: () => ({ tree: null }) };

function rulesOf({ include, exclude, max_file_bytes }: ProjectState): string {
  return JSON.stringify([include, exclude, max_file_bytes]);
}

/** What is not there is what it was when it was not there; what was young then is looked at again. */
function isSame(stamp: FileStamp | null, status: FileStatus | null): boolean {
  return status === null ? stamp === null : isSameFile({ stamp }, status);
}

/**
 * Compares the whole project with its index: by statuses alone where nothing came or went, else by the rules of
 * discovery. Where a status differs the content decides.
 */
async function allChanges(context: StepsContext, index: ProjectIndex): Promise<ChangesFound> {
  const cache = context.cached(KNOWN_TREE);
  if (cache.tree?.fits(index.project)) {
    const folders = cache.tree.folders.map(({ diskPath }) => diskPath);
    const files = await cache.tree.glance(context, index);
    if (files?.length === 0) return { changes: [], folders, decides: false };
    if (files && files.length <= FEW_FILES) return { ...(await changesAt(context, index, files)), folders };
  }
  const since = context.now();
  const found = await lookAt(context, index, ['']);
  const { changes, unreadable } = await compared(context, index, found);
  cache.tree = new KnownTree(index.project, found, unreadable, since);
  const decides = changes.some(({ path }) => isDeciding(path));
  return { changes, folders: found.folders.map(({ diskPath }) => diskPath), decides };
}

/** Compares what stands at paths, and beneath those that are folders, with the index. */
async function changesAt(
  context: StepsContext,
  index: ProjectIndex,
  paths: readonly string[],
): Promise<ChangesFound> {
  const found = await lookAt(context, index, paths);
  const { changes } = await compared(context, index, found);
  const known = new Set(found.files.map(({ path }) => path));
  // What the graph never has can decide, too: an ignore file that ignores itself, a mark in a folder that is skipped.
  const decides =
    changes.some(({ path }) => isDeciding(path)) ||
    paths.some((path) => !known.has(path) && isDeciding(path));
  return { changes, folders: found.folders.map(({ diskPath }) => diskPath), decides };
}

async function compared(
  context: StepsContext,
  index: ProjectIndex,
  { files, absent }: Awaited<ReturnType<typeof lookAt>>,
): Promise<{ readonly changes: ChangedPath[]; readonly unreadable: ReadonlySet<string> }> {
  const now = context.now();
  const unreadable = new Set<string>();
  const changes: ChangedPath[] = absent.map((path) => ({ path, change: 'gone' }));
  let read = 0;
  for (const file of files) {
    const { path } = file;
    const state = index.states.get(path);
    const isOurs = state?.by === writtenBy(file);
    if (state && isOurs && isSameFile(state, file)) continue;
    if (++read % READS_PER_TURN === 0) await turn(context);
    const content = readText(file);
    // The graph has no file that cannot be read.
    if (!content.ok) {
      unreadable.add(path);
      if (state) changes.push({ path, change: 'gone' });
    } else if (!state) changes.push({ path, change: 'new' });
    else if (
      isOurs &&
      (state.hash === content.hash || (state.hash === '' && state.mtime_ms === file.mtimeMs))
    )
      index.set(path, { ...state, stamp: stampOf(file, now), mtime_ms: file.mtimeMs });
    else changes.push({ path, change: 'changed' });
  }
  return { changes: changes.sort((a, b) => compareText(a.path, b.path)), unreadable };
}
