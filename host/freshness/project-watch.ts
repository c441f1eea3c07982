import {
  closeSync,
  type FSWatcher,
  mkdirSync,
  openSync,
  readFileSync,
  statfsSync,
  unlinkSync,
  watch,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
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

/** File systems that other machines write to as well, without an event here: magic numbers of `statfs(2)`. */
const SHARED_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x47504653, 'GPFS'],
  [0x0bd00bd0, 'Lustre'],
]);

/** Errors by which the system refuses further watches. */
const LIMIT_HIT: Readonly<Record<string, string>> = {
  ENOSPC: 'the limit of watched folders is reached (fs.inotify.max_user_watches)',
  EMFILE: 'the limit of watchers is reached (fs.inotify.max_user_instances, or open files)',
  ENFILE: 'the limit of open files is reached',
};

/**
 * Why a folder cannot be watched so that every change is reported, and in order; null when it can. Only Linux gives that
 * order for folders of different trees (one inotify queue per event loop).
 */
function whyNotWatched(root: string): string | null {
  if (process.platform !== 'linux') return `changes are not reported in their order on ${process.platform}`;
  try {
    const name = SHARED_FILE_SYSTEMS.get(statfsSync(root).type);
    return name === undefined ? null : `other machines can write to its file system (${name})`;
  } catch {
    return 'its file system cannot be looked at';
  }
}

/** Events that the kernel queues for one event loop before it drops some. */
function longestQueue(): number {
  const kernelDefault = 16_384;
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || kernelDefault;
  } catch {
    return kernelDefault;
  }
}

/**
 * Watches folders of a project, each by itself, and never a file: one inotify watch per folder, none for what discovery
 * does not enter. A folder that was renamed or removed is released with all beneath it; the caller passes the folders
 * that replaced it again. All handles of one event loop share one queue, which keeps the order of changes:
 * {@link FolderWatcher.fence} relies on that.
 */
export class FolderWatcher {
  /** By the absolute path of the folder. */
  readonly #handles = new Map<string, FSWatcher>();
  readonly #waiting = new Map<string, () => void>();
  readonly #mostPerTurn = longestQueue() / 4;
  #fence: FSWatcher | null = null;
  #fences = 0;
  #eventsInTurn = 0;
  #trouble: string | null = null;

  /**
   * @param root Absolute, the real path.
   * @param cookies A folder of ours on this machine, outside of every project: made when it is not there.
   * @param events.changed Something at this path came, went or changed. Root-relative, `/`, NFC.
   * @param events.unsure Changes may have been missed.
   */
  constructor(
    private readonly root: string,
    private readonly cookies: string,
    private readonly events: { readonly changed: (path: string) => void; readonly unsure: () => void },
  ) {}

  get size(): number {
    return this.#handles.size;
  }

