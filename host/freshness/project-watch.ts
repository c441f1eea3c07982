import {
  contentMark,
  ignoreFilesAbove,
  statusAt,
  type TrackedMark,
  trackedMark,
} from '../../source/index.js';
import { type ChangesOutput, ProjectChanges } from '../../walkers/index.js';
import type { OpenGraph } from '../open-graph.js';
import { FolderWatcher } from './folder-watcher.js';
import { whyNotWatched } from './watch-limits.js';

/** Since when a path is dirty, and when it was last touched, by the count of the set. */
interface Touched {
  since: number;
  last: number;
}

/**
 * Paths that may be otherwise on disk than in the graph. Every note of a path is counted, so that what changes while it
 * is being indexed stays dirty, and whoever asks knows what was dirty when they asked.
 */
export class DirtyPaths {
  readonly #paths = new Map<string, Touched>();
  #count = 0;

  /** Where the count stands: what is noted from now on is later. */
  get mark(): number {
    return this.#count;
  }

  get size(): number {
    return this.#paths.size;
  }

  /** Notes a path. @param path Root-relative; a folder stands for all that is beneath it, `''` for everything. */
  add(path: string): void {
    this.#count++;
    const known = this.#paths.get(path);
    if (known) known.last = this.#count;
    else this.#paths.set(path, { since: this.#count, last: this.#count });
  }

