import type { Graph } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import {
  contentMark,
  ignoreFilesAbove,
  statusAt,
  type TrackedMark,
  trackedMark,
} from '../../source/index.js';
import { type ChangesOutput, ProjectChanges } from '../../walkers/index.js';
import { FolderWatcher, whyNotWatched } from './folder-watcher.js';

/** The path that stands for the whole project: something may have changed that no event reported. */
const EVERYTHING = '';
/** With more changed paths than these the whole project is looked through. */
const FEW_PATHS = 500;
/** Fences in a row that fail before the watcher is given up. */
const MOST_FAILURES = 10;

/** The epochs of a path's first change that the graph does not have, and of its last change. */
interface Change {
  since: number;
  last: number;
}

/** What {@link ProjectWatch} stands on. */
export interface ProjectWatchOptions {
  readonly graph: Pick<Graph, 'spawn'>;
  /** The project's real path. */
  readonly root: string;
  /** A folder of ours for the watcher's fences, on this machine; null: nothing is watched. */
  readonly cookies: string | null;
  /** Ends the running searches for changes. */
  readonly signal: AbortSignal;
}

/**
 * The paths of a project that may differ between disk and graph. Each change starts a new epoch: a path that changes
 * while it is indexed stays changed, and a question waits only for changes of its epoch or earlier. A watcher
 * reports changes; until the whole project was looked through with every folder watched, and whenever an event may have
 * been missed, {@link EVERYTHING} is changed, and the project is looked through again.
 */
export class ProjectWatch {
  readonly #changed = new Map<string, Change>([[EVERYTHING, { since: 0, last: 0 }]]);
  #epoch = 0;
  #watcher: FolderWatcher | null = null;
  #why: string | null;
  #failures = 0;
  /** What decides about the project from outside, when it was looked through last. */
  #outside: ReadonlyMap<string, string | null> = new Map();
  #tracked: TrackedMark | undefined;
  #looking: Promise<ChangesOutput> | null = null;

