import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type MessagePort, Worker } from 'node:worker_threads';
import { CodewalkError, type ErrorBody, errorFromBody, LIMITS } from '../../schema/index.js';
import { masked } from '../../source/index.js';
import { keepLevelLoaded } from '../../storage/index.js';
import type { SpawnOptions, SpawnRequest } from '../host.js';
import {
  Claim,
  type FromThread,
  Heartbeat,
  heldUp,
  type ThreadAsk,
  type ThreadData,
  type ToThread,
} from '../worker/messages.js';

/** Megabytes for what was just made: an index makes much that is soon gone, and with less it is copied again and again. */
const YOUNG_MEGABYTES = 64;
/** Milliseconds between two looks at a thread's heartbeat. */
const LOOK_MS = 200;
/** Milliseconds that a thread is given to report on its graphs while it does something else. */
const STATUS_MS = 2000;
/** Milliseconds without a beat after which a thread with an overdue task is ended. */
const SILENCE_MS = 2000;
/** Milliseconds of rest after which a thread that an index has filled makes way for a fresh one. */
const REST_MS = 2000;
/** Threads that may end under a task: it is asked again once. */
const DEATHS = 1;

/** A request to a thread; it may outlive the thread that has it. */
interface Task {
  readonly id: number;
  readonly ask: ThreadAsk;
  readonly options: SpawnOptions;
  /** When it was asked, by `performance.now()`. */
  readonly asked: number;
  readonly done: (json: string) => void;
  readonly failed: (error: CodewalkError) => void;
  /** How many threads ended after it had begun in them. */
  deaths: number;
  claim: Claim;
  /** Whether it runs in a side thread: then it holds up nobody. */
  isAside: boolean;
  /** Whether its caller gave it up, and it does not go on without one: then it is not sent again. */
  isCancelled: boolean;
}

/** Why a thread ended that was not closed. */
type ThreadEnd = 'silent' | 'exit' | 'memory' | 'failed';

/** How a {@link SupervisedThread} is made. */
export interface ThreadOptions {
  readonly script: URL;
  readonly home: string;
  /** Milliseconds that closing may take. */
  readonly closingMs: number;
  /** See {@link ThreadData.hasSides}. Default false. */
  readonly hasSides?: boolean;
  /** For a side thread: makes the port through which a new thread reads the stores. Default: the thread opens them. */
  readonly stores?: () => MessagePort;
}

/** One worker with the tasks that were sent to it. */
class RunningThread {
  readonly heartbeat = new Heartbeat();
  readonly tasks = new Map<number, Task>();
  readonly #worker: Worker;
  #end: ThreadEnd = 'exit';
  readonly #gone: Promise<void>;
  /** Whether users' walkers have been loaded. */
  isReady = false;
  /** Whether it was asked to close. */
  isClosing = false;
  #beats = -1;
  /** Milliseconds since its last beat, as far as it was looked at, while it has tasks. */
  silentMs = 0;

