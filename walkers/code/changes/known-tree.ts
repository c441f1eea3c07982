import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Slot } from '../../../runtime/index.js';
import {
  type Discovery,
  decidesForOthers,
  type EnteredFolder,
  type FileStatus,
  ignoreFilesAbove,
  type SkippedFile,
  type SkipReason,
  statusAt,
  type TrackedMark,
  trackedMark,
} from '../../../source/index.js';
import { type FileStamp, isSameFile, stampOf } from '../indexing/file-state.js';
import type { ProjectIndex, ProjectState } from '../indexing/project-index.js';

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
export interface Glance {
  /** Files that are not, by their status, what they were when they were indexed or found to be no text. */
  readonly files: readonly string[];
  /** Whether a folder, or what decides about other files, is another: then all has to be discovered again. */
  readonly elsewhere: boolean;
}

/**
 * What discovery saw of a project when it last looked at all of it: the next look is one `lstat` per entry, with no
 * folder listed and no rule tried, as long as no folder changed.
 */
export class KnownTree {
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
export const KNOWN_TREE: Slot<{ tree: KnownTree | null }> = {
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
