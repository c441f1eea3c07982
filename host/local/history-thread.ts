import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import type { SpawnOptions } from '../host.js';
import { Claim, heldUp } from '../worker/messages.js';
import {
  type Asked,
  deadlineOf,
  foldersOf,
  GraphThread,
  isOwn,
  killed,
  killedWith,
  requestOf,
  type ThreadEnd,
  type ThreadTask,
} from './graph-thread.js';

/** Milliseconds between two looks at a thread's signs of life. */
const LOOK_MS = 200;
/** Milliseconds that a thread is given to tell of its graphs while it does something else. */
const FACTS_MS = 2000;
/** Looks without a sign of life after which a thread with an overdue task is ended: two seconds. */
const SILENT_LOOKS = 10;
/** Milliseconds of rest after which a thread that an index has filled makes way for a fresh one. */
const REST_MS = 2000;
/** Threads that may end under a task: it is asked again once. */
const DEATHS = 1;

/** How the threads of a history are made. */
export interface HistoryOptions {
  readonly script: URL;
  readonly home: string;
  /** Milliseconds that closing may take. */
  readonly closingMs: number;
  /** Whether heavy runs, and the user's own walkers, run in side threads. Default false. */
  readonly hasSides?: boolean;
  /** For a side thread: makes the port through which a new thread reads the stores. Default: the thread opens them. */
  readonly stores?: () => MessagePort;
}

/**
 * The thread of one history: started by the first task, started anew when it dies, and when a task names people's
 * walkers that it has not loaded. Its tasks outlive it.
 */
export class HistoryThread {
  /** Folders of people's walkers that tasks named, and hashes of what they held: what the next thread loads. */
  readonly #folders = new Map<string, string>();
  /** What the present thread was told to load. */
  #loaded: ReadonlyMap<string, string> = new Map();
  /** Tasks that wait for another thread: the present one ends first. */
  #waiting: ThreadTask[] = [];
  #thread: GraphThread | null = null;
  #watch: NodeJS.Timeout | null = null;
  #beats = -1;
  #silent = 0;
  #started = new Map<number, number>();
  #closed = false;
  /** When something was at work last. */
  #busyAt = performance.now();
  /** What takes a full thread's place, once that has closed its stores. */
  #fresh: GraphThread | null = null;
  #lastId = 0;
  /** The roots whose graphs are open, as far as their tasks tell. */
  readonly #roots = new Set<string>();
  /** When it was last asked for something, by `performance.now()`. */
  lastUsed = performance.now();

  constructor(private readonly options: HistoryOptions) {}

  /** Tasks that have no answer yet. */
  get pending(): number {
    return this.#waiting.length + (this.#thread?.tasks.length ?? 0);
  }

  /** Whether something is at work in it. */
  get isBusy(): boolean {
    return this.pending > 0 || this.#thread?.isIndexing === true;
  }

  get isOpen(): boolean {
    return this.#thread !== null;
  }