  /** @param folders Users' walkers that it loads, with hashes of their files. */
  constructor(
    script: URL,
    data: Omit<ThreadData, 'heartbeat' | 'userWalkers'>,
    readonly folders: ReadonlyMap<string, string>,
    onEnd: (thread: RunningThread, why: ThreadEnd, left: readonly Task[]) => void,
  ) {
    const workerData: ThreadData = {
      ...data,
      userWalkers: [...folders.keys()],
      heartbeat: this.heartbeat.memory,
    };
    this.#worker = new Worker(script, {
      workerData,
      transferList: data.stores ? [data.stores] : [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    this.#worker.unref();
    keepLevelLoaded();
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      if (this.#end === 'exit') this.#end = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'failed';
    });
    this.#gone = new Promise((done) => {
      this.#worker.on('exit', () => {
        done();
        const left = [...this.tasks.values()];
        this.tasks.clear();
        onEnd(this, this.#end, left);
      });
    });
  }

  /** Whether work that takes much memory ran in it, and much of it is still taken. */
  get isFull(): boolean {
    return (
      this.heartbeat.get('fills') > 0 && this.heartbeat.get('heapMib') * 1024 * 1024 > LIMITS.threadHeap.max
    );
  }

  say(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  send(task: Task): void {
    task.claim = new Claim();
    task.isAside = false;
    this.say({ id: task.id, ask: task.ask, claim: task.claim.memory });
    this.tasks.set(task.id, task);
    // A task keeps the process alive, an idle thread does not.
    this.#worker.ref();
  }

  /** Cancels a task: the thread answers in its own time. */
  cancel(id: number): void {
    const task = this.tasks.get(id);
    if (task) task.isCancelled = requestOf(task)?.detached !== true;
    this.say({ cancel: id });
  }

  /** Gives a task up: its outcome is ignored. */
  drop(task: Task): void {
    if (!task.claim.giveUp()) this.cancel(task.id);
    this.#settle(task.id);
  }

  /** Updates {@link silentMs}. */
  listen(): void {
    const beats = this.heartbeat.get('beats');
    this.silentMs = this.tasks.size > 0 && beats === this.#beats ? this.silentMs + LOOK_MS : 0;
    this.#beats = beats;
  }

  /** Ends the thread from outside, wherever it is. */
  async kill(): Promise<void> {
    this.#end = 'silent';
    await this.#worker.terminate();
  }

  /** Closes the graphs and ends the thread; after a time from outside. */
  async close(graceMs: number): Promise<void> {
    this.isClosing = true;
    this.#worker.ref();
    this.say({ close: true });
    const late = setTimeout(() => void this.#worker.terminate(), graceMs);
    await this.#gone;
    clearTimeout(late);
  }

  #hear(message: FromThread): void {
    if ('ready' in message) {
      this.isReady = true;
      return;
    }
    const task = this.tasks.get(message.id);
    const options = task?.options ?? {};
    if ('printed' in message) {
      if (options.onPrint) options.onPrint(message.printed);
      else process.stderr.write(masked(message.printed));
    } else if ('progress' in message) options.onProgress?.(message.progress);
    else if (!task) return;
    else if ('aside' in message) task.isAside = true;
    else {
      this.#settle(task.id);
      if ('answer' in message) task.done(message.answer);
      else task.failed(thrownFrom(JSON.parse(message.error)));
    }
  }

  #settle(id: number): void {
    this.tasks.delete(id);
    if (this.tasks.size === 0) this.#worker.unref();
  }
}

/**
 * A thread that opens graphs: started by the first task, again when it dies, and when a task names users' walkers that it
 * has not loaded. It is ended when it hangs. Its tasks outlive it.
 */
export class SupervisedThread {
  /** Folders of users' walkers that tasks named, with hashes of their files: what the next thread loads. */
  readonly #folders = new Map<string, string>();
  /** The roots whose graphs are open, as far as tasks named them. */
  readonly #roots = new Set<string>();
  /** Tasks that wait for another thread: the present one ends first. */
  #waiting: Task[] = [];
  #thread: RunningThread | null = null;
  /** Takes the place of a full thread: it has loaded already what the first question would wait for. */
  #successor: RunningThread | null = null;
  #timer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isEnded = false;
  /** When something was at work last. */
  #busyAt = performance.now();
  /** When it was last asked for something, by `performance.now()`. */
  lastUsed = performance.now();

  constructor(private readonly options: ThreadOptions) {}

  /** Tasks that have no answer yet. */
  get pending(): number {
    return this.#waiting.length + (this.#thread?.tasks.size ?? 0);
  }