  constructor(private readonly options: ProjectWatchOptions) {
    const { root, cookies } = options;
    this.#why = cookies === null ? 'nothing is watched here' : whyNotWatched(root);
    if (cookies === null || this.#why !== null) return;
    this.#watcher = new FolderWatcher(root, cookies, {
      changed: (path) => this.note(path),
      unsure: () => this.doubt(),
    });
  }

  /** The number of the last change. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Why the project is not watched; null while it is. */
  get whyNot(): string | null {
    return this.#watcher?.trouble ?? this.#why;
  }

  /** How many folders are watched. */
  get folders(): number {
    return this.#watcher?.size ?? 0;
  }

  /** How many paths are known to have changed. */
  get size(): number {
    return this.#changed.size - Number(this.#changed.has(EVERYTHING));
  }

  /** Whether the watcher knows all changes. */
  get isTrusted(): boolean {
    return this.whyNot === null && !this.#changed.has(EVERYTHING);
  }

  /** Whether the whole project is being looked through. */
  get isLooking(): boolean {
    return this.#looking !== null;
  }

  /** Paths that changed in an epoch or earlier and that the graph does not have yet. */
  changedUntil(epoch: number): string[] {
    return [...this.#changed].flatMap(([path, { since }]) =>
      since <= epoch && path !== EVERYTHING ? [path] : [],
    );
  }

  /** Records a change. @param path Root-relative; a folder stands for all beneath it. */
  note(path: string): void {
    // The set must not grow without limit while nobody asks.
    const isKnown = this.#changed.has(path) || this.size <= FEW_PATHS;
    this.#add(isKnown ? path : EVERYTHING, ++this.#epoch);
  }

  /** Something may have changed that no event reported. */
  doubt(): void {
    this.note(EVERYTHING);
  }

  /** The graph has these paths as they were on disk some time after an epoch. */
  settle(paths: Iterable<string>, epoch: number): void {
    for (const path of paths) {
      const change = this.#changed.get(path);
      if (!change) continue;
      if (change.last <= epoch) this.#changed.delete(path);
      else change.since = Math.max(change.since, epoch + 1);
    }
  }

  /** Whether the watcher has reported all that changed before this call. */
  async hasReportedAll(): Promise<boolean> {
    if (!this.#watcher || !this.isTrusted) return false;
    if (!sameMarks(this.#outside, this.#marksOutside())) this.doubt();
    if (!this.isTrusted) return false;
    const reported = await this.#watcher.fence(LIMITS.fenceWait.max);
    this.#failures = reported ? 0 : this.#failures + 1;
    if (!reported) this.doubt();
    if (this.#failures >= MOST_FAILURES) this.#giveUp('its events do not come');
    return reported && this.isTrusted;
  }

  /**
   * Looks through the whole project and records what changed. A running search is joined: it began before this call, so it
   * proves nothing about later changes.
   */
  lookEverywhere(): Promise<ChangesOutput> {
    this.#looking ??= this.#look();
    return this.#looking;
  }

  /** Replaces the changed paths of an epoch by the files that differ indeed. New folders are watched, and looked into again. */
  async verify(epoch: number): Promise<ChangesOutput> {
    const paths = this.changedUntil(epoch);
    if (paths.length > FEW_PATHS) {
      // A running search may have passed some of them before they changed.
      await this.#looking?.catch(() => undefined);
      return this.lookEverywhere();
    }
    const found = await this.#changes(paths);
    if (found.complete) this.#replace(paths, found, epoch);
    for (const folder of this.#watcher?.watch(found.folders) ?? []) this.note(this.#pathOf(folder));
    return found;
  }

  /** Closes the watcher, and waits for a running search. */
  async close(): Promise<void> {
    this.#giveUp('closed');
    await this.#looking?.catch(() => undefined);
  }

  #add(path: string, epoch: number): void {
    const change = this.#changed.get(path) ?? { since: epoch, last: epoch };
    this.#changed.set(path, {
      since: Math.min(change.since, epoch),
      last: Math.max(change.last, epoch),
    });
  }

  #replace(paths: Iterable<string>, { changes }: ChangesOutput, epoch: number): void {
    this.settle(paths, epoch);
    for (const { path } of changes) this.#add(path, epoch);
  }

  async #look(): Promise<ChangesOutput> {
    const epoch = this.#epoch;
    const outside = this.#marksOutside();
    try {
      const found = await this.#changes([]);
      if (!found.complete) return found;
      this.#replace([...this.#changed.keys()], found, epoch);
      this.#outside = outside;
      const added = this.#watcher?.watch(found.folders) ?? [];
      if (added.length === 0) return found;
      // These folders were not watched while they were read.
      this.doubt();
      if (!this.options.signal.aborted) setImmediate(() => void this.lookEverywhere().catch(() => undefined));
      return found;
    } finally {
      this.#looking = null;
    }
  }

  async #changes(paths: readonly string[]): Promise<ChangesOutput> {
    const { graph, signal } = this.options;
    const { output } = await graph.spawn(ProjectChanges, null, { paths: [...paths] }, { signal });
    return output;
  }

  /** Marks of the ignore files above the root, of what git tracks, and of the folder that has the root's name. */
  #marksOutside(): Map<string, string | null> {
    const { root } = this.options;
    this.#tracked = trackedMark(root, this.#tracked);
    const marks = new Map(ignoreFilesAbove(root).map((file) => [file, contentMark(file)]));
    return marks.set('', this.#tracked.paths).set(root, String(statusAt(root)?.inode));
  }

  #pathOf(folder: string): string {
    return folder
      .slice(this.options.root.length + 1)
      .replaceAll('\\', '/')
      .normalize('NFC');
  }

  #giveUp(why: string): void {
    this.#why ??= why;
    this.#watcher?.close();
    this.#watcher = null;
  }
}

function sameMarks(some: ReadonlyMap<string, string | null>, others: ReadonlyMap<string, string | null>) {
  return some.size === others.size && [...some].every(([file, mark]) => others.get(file) === mark);
}