  /**
   * Sends a request and returns its answer as JSON text.
   *
   * @throws CodewalkError as the request does; `CANCELLED`.
   */
  ask(asked: Asked, { signal, onProgress, onPrint }: SpawnOptions = {}): Promise<string> {
    if (signal?.aborted) return Promise.reject(new CodewalkError('CANCELLED', 'the run was cancelled'));
    const id = ++this.#lastId;
    return new Promise<string>((done, failed) => {
      const cancel = () => this.#cancel(id);
      const settle =
        <T>(tell: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener('abort', cancel);
          this.#settled(id);
          tell(value);
        };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#send({
        message: { ...asked, id },
        onProgress,
        onPrint,
        done: settle(done),
        failed: settle(failed),
        deaths: 0,
        claim: new Claim(),
        repeatable: true,
        isAside: false,
        isCancelled: false,
      });
    });
  }

  /** Sends a task, to a thread that knows the walkers that it names. */
  #send(task: ThreadTask): void {
    this.lastUsed = performance.now();
    this.#started.set(task.message.id, performance.now());
    const root = requestOf(task)?.root;
    if (root !== undefined) this.#roots.add(root);
    for (const folder of foldersOf(task)) this.#folders.set(folder, folderHash(folder));
    const mayGo = this.#thread?.closing !== true && this.#isLoaded(task) && this.#waiting.length === 0;
    if (this.#thread === null || mayGo) {
      this.#begin().send(task);
      return;
    }
    this.#waiting.push(task);
    this.#renew();
  }

  /** Whether the walkers that a task names are loaded as they are now. */
  #isLoaded(task: ThreadTask): boolean {
    return foldersOf(task).every((folder) => this.#loaded.get(folder) === this.#folders.get(folder));
  }

  /** Takes a task back. */
  #cancel(id: number): void {
    const waiting = this.#waiting.find(({ message }) => message.id === id);
    if (waiting) this.#drop(waiting, new CodewalkError('CANCELLED', 'the run was cancelled'));
    else this.#thread?.cancel(id);
  }

  /** Ends a task with an error, whoever has it. */
  #drop(task: ThreadTask, error: CodewalkError): void {
    const waits = this.#waiting.includes(task);
    this.#waiting = this.#waiting.filter((one) => one !== task);
    if (!waits) this.#thread?.drop(task);
    task.failed(error);
  }

  /** Closes the graphs and ends the thread. The next task starts one again. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    this.#roots.clear();
    this.#stopWatching();
    this.#dropFresh();
    // One that has shown no sign of life for long will not close by itself.
    const hangs = thread !== null && thread.tasks.length > 0 && this.#silent >= SILENT_LOOKS;
    await (hangs ? thread.kill() : thread?.close(this.options.closingMs));
  }

  /** For good: what is asked from now on is refused. */
  async end(): Promise<void> {
    this.#closed = true;
    for (const task of this.#waiting.splice(0))
      task.failed(new CodewalkError('CANCELLED', 'the host was closed'));
    await this.close();
  }

  #begin(): GraphThread {
    this.#thread ??= this.#newThread();
    this.#watch ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return this.#thread;
  }

  #newThread(): GraphThread {
    const { script, home, hasSides = false, stores } = this.options;
    this.#loaded = new Map(this.#folders);
    return new GraphThread(
      script,
      { home, userWalkers: [...this.#folders.keys()], hasSides, ...(stores ? { stores: stores() } : {}) },
      (thread, why, left) => this.#over(thread, why, left),
    );
  }

  /**
   * A thread that has indexed keeps much memory that nobody needs: a fresh one, once it has loaded, takes its place when
   * it has closed the stores. What is asked meanwhile waits.
   */
  #refresh(): void {
    const full = this.#thread;
    if (full === null || this.#fresh !== null || !full.isFull) return;
    const fresh = this.#newThread();
    this.#fresh = fresh;
    fresh.whenReady(() => {
      if (this.#thread === full && !this.isBusy) void full.close(this.options.closingMs);
      else if (this.#fresh === fresh) this.#dropFresh();
    });
  }

  #dropFresh(): void {
    void this.#fresh?.close(this.options.closingMs);
    this.#fresh = null;
  }

  /** Lets the fresh thread take the place of the one that has ended, if it has loaded what the next tasks need. */
  #takeFresh(next: readonly ThreadTask[]): void {
    const fresh = this.#fresh;
    if (this.#thread !== null) return;
    if (!fresh?.ready || !next.every((task) => this.#isLoaded(task))) this.#dropFresh();
    else {
      this.#fresh = null;
      this.#thread = fresh;
      fresh.hold(false);
      for (const root of this.#roots) fresh.open(root);
    }
  }

  /**
   * Once nothing runs in it the thread makes way for one that has loaded what is wanted now. What runs aside only reads:
   * it begins again.
   */
  #renew(): void {
    const thread = this.#thread;
    if (thread === null || thread.closing || thread.tasks.some((task) => !task.isAside)) return;
    void thread.close(this.options.closingMs);
  }

  #over(thread: GraphThread, why: ThreadEnd, left: readonly ThreadTask[]): void {
    if (this.#thread === thread) this.#thread = null;
    if (this.#fresh === thread) this.#fresh = null;
    // One that never had the stores: what waits is for the one that has them.
    if (this.#thread !== null && left.length === 0) return;
    this.#silent = 0;
    const culprits = thread.closing ? [] : this.#culprits(thread, left, why);
    // What did not load would end the next thread, too.
    if (!thread.ready && !thread.closing) this.#folders.clear();
    for (const task of culprits) task.failed(killed(task, thread, why));
    const again: ThreadTask[] = [];
    for (const task of left) {
      if (culprits.includes(task)) continue;
      if (task.claim.isBegun && !thread.closing) task.deaths++;
      if (this.#closed) task.failed(new CodewalkError('CANCELLED', 'the host was closed'));
      else if (task.isCancelled) task.failed(new CodewalkError('CANCELLED', 'the run was cancelled'));
      else if ((task.claim.isBegun && !task.repeatable) || task.deaths > DEATHS)
        task.failed(killedWith(task));
      else again.push(task);
    }
    const next = [...again, ...this.#waiting];
    this.#waiting = [];
    for (const folder of next.flatMap(foldersOf)) this.#folders.set(folder, folderHash(folder));
    this.#takeFresh(next);
    if (next.length === 0 && this.#thread === null) this.#stopWatching();
    for (const task of next) this.#begin().send(task);
  }

  /** Who ended a thread. Our own code never ends its thread by itself: where no other is in it, something else did. */
  #culprits(thread: GraphThread, left: readonly ThreadTask[], why: ThreadEnd): readonly ThreadTask[] {
    const suspects = this.#suspects(thread, left);
    const isOurs = suspects.every((task) => !isOwn(task));
    return why === 'exit' && isOurs ? [] : suspects;
  }

  /**
   * Who is at work in a thread that does not yield, as far as is known: whose code ran last; never what runs in a thread
   * of its own. Code that goes on after an `await` is not seen to begin: so people's own walkers, where any had begun,
   * are taken for the cause before ours are.
   */
  #suspects(thread: GraphThread, tasks: readonly ThreadTask[]): readonly ThreadTask[] {
    const begun = tasks.filter((task) => !task.isAside && (task.claim.isBegun || !thread.ready));
    const running = begun.filter(({ message }) => message.id === thread.running);
    const own = begun.filter(isOwn);
    const overdue = own.filter((task) => this.#isOverdue(task));
    const guesses = [running.filter(isOwn), overdue, own, running];
    return guesses.find(({ length }) => length > 0) ?? (thread.ready && begun.length === 1 ? begun : []);
  }

  /**
   * Ends the tasks that have waited for others for as long as is promised: those that have not begun, and those in a
   * thread that does not yield.
   *
   * @param silentMs How long the thread has shown no sign of life.
   */
  #tellHeld(thread: GraphThread, silentMs: number): void {
    const holders = silentMs > 0 ? this.#suspects(thread, thread.tasks) : thread.tasks;
    const [holder] = holders.filter(({ isAside }) => !isAside);
    // While a thread starts that loads nobody's code it is a busy machine that keeps them waiting.
    const mayHang = thread.ready || this.#loaded.size > 0;
    const held = (task: ThreadTask) => {
      const begunMs = performance.now() - (this.#started.get(task.message.id) ?? 0);
      const most = task.message.kind === 'facts' ? FACTS_MS : LIMITS.heldWait.default;
      return Math.min(most, deadlineOf(task) ?? most) <= (task.claim.isBegun ? silentMs : begunMs);
    };
    const own = silentMs > 0 && mayHang ? thread.tasks.filter((task) => !holders.includes(task)) : [];
    for (const task of [...own, ...this.#waiting])
      if (!task.isAside && held(task))
        this.#drop(task, this.#heldError(task, thread.ready ? holder : undefined));
  }

  /** @param holder Undefined: people's walkers that do not load. */
  #heldError(task: ThreadTask, holder: ThreadTask | undefined): CodewalkError {
    const request = requestOf(task);
    const seconds = Math.round(
      (performance.now() - (this.#started.get(holder?.message.id ?? 0) ?? 0)) / 1000,
    );
    const by = holder
      ? `'${requestOf(holder)?.walker ?? holder.message.kind}', which was asked ${seconds} s ago and has not ended`
      : `the loading of ${[...this.#loaded.keys()].join(', ') || 'walkers'}`;
    const begun = task.claim.isBegun ? ' It had begun: look whether it was done if it writes.' : '';
    return heldUp(request?.root ?? 'a project', by, request?.given ?? request?.input, begun);
  }

  /** Ends a thread that shows no sign of life although somebody's time is over. */
  #look(): void {
    const thread = this.#thread;
    if (this.#waiting.length > 0) this.#renew();
    if (thread) this.#tellHeld(thread, thread.beats === this.#beats ? (this.#silent + 1) * LOOK_MS : 0);
    if (this.isBusy) this.#busyAt = performance.now();
    else if (performance.now() - this.#busyAt > REST_MS) this.#refresh();
    if (thread === null || thread.tasks.length === 0 || thread.beats !== this.#beats) {
      this.#beats = thread?.beats ?? -1;
      this.#silent = 0;
      return;
    }
    this.#silent++;
    const silentMs = this.#silent * LOOK_MS;
    // Who only waits for the thread does not end it.
    const suspects = this.#suspects(thread, thread.tasks);
    const overdue = (suspects.length > 0 ? suspects : thread.tasks).some((task) => this.#isOverdue(task));
    // One that has not loaded yet says nothing: a busy machine takes its time.
    const graceMs = thread.ready ? SILENT_LOOKS * LOOK_MS : LIMITS.walkerLoading.max;
    const longest = thread.ready || this.#loaded.size === 0 ? LIMITS.walkerSilence.default : graceMs;
    if (silentMs > longest || (overdue && silentMs >= graceMs)) void thread.kill();
  }

  /** Whether a task's time is over, or nobody waits for it. A run in a side thread never is: its own thread ends it. */
  #isOverdue(task: ThreadTask): boolean {
    if (task.isAside) return false;
    if (task.isCancelled) return true;
    const deadline = deadlineOf(task);
    const started = this.#started.get(task.message.id);
    return deadline !== null && started !== undefined && performance.now() - started > deadline;
  }

  /** Forgets when a task began. */
  #settled(id: number): void {
    this.#started.delete(id);
    this.lastUsed = performance.now();
    if (this.#waiting.length > 0) this.#renew();
  }

  #stopWatching(): void {
    if (this.#watch) clearInterval(this.#watch);
    this.#watch = null;
  }
}

/** A hash of what a folder of people's walkers holds: equal hashes, equal code. A folder that cannot be read has one too. */
function folderHash(folder: string): string {
  const hash = createHash('sha256');
  for (const path of filesUnder(folder)) {
    hash.update(`\0${path}\0`);
    hash.update(contentOf(join(folder, path)));
  }
  return hash.digest('hex');
}

/** Packages are taken as they were: they are installed, not edited. */
function filesUnder(folder: string, inside = ''): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(folder, inside), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) return filesUnder(folder, path);
      return /\.(?:[cm]?js|json)$/u.test(entry.name) ? [path] : [];
    });
}

function contentOf(path: string): Uint8Array {
  try {
    // Reading a pipe would wait for who writes to it.
    return statSync(path).isFile() ? readFileSync(path) : new Uint8Array();
  } catch {
    return new Uint8Array();
  }
}
