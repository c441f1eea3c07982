import { closeSync, type FSWatcher, mkdirSync, openSync, unlinkSync, watch } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { longestQueue } from './watch-limits.js';

/** What a {@link FolderWatcher} tells, at once. */
export interface WatchEvents {
  /** Something at this path came, went or changed. Root-relative, `/`, NFC. */
  readonly changed: (path: string) => void;
  /** Something may have changed that nobody told. */
  readonly unsure: () => void;
}

/** A folder that is watched, in the tree of those that are. */
interface Watched {
  readonly handle: FSWatcher;
  /** By their names. */
  readonly inner: Map<string, Watched>;
}

/** Errors that say that the system lets us watch no more. */
const LIMIT_HIT: Readonly<Record<string, string>> = {
  ENOSPC: 'the limit of watched folders is reached (fs.inotify.max_user_watches)',
  EMFILE: 'the limit of watchers is reached (fs.inotify.max_user_instances, or open files)',
  ENFILE: 'the limit of open files is reached',
};

/**
 * Watches folders of a project, each by itself, and never a file: one inotify watch per folder, none for what discovery
 * does not enter. A folder that was renamed or removed is let go of with all beneath it; whoever looks at what came in
 * its place gives its folders again. All handles of one event loop share one queue, which keeps the order of changes:
 * that is what {@link FolderWatcher.fence} stands on.
 */
export class FolderWatcher {
  readonly #waiting = new Map<string, () => void>();
  readonly #mostPerTurn = longestQueue() / 4;
  #tree: Watched | null = null;
  #fence: FSWatcher | null = null;
  #size = 0;
  #fences = 0;
  #inThisTurn = 0;
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
    return this.#size;
  }

  /** Why nothing is watched any more; null while all is well. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /**
   * Watches these folders and those that it watches already.
   *
   * @param folders Absolute, as on disk; a folder after the one that holds it.
   * @returns Those among them that were not watched before: what is in them has to be looked at after this.
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
   * Whether every change that was made before this was called has been told: a file in the cookie folder is the last of
   * them in the queue.
   *
   * @param ms How long it may take; a queue that overflowed never comes to it.
   */
  async fence(ms: number): Promise<boolean> {
    if (this.#trouble !== null || !this.#tree) return false;
    const name = `${++this.#fences}`;
    let timer: NodeJS.Timeout | undefined;
    try {
      this.#fence ??= this.#watchCookies();
      const reached = new Promise<boolean>((resolve) => {
        this.#waiting.set(name, () => resolve(true));
        timer = setTimeout(resolve, ms, false);
      });
      // Every question waits for this: nothing more is asked of the file system than it takes.
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

  /** Lets go of everything. */
  close(): void {
    if (this.#tree) this.#letGo(this.#tree);
    this.#tree = null;
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
    const parts = folder === this.root ? [] : relative(this.root, folder).split(sep);
    const name = parts.at(-1);
    const parent = name === undefined ? null : this.#find(parts.slice(0, -1));
    if (parent === undefined) return false;
    const known = parent ? parent.inner.get(name ?? '') : this.#tree;
    if (known) return false;
    try {
      const made: Watched = { handle: this.#handle(folder, parts), inner: new Map() };
      if (parent) parent.inner.set(name ?? '', made);
      else this.#tree = made;
      this.#size++;
      return true;
    } catch (error) {
      // What has gone or cannot be read meanwhile is told by the folder that holds it.
      if (codeOf(error) in LIMIT_HIT || !parent) this.#failed(error);
      return false;
    }
  }

  #handle(folder: string, parts: readonly string[]): FSWatcher {
    const handle = watch(folder, { persistent: false }, (event, name) => {
      this.#count();
      if (name === null) return this.events.unsure();
      if (name === '.git') return;
      if (event === 'rename') this.#forget(parts, name);
      this.events.changed([...parts, name].join('/').normalize('NFC'));
    });
    handle.on('error', () => this.events.unsure());
    return handle;
  }

  /** What had this name is there no more, or under another one. */
  #forget(parts: readonly string[], name: string): void {
    const parent = this.#find(parts);
    const gone = parent?.inner.get(name);
    if (!gone) return;
    parent?.inner.delete(name);
    this.#letGo(gone);
  }

  #letGo(watched: Watched): void {
    for (const inner of watched.inner.values()) this.#letGo(inner);
    watched.handle.close();
    this.#size--;
  }

  #find(parts: readonly string[]): Watched | undefined {
    let at = this.#tree ?? undefined;
    for (const part of parts) at = at?.inner.get(part);
    return at;
  }

  /** A turn of the loop empties the queue: one that brings so many events may have had to drop some. */
  #count(): void {
    if (this.#inThisTurn === 0)
      setImmediate(() => {
        this.#inThisTurn = 0;
      });
    if (++this.#inThisTurn === this.#mostPerTurn) this.events.unsure();
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
