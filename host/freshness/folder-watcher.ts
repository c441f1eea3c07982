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
export function whyNotWatched(root: string): string | null {
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

/** What a {@link FolderWatcher} reports, at once. */
export interface WatchEvents {
  /** Something at this path came, went or changed. Root-relative, `/`, NFC. */
  readonly changed: (path: string) => void;
  /** Changes may have been missed. */
  readonly unsure: () => void;
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
   */
  constructor(
    private readonly root: string,
    private readonly cookies: string,
    private readonly events: WatchEvents,
  ) {}

  /** How many folders are watched. */
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
    const added: string[] = [];
    for (const folder of folders) {
      if (this.#trouble !== null) return added;
      if (this.#add(folder)) added.push(folder);
    }
    return added;
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
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