  get isBusy(): boolean {
    return this.pending > 0 || (this.#thread?.heartbeat.get('indexing') ?? 0) > 0;
  }

  get isOpen(): boolean {
    return this.#thread !== null;
  }

  /**
   * Sends a request and returns its answer as JSON text.
   *
   * @throws CodewalkError as the request does; `CANCELLED`; `WALKER_KILLED`; `BUSY`.
   */
  ask(ask: ThreadAsk, options: SpawnOptions = {}): Promise<string> {
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(cancelled());
    const id = ++this.#lastId;
    const cancel = () => this.#cancel(id);
    signal?.addEventListener('abort', cancel, { once: true });
    const answer = new Promise<string>((done, failed) => {
      const state = { deaths: 0, claim: new Claim(), isAside: false, isCancelled: false };
      this.#send({ id, ask, options, asked: performance.now(), done, failed, ...state });
    });
    return answer.finally(() => {
      signal?.removeEventListener('abort', cancel);
      this.lastUsed = performance.now();
      if (this.#waiting.length > 0) this.#renew();
    });
  }

  /** Closes the graphs and ends the thread. The next task starts one again. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    this.#roots.clear();
    this.#stopTimer();
    void this.#successor?.close(this.options.closingMs);
    this.#successor = null;
    if (!thread) return;
    // One that has been silent for long will not close by itself.
    await (thread.silentMs >= SILENCE_MS ? thread.kill() : thread.close(this.options.closingMs));
  }

  /** For good: what is asked from now on is refused. */
  async end(): Promise<void> {
    this.#isEnded = true;
    for (const task of this.#waiting.splice(0)) task.failed(closedHost());
    await this.close();
  }

  /** Sends a task, to a thread that knows the walkers that it names. */
  #send(task: Task): void {
    this.lastUsed = performance.now();
    const root = requestOf(task)?.root;
    if (root !== undefined) this.#roots.add(root);
    for (const folder of foldersOf(task)) this.#folders.set(folder, folderHash(folder));
    const thread = this.#thread;
    if (thread && (thread.isClosing || !this.#hasLoaded(thread, task) || this.#waiting.length > 0)) {
      this.#waiting.push(task);
      this.#renew();
    } else this.#begin().send(task);
  }

  /** Whether a thread knows the walkers that a task names as they are now. */
  #hasLoaded(thread: RunningThread, task: Task): boolean {
    return foldersOf(task).every((one) => thread.folders.get(one) === this.#folders.get(one));
  }

  #begin(): RunningThread {
    this.#thread ??= this.#newThread();
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return this.#thread;
  }

  #newThread(): RunningThread {
    const { script, home, hasSides = false, stores } = this.options;
    return new RunningThread(
      script,
      { home, hasSides, stores: stores?.() ?? null },
      new Map(this.#folders),
      (thread, why, left) => this.#over(thread, why, left),
    );
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #cancel(id: number): void {
    const waiting = this.#waiting.find((task) => task.id === id);
    if (waiting) this.#drop(waiting, cancelled());
    else this.#thread?.cancel(id);
  }

  /** Ends a task with an error, wherever it waits or runs. */
  #drop(task: Task, error: CodewalkError): void {
    if (this.#waiting.includes(task)) this.#waiting = this.#waiting.filter((one) => one !== task);
    else this.#thread?.drop(task);
    task.failed(error);
  }

  /**
   * Once nothing runs in it the thread makes way for one that has loaded what is wanted now. What runs aside only reads:
   * it begins again.
   */
  #renew(): void {
    const thread = this.#thread;
    if (thread === null || thread.isClosing || [...thread.tasks.values()].some((task) => !task.isAside))
      return;
    void thread.close(this.options.closingMs);
  }

  /** A thread has ended: tasks at fault fail, the others are sent to the next one. */
  #over(thread: RunningThread, why: ThreadEnd, left: readonly Task[]): void {
    const isCurrent = this.#thread === thread;
    if (isCurrent) this.#thread = null;
    if (this.#successor === thread) this.#successor = null;
    const suspects = thread.isClosing ? [] : suspectsIn(thread, left);
    // Our own code never ends its thread by itself: where no other is in it, something else did.
    const culprits = why === 'exit' && !suspects.some(isOwn) ? [] : suspects;
    // What did not load would end the next thread, too.
    if (!thread.isReady && !thread.isClosing) this.#folders.clear();
    const again = left.filter((task) => {
      if (task.claim.isBegun && !thread.isClosing) task.deaths++;
      const error = this.#errorAfter(thread, why, task, culprits.includes(task));
      if (error) task.failed(error);
      return error === null;
    });
    const next = isCurrent || this.#thread === null ? [...again, ...this.#waiting.splice(0)] : again;
    for (const folder of next.flatMap(foldersOf)) this.#folders.set(folder, folderHash(folder));
    if (isCurrent) this.#succeed(next);
    for (const task of next) this.#begin().send(task);
    // It made way for a fresh one, in which the next task finds the graphs open.
    if (isCurrent && thread.isClosing && next.length === 0)
      for (const root of this.#roots) this.#begin().say({ open: root });
    if (this.#thread === null) this.#stopTimer();
  }

  /** Lets the successor take over, if it has loaded what the next tasks need. */
  #succeed(next: readonly Task[]): void {
    const successor = this.#successor;
    this.#successor = null;
    if (successor?.isReady && next.every((task) => this.#hasLoaded(successor, task)))
      this.#thread = successor;
    else void successor?.close(this.options.closingMs);
  }

  /** How a task ends with its thread; null: it is sent to the next one. */
  #errorAfter(thread: RunningThread, why: ThreadEnd, task: Task, isCulprit: boolean): CodewalkError | null {
    if (isCulprit) return killed(task, thread, why);
    if (this.#isEnded) return closedHost();
    if (task.isCancelled) return cancelled();
    return task.claim.isOnce || task.deaths > DEATHS ? killedWith(task) : null;
  }

  /** Looks whether the thread hangs although somebody's time is over, or may make way for a fresh one. */
  #look(): void {
    const thread = this.#thread;
    if (this.#waiting.length > 0) this.#renew();
    if (this.isBusy) this.#busyAt = performance.now();
    if (thread === null) return;
    thread.listen();
    this.#failHeld(thread);
    // One that has indexed keeps much memory that nobody needs.
    if (performance.now() - this.#busyAt > REST_MS && thread.isFull && !thread.isClosing) {
      this.#successor ??= this.#newThread();
      if (this.#successor.isReady) void thread.close(this.options.closingMs);
    }
    if (thread.silentMs === 0) return;
    // What only waits for the thread does not end it.
    const tasks = [...thread.tasks.values()];
    const suspects = suspectsIn(thread, tasks);
    const isLate = (suspects.length > 0 ? suspects : tasks).some(isOverdue);
    // One that has not loaded yet says nothing: a busy machine takes its time.
    const graceMs = thread.isReady ? SILENCE_MS : LIMITS.walkerLoading.max;
    const longestMs = thread.isReady || thread.folders.size === 0 ? LIMITS.walkerSilence.default : graceMs;
    if (thread.silentMs > longestMs || (isLate && thread.silentMs >= graceMs)) void thread.kill();
  }

  /**
   * Ends the tasks that have waited for others for as long as is promised: those that have not begun, and those in a
   * thread that does not yield.
   */
  #failHeld(thread: RunningThread): void {
    const { silentMs, isReady } = thread;
    const tasks = [...thread.tasks.values()];
    const holders = silentMs > 0 ? suspectsIn(thread, tasks) : tasks;
    const holder = isReady ? holders.find(({ isAside }) => !isAside) : undefined;
    // While a thread starts that loads nobody's code it is a busy machine that keeps them waiting.
    const mayHang = silentMs > 0 && (isReady || thread.folders.size > 0);
    const held = mayHang ? tasks.filter((task) => !holders.includes(task)) : [];
    for (const task of [...held, ...this.#waiting]) {
      const promised = 'status' in task.ask ? STATUS_MS : LIMITS.heldWait.default;
      const waitedMs = task.claim.isBegun ? silentMs : performance.now() - task.asked;
      // What a file gets to load is no limit on waiting for the thread that is to load it.
      const ownMs = 'spawn' in task.ask ? deadlineOf(task) : null;
      if (!task.isAside && waitedMs >= Math.min(promised, ownMs ?? promised))
        this.#drop(task, heldError(task, thread, holder));
    }
  }
}

/**
 * Who is at work in a thread that does not yield, as far as is known: whose code ran last; never what runs in a thread of
 * its own. Code that goes on after an `await` is not seen to begin: so users' own walkers, where any had begun, are taken
 * for the cause before ours are.
 */
function suspectsIn(thread: RunningThread, tasks: readonly Task[]): readonly Task[] {
  const begun = tasks.filter((task) => !task.isAside && (task.claim.isBegun || !thread.isReady));
  const running = begun.filter(({ id }) => id === thread.heartbeat.get('running'));
  const own = begun.filter(isOwn);
  const guesses = [running.filter(isOwn), own.filter(isOverdue), own, running];
  return guesses.find(({ length }) => length > 0) ?? (thread.isReady && begun.length === 1 ? begun : []);
}

/** Whether a task's time is over, or nobody waits for it. A run in a side thread never is: its own thread ends it. */
function isOverdue(task: Task): boolean {
  if (task.isAside) return false;
  if (task.isCancelled) return true;
  const deadline = deadlineOf(task);
  return deadline !== null && performance.now() - task.asked > deadline;
}

function requestOf({ ask }: Task): SpawnRequest | null {
  return 'spawn' in ask ? ask.spawn : null;
}

/** Folders of users' walkers that a task needs. */
function foldersOf(task: Task): readonly string[] {
  return requestOf(task)?.userWalkers ?? [];
}

/** Milliseconds that a task may take; null: no limit of its own. */
function deadlineOf({ ask }: Task): number | null {
  if ('describe' in ask) return ask.deadlineMs ?? LIMITS.walkerLoading.max;
  if (!('spawn' in ask)) return null;
  return (ask.aside ?? ask.spawn.limits)?.deadlineMs ?? null;
}

/** Whether users' own code may run in a task. */
function isOwn(task: Task): boolean {
  return foldersOf(task).length > 0 || 'describe' in task.ask;
}

const HOW: Readonly<Record<ThreadEnd, string>> = {
  silent: 'did not yield and was ended',
  exit: 'ended its thread',
  memory: 'took more memory than its thread has and was ended',
  failed: 'threw where nobody catches it, which ended its thread',
};

/** The error of a task that ended its thread. */
function killed(task: Task, thread: RunningThread, why: ThreadEnd): CodewalkError {
  const describes = 'describe' in task.ask ? task.ask.describe : null;
  const folders = describes ?? foldersOf(task);
  if (describes || (!thread.isReady && folders.length > 0))
    return new CodewalkError('WALKER_INVALID', `loading ${folders.join(', ')} ${HOW[why]}`, {
      input: folders,
      suggestion: 'What a file does while it is loaded must end by itself.',
    });
  return walkerKilled(
    task,
    (walker) => `the walker ${walker} ${HOW[why]}`,
    'Does it loop, or call process.exit? --deadline SECONDS gives it longer; the graph is open again.',
  );
}

/** The error of a task that had begun in a thread that ended, and is not asked again. */
function killedWith(task: Task): CodewalkError {
  return walkerKilled(
    task,
    (walker) => `the thread of the walker ${walker} was ended before it answered`,
    'It is not known whether it was done: look before you run it again.',
  );
}

function walkerKilled(task: Task, what: (walker: string) => string, suggestion: string): CodewalkError {
  const request = requestOf(task);
  const input = request?.given ?? request?.input;
  return new CodewalkError('WALKER_KILLED', what(`'${request?.walker ?? '?'}'`), { input, suggestion });
}

/** @param holder Undefined: users' walkers that do not load. */
function heldError(task: Task, thread: RunningThread, holder: Task | undefined): CodewalkError {
  const request = requestOf(task);
  const seconds = Math.round((performance.now() - (holder?.asked ?? 0)) / 1000);
  const what = holder ? (requestOf(holder)?.walker ?? Object.keys(holder.ask)[0]) : null;
  const by = holder
    ? `'${what}', which was asked ${seconds} s ago and has not ended`
    : `the loading of ${[...thread.folders.keys()].join(', ') || 'walkers'}`;
  const begun = task.claim.isBegun ? ' It had begun: look whether it was done if it writes.' : '';
  return heldUp(request?.root ?? 'a project', by, request?.given ?? request?.input, begun);
}

function cancelled(): CodewalkError {
  return new CodewalkError('CANCELLED', 'the run was cancelled');
}

function closedHost(): CodewalkError {
  return new CodewalkError('CANCELLED', 'the host was closed');
}

/** An error of a thread, with the stack that it had there. */
function thrownFrom({ stack, ...body }: ErrorBody & { readonly stack?: string }): CodewalkError {
  const error = errorFromBody(body);
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** A hash of the code in a folder of users' walkers. Packages are installed, not edited: they are left out. */
function folderHash(folder: string): string {
  const hash = createHash('sha256');
  const add = (inside: string) => {
    let entries: Dirent[] = [];
    try {
      entries = readdirSync(join(folder, inside), { withFileTypes: true });
    } catch {
      // A folder that cannot be read has a hash, too.
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(inside, entry.name);
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) add(path);
      else if (/\.(?:[cm]?js|json)$/u.test(entry.name))
        hash.update(`\0${path}\0`).update(contentOf(join(folder, path)));
    }
  };
  add('');
  return hash.digest('hex');
}

function contentOf(path: string): Uint8Array {
  try {
    // Reading a pipe would wait for its writer.
    return statSync(path).isFile() ? readFileSync(path) : new Uint8Array();
  } catch {
    return new Uint8Array();
  }
}
