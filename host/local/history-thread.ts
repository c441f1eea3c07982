import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import type { SpawnOptions } from '../host.js';
import type { ToThread } from '../worker/messages.js';
import {
  deadlineOf,
  foldersOf,
  GraphThread,
  requestOf,
  type ThreadEnd,
  type ThreadTask,
} from './graph-thread.js';

/** Milliseconds between two looks at a thread's signs of life. */
const LOOK_MS = 200;
/** Looks without a sign of life after which a thread with an overdue task is ended: two seconds. */
const SILENT_LOOKS = 10;
/** Milliseconds of rest after which a thread that an index has filled makes way for a fresh one. */
const REST_MS = 2000;
/** Threads that may end while a task is in them before the task is taken for the cause. */
const DEATHS = 2;

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

/** A request to a thread, without its number. */
export type Asked =
  | Omit<Extract<ToThread, { readonly kind: 'run' }>, 'id'>
  | Omit<Extract<ToThread, { readonly kind: 'describe' }>, 'id'>
  | Omit<Extract<ToThread, { readonly kind: 'facts' }>, 'id'>;

/**
 * The thread of one history: started by the first task, started anew when it dies, and when a task names people's
 * walkers that it has not loaded. Its tasks outlive it.
 */
export class HistoryThread {
  readonly #options: HistoryOptions;
  readonly #folders = new Map<string, string>();
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
  #refreshing = false;
  #lastId = 0;
  /** The roots whose graphs are open, as far as their tasks tell. */
  readonly #roots = new Set<string>();
  /** When it was last asked for something, by `performance.now()`. */
  lastUsed = performance.now();

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  /** Tasks that have no answer yet. */
  get pending(): number {
    return this.#waiting.length + (this.#thread?.tasks.length ?? 0);
  }

  /** Whether something is at work in it. */
  get isBusy(): boolean {
    return this.pending > 0 || this.#thread?.isIndexing === true;
  }

  /** Whether a thread is there. */
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
        turn: 0,
        begun: false,
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
    const changed = foldersOf(task).filter((folder) => {
      const hash = folderHash(folder);
      if (this.#folders.get(folder) === hash) return false;
      this.#folders.set(folder, hash);
      return true;
    });
    if (this.#thread === null || (changed.length === 0 && this.#waiting.length === 0)) {
      this.#begin().send(task);
      return;
    }
    this.#waiting.push(task);
    this.#renew();
  }