  /** From now on everything is dirty, since the first of the paths was. */
  widen(): void {
    const since = Math.min(++this.#count, ...[...this.#paths.values()].map((one) => one.since));
    this.#paths.clear();
    this.#paths.set('', { since, last: this.#count });
  }

  /** The paths that were dirty when the count stood at `mark`, and still are. */
  at(mark: number): string[] {
    return [...this.#paths].flatMap(([path, { since }]) => (since <= mark ? [path] : []));
  }

  /** Paths are in the graph as they were on disk at some time after the count stood at `mark`. */
  settle(paths: Iterable<string>, mark: number): void {
    for (const path of paths) {
      const known = this.#paths.get(path);
      if (!known) continue;
      if (known.last <= mark) this.#paths.delete(path);
      else known.since = Math.max(known.since, mark + 1);
    }
  }
}

/** More dirty paths than these are looked for everywhere at once. */
const FEW_PATHS = 500;
/** Fences that failed one after the other before the watcher is given up. */
const MOST_FAILURES = 10;

/** What {@link ProjectWatch} stands on. */
export interface ProjectWatchOptions {
  readonly graph: Pick<OpenGraph, 'spawn'>;
  /** The project's real path. */
  readonly root: string;
  /** A folder of ours for the watcher's fences, on this machine; null: nothing is watched. */
  readonly cookies: string | null;
  /** Milliseconds that a fence may take. */
  readonly fenceMs: number;
  /** Ends what is at work. */
  readonly signal: AbortSignal;
}

/**
 * Knows which paths of a project are dirty. A watcher notes them as they change; it is trusted once everything was
 * looked at after all folders were watched, and until something may have been missed. Else everything is looked at.
 */
export class ProjectWatch {
  readonly dirty = new DirtyPaths();
  #watcher: FolderWatcher | null = null;
  #why: string | null;
  #failures = 0;
  /** Counts what may have been missed. */
  #doubts = 1;
  /** How many of the doubts are cleared. */
  #cleared = 0;
  /** What decides about files outside the root, and the root's own inode, when everything was looked at last. */
  #outside: ReadonlyMap<string, string | null> = new Map();
  #tracked: TrackedMark | undefined;
  #looking: Promise<ChangesOutput> | null = null;

  constructor(private readonly options: ProjectWatchOptions) {
    const { root, cookies } = options;
    this.#why = cookies === null ? 'nothing is watched here' : whyNotWatched(root);
    if (cookies === null || this.#why !== null) return;
    this.#watcher = new FolderWatcher(root, cookies, {
      changed: (path) => this.#note(path),
      unsure: () => this.doubt(),
    });
  }

  /** Why the project is not watched; null while it is. */
  get whyNot(): string | null {
    return this.#watcher?.trouble ?? this.#why;
  }

  get folders(): number {
    return this.#watcher?.size ?? 0;
  }

  /** Whether answers come from the watcher. */
  get isTrusted(): boolean {
    return this.whyNot === null && this.#cleared === this.#doubts;
  }

  /** Something may have changed that nobody told: everything has to be looked at. */
  doubt(): void {
    this.#doubts++;
  }

  /** Whether a watcher has told all that changed before this was called. */
  async hasToldAll(): Promise<boolean> {
    const { fenceMs } = this.options;
    if (!this.#watcher || this.whyNot !== null) return false;
    if (this.#cleared === this.#doubts && !sameMarks(this.#outside, this.#marksOutside())) this.doubt();
    if (this.#cleared !== this.#doubts) return false;
    const told = await this.#watcher.fence(fenceMs);
    this.#failures = told ? 0 : this.#failures + 1;
    if (!told) this.doubt();
    if (this.#failures >= MOST_FAILURES) this.#giveUp('its events do not come');
    return told && this.#cleared === this.#doubts;
  }

  /**
   * Looks at everything, and notes what is dirty. A look that is at work is joined: it began before, so that it proves
   * nothing of what changed since.
   */
  lookEverywhere(): Promise<ChangesOutput> {
    this.#looking ??= this.#look();
    return this.#looking;
  }

  /** Whether a look at everything is at work. */
  get isLooking(): boolean {
    return this.#looking !== null;
  }

  /** What of the dirty paths really changed. Folders that came are watched from now on, and looked at again. */
  async changesAt(paths: readonly string[]): Promise<ChangesOutput> {
    if (paths.length > FEW_PATHS) {
      // One that is at work may have passed some of them before they changed.
      await this.#looking?.catch(() => undefined);
      return this.lookEverywhere();
    }
    const found = await this.#changes(paths);
    for (const folder of this.#watcher?.watch(found.folders) ?? []) this.dirty.add(this.#pathOf(folder));
    return found;
  }

  /** Lets go of the watcher, and waits for the look that is at work. */
  async close(): Promise<void> {
    this.#giveUp('closed');
    await this.#looking?.catch(() => undefined);
  }

  async #look(): Promise<ChangesOutput> {
    try {
      const { found, added } = await this.#lookOnce();
      // What was not watched while it was looked at is looked at again, now that it is.
      if (added.length > 0 && !this.options.signal.aborted)
        setImmediate(() => void this.lookEverywhere().catch(() => undefined));
      return found;
    } finally {
      this.#looking = null;
    }
  }

  async #lookOnce(): Promise<{ found: ChangesOutput; added: readonly string[] }> {
    const { dirty } = this;
    const { mark } = dirty;
    const doubts = this.#doubts;
    const outside = this.#marksOutside();
    const found = await this.#changes([]);
    if (!found.complete) return { found, added: [] };
    // What was noted before the look began is part of what it saw.
    dirty.settle(dirty.at(mark), mark);
    for (const { path } of found.changes) dirty.add(path);
    this.#outside = outside;
    const added = this.#watcher?.watch(found.folders) ?? [];
    if (added.length === 0) this.#cleared = doubts;
    return { found, added };
  }

  async #changes(paths: readonly string[]): Promise<ChangesOutput> {
    const { graph, signal } = this.options;
    const { output } = await graph.spawn(ProjectChanges, null, { paths: [...paths] }, { signal });
    return output;
  }

  /** What holds of a project from outside: ignore files above the root, what git tracks, which folder has its name. */
  #marksOutside(): Map<string, string | null> {
    const { root } = this.options;
    this.#tracked = trackedMark(root, this.#tracked);
    const marks = new Map(ignoreFilesAbove(root).map((file) => [file, contentMark(file)]));
    return marks.set('', this.#tracked.paths).set(root, String(statusAt(root)?.inode));
  }

  #note(path: string): void {
    this.dirty.add(path);
    // A set that nobody asks for must not grow for ever.
    if (this.dirty.size <= FEW_PATHS) return;
    this.dirty.widen();
    this.doubt();
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