  /** Why nothing is watched any more; null while watching works. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /**
   * Watches these folders in addition to those already watched.
   *
   * @param folders Absolute, as on disk; a folder after its parent.
   * @returns Those that were not watched before: their contents have to be read after this.
   */
  watch(folders: Iterable<string>): string[] {
    return [...folders].filter((folder) => this.#trouble === null && this.#add(folder));
  }

  /**
   * Whether every change made before this call has been reported: a file in the cookie folder is the last of them in the
   * queue.
   *
   * @param ms How long it may take; after an overflow of the queue the event never comes.
   */
  async fence(ms: number): Promise<boolean> {
    if (this.#trouble !== null || this.size === 0) return false;
    const name = `${++this.#fences}`;
    let timer: NodeJS.Timeout | undefined;
    try {
      this.#fence ??= this.#watchCookies();
      const reached = new Promise<boolean>((resolve) => {
        this.#waiting.set(name, () => resolve(true));
        timer = setTimeout(resolve, ms, false);
      });
      // Every question waits for this, so it makes as few system calls as possible.
      const file = join(this.cookies, name);
      closeSync(openSync(file, 'w'));
      unlinkSync(file);
      return await reached;
    } catch (error) {
      this.#failed(error);
      return false;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(name);
    }
  }

  /** Releases all handles. */
  close(): void {
    this.#release(this.root);
    this.#fence?.close();
    this.#fence = null;
    for (const resolve of this.#waiting.values()) resolve();
  }

  #watchCookies(): FSWatcher {
    mkdirSync(this.cookies, { recursive: true, mode: 0o700 });
    const handle = watch(this.cookies, { persistent: false }, (_, name) => {
      this.#count();
      if (name !== null) this.#waiting.get(name)?.();
    });
    handle.on('error', (error) => this.#failed(error));
    return handle;
  }

  #add(folder: string): boolean {
    const isRoot = folder === this.root;
    if (this.#handles.has(folder) || (!isRoot && !this.#handles.has(dirname(folder)))) return false;
    try {
      this.#handles.set(folder, this.#handle(folder));
      return true;
    } catch (error) {
      // A folder that vanished or cannot be read is reported by its parent.
      if (isRoot || codeOf(error) in LIMIT_HIT) this.#failed(error);
      return false;
    }
  }

  #handle(folder: string): FSWatcher {
    const place = folder === this.root ? [] : relative(this.root, folder).split(sep);
    const handle = watch(folder, { persistent: false }, (event, name) => {
      this.#count();
      if (name === null) return this.events.unsure();
      if (name === '.git') return;
      if (event === 'rename') this.#release(join(folder, name));
      this.events.changed([...place, name].join('/').normalize('NFC'));
    });
    handle.on('error', () => this.events.unsure());
    return handle;
  }

  /** Stops watching a folder, if it is watched, and all beneath it. */
  #release(folder: string): void {
    if (!this.#handles.has(folder)) return;
    for (const [path, handle] of this.#handles) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      handle.close();
      this.#handles.delete(path);
    }
  }

  /** One turn of the loop empties the queue: after that many events in one turn, some may have been dropped. */
  #count(): void {
    if (this.#eventsInTurn === 0)
      setImmediate(() => {
        this.#eventsInTurn = 0;
      });
    if (++this.#eventsInTurn === this.#mostPerTurn) this.events.unsure();
  }

  #failed(error: unknown): void {
    const code = codeOf(error);
    this.#trouble = LIMIT_HIT[code] ?? `watching failed (${code || String(error)})`;
    this.close();
    this.events.unsure();
  }
}

function codeOf(error: unknown): string {
  return String(Object(error).code ?? '');
}

/** The path that stands for the whole project: something may have changed that no event reported. */
const EVERYTHING = '';
/** With more changed paths than these the whole project is looked through. */
const FEW_PATHS = 500;
/** Fences in a row that fail before the watcher is given up. */
const MOST_FAILURES = 10;

/** The epochs of a path's first change that the graph does not have, and of its last change. */
type Change = Record<'since' | 'last', number>;

interface ProjectWatchOptions {
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
  #outside = '';
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

  /**
   * Whether the watcher has reported all that changed before this call. Where it knows of changes that it cannot see (what git
   * tracks is other than it was after a reset), it reports those that it does see all the same: there may be no time to look
   * for the others.
   */
  async hasReportedAll(): Promise<boolean> {
    if (!this.#watcher || this.whyNot !== null) return false;
    if (this.isTrusted && this.#outside !== this.#marksOutside()) this.doubt();
    const isTrusted = this.isTrusted;
    const reported = await this.#watcher.fence(LIMITS.fenceWait.max);
    if (!isTrusted) return false;
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
    for (const folder of this.#watcher?.watch(found.folders) ?? [])
      this.note(relative(this.options.root, folder).replaceAll(sep, '/').normalize('NFC'));
    return found;
  }

  /** Closes the watcher, and waits for a running search. */
  async close(): Promise<void> {
    this.#giveUp('closed');
    await this.#looking?.catch(() => undefined);
  }

  #add(path: string, epoch: number): void {
    const { since, last } = this.#changed.get(path) ?? { since: epoch, last: epoch };
    this.#changed.set(path, { since: Math.min(since, epoch), last: Math.max(last, epoch) });
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
  #marksOutside(): string {
    const { root } = this.options;
    this.#tracked = trackedMark(root, this.#tracked);
    const ignoring = ignoreFilesAbove(root).map((file) => [file, contentMark(file)]);
    return JSON.stringify([ignoring, this.#tracked.paths, String(statusAt(root)?.inode)]);
  }

  #giveUp(why: string): void {
    this.#why ??= why;
    this.#watcher?.close();
    this.#watcher = null;
  }
}