  /** Takes a task back. */
  #cancel(id: number): void {
    const waiting = this.#waiting.find(({ message }) => message.id === id);
    if (!waiting) {
      this.#thread?.cancel(id);
      return;
    }
    this.#waiting = this.#waiting.filter((task) => task !== waiting);
    waiting.failed(new CodewalkError('CANCELLED', 'the run was cancelled'));
  }

  /** Closes the graphs and ends the thread. The next task starts one again. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    this.#roots.clear();
    this.#stopWatching();
    await thread?.close(this.#options.closingMs);
  }

  /** For good: what is asked from now on is refused. */
  async end(): Promise<void> {
    this.#closed = true;
    await this.close();
  }

  #begin(): GraphThread {
    this.#thread ??= this.#newThread();
    this.#watch ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return this.#thread;
  }

  #newThread(): GraphThread {
    const { script, home, hasSides = false, stores } = this.#options;
    return new GraphThread(
      script,
      { home, userWalkers: [...this.#folders.keys()], hasSides, ...(stores ? { stores: stores() } : {}) },
      (thread, why, left) => this.#over(thread, why, left),
    );
  }

  /**
   * A thread that has indexed keeps much memory that nobody needs: a fresh one, once it has loaded, takes its place. The
   * stores change hands by themselves: who opens one waits for who closes it.
   */
  #refresh(): void {
    const full = this.#thread;
    if (full === null || this.#refreshing || !full.isFull) return;
    this.#refreshing = true;
    const fresh = this.#newThread();
    fresh.whenReady(() => {
      this.#refreshing = false;
      if (this.#thread !== full || this.isBusy) {
        void fresh.close(this.#options.closingMs);
        return;
      }
      this.#thread = fresh;
      for (const root of this.#roots) fresh.open(root);
      void full.close(this.#options.closingMs);
    });
  }

  /**
   * Once nothing runs in it the thread makes way for one that has loaded what is wanted now. What runs aside only reads:
   * it begins again.
   */
  #renew(): void {
    const thread = this.#thread;
    if (thread === null || thread.closing || thread.tasks.some((task) => !task.isAside)) return;
    void thread.close(this.#options.closingMs);
  }

  #over(thread: GraphThread, why: ThreadEnd, left: readonly ThreadTask[]): void {
    if (this.#thread === thread) this.#thread = null;
    this.#silent = 0;
    const culprits = thread.closing ? [] : this.#culprits(thread, left);
    for (const task of culprits) task.failed(killed(task, thread, why));
    const again: ThreadTask[] = [];
    for (const task of left) {
      if (culprits.includes(task)) continue;
      if (this.#closed) task.failed(new CodewalkError('CANCELLED', 'the host was closed'));
      else if (task.isCancelled) task.failed(new CodewalkError('CANCELLED', 'the run was cancelled'));
      else if (task.begun && !task.repeatable) task.failed(killedBeside(task));
      else again.push(task);
    }
    const next = [...again, ...this.#waiting];
    this.#waiting = [];
    if (next.length === 0 && this.#thread === null) this.#stopWatching();
    for (const task of next) this.#begin().send(task);
  }

  /**
   * Whose code ran last, and who has been in too many threads that ended; never what runs in a thread of its own. Code
   * that goes on after an `await` is not seen to begin: so people's own walkers, where any had begun, are taken for the
   * cause before ours are.
   */
  #culprits(thread: GraphThread, left: readonly ThreadTask[]): ThreadTask[] {
    const begun = left.filter((task) => !task.isAside && (task.begun || !thread.ready));
    const running = begun.filter(({ message }) => message.id === thread.running);
    const own = begun.filter((task) => foldersOf(task).length > 0 || task.message.kind === 'describe');
    const overdue = own.filter((task) => this.#isOverdue(task));
    const isOurs = running.every((task) => !own.includes(task));
    const suspects = isOurs ? (overdue.length > 0 ? overdue : own) : running;
    // Whose guilt is known, nobody else is blamed for it.
    if (suspects.length === 0) for (const task of begun) task.deaths++;
    return begun.filter((task) => suspects.includes(task) || task.deaths > DEATHS);
  }

  /** Ends a thread that shows no sign of life although somebody's time is over. */
  #look(): void {
    const thread = this.#thread;
    if (this.#waiting.length > 0) this.#renew();
    if (this.isBusy) this.#busyAt = performance.now();
    else if (performance.now() - this.#busyAt > REST_MS) this.#refresh();
    if (thread === null || thread.tasks.length === 0 || thread.beats !== this.#beats) {
      this.#beats = thread?.beats ?? -1;
      this.#silent = 0;
      return;
    }
    this.#silent++;
    const silentMs = this.#silent * LOOK_MS;
    const overdue = thread.tasks.some((task) => this.#isOverdue(task));
    // One that has not loaded yet says nothing: a busy machine takes its time.
    const patience = thread.ready ? SILENT_LOOKS * LOOK_MS : LIMITS.walkerLoading.max;
    if (silentMs > LIMITS.walkerSilence.default || (overdue && silentMs >= patience)) void thread.kill();
  }

  /** A run in a side thread is never overdue here: its own thread ends it. */
  #isOverdue(task: ThreadTask): boolean {
    if (task.isAside) return false;
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

const HOW: Readonly<Record<ThreadEnd, string>> = {
  silent: 'did not yield and was ended',
  exit: 'ended its thread',
  memory: 'took more memory than its thread has and was ended',
  failed: 'threw where nobody catches it, which ended its thread',
};

function killed(task: ThreadTask, thread: GraphThread, why: ThreadEnd): CodewalkError {
  const describes = task.message.kind === 'describe';
  const folders = task.message.kind === 'describe' ? task.message.folders : foldersOf(task);
  if (describes || (!thread.ready && folders.length > 0))
    return new CodewalkError('WALKER_INVALID', `loading ${folders.join(', ')} ${HOW[why]}`, {
      input: folders,
      suggestion: 'What a file does while it is loaded must end by itself.',
    });
  const request = requestOf(task);
  return new CodewalkError('WALKER_KILLED', `the walker '${request?.walker ?? '?'}' ${HOW[why]}`, {
    input: request?.given ?? request?.input,
    suggestion:
      'Does it loop, or call process.exit? --deadline SECONDS gives it longer; the graph is open again.',
  });
}

function killedBeside(task: ThreadTask): CodewalkError {
  const request = requestOf(task);
  return new CodewalkError(
    'WALKER_KILLED',
    `the thread of the walker '${request?.walker ?? '?'}' was ended for another one's sake`,
    {
      input: request?.given ?? request?.input,
      suggestion: 'It is not known whether it was done: look before you run it again.',
    },
  );
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
  let entries: ReturnType<typeof readEntries>;
  try {
    entries = readEntries(join(folder, inside));
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

function readEntries(path: string) {
  return readdirSync(path, { withFileTypes: true });
}

function contentOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array();
  }
}
