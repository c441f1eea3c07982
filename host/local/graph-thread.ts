import { type MessagePort, Worker } from 'node:worker_threads';
import type { Progress } from '../../runtime/index.js';
import { CodewalkError, type ErrorBody, errorFromBody, LIMITS } from '../../schema/index.js';
import { masked } from '../../source/index.js';
import { keepLevelLoaded } from '../../storage/index.js';
import type { SpawnRequest } from '../host.js';
import { Claim, type FromThread, Pulse, type ThreadData, type ToThread } from '../worker/messages.js';

/** What a task in a thread tells while it runs, and how it ends. */
export interface ThreadTask {
  readonly message: Asked & { readonly id: number };
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly onPrint: ((text: string) => void) | undefined;
  readonly done: (json: string) => void;
  readonly failed: (error: CodewalkError) => void;
  /** How many threads ended after it had begun in them. */
  deaths: number;
  /** Whether the present thread has begun it. */
  claim: Claim;
  /** Whether it runs in a side thread: then the history's thread need not wait for it. */
  isAside: boolean;
  /** Whether its caller gave it up, and it does not go on without one: then it is not sent again. */
  isCancelled: boolean;
  /** Whether it may be sent again once it has begun: true until the thread says otherwise. */
  repeatable: boolean;
}

/** A request to a thread, without what is added to it on its way. */
export type Asked = Bare<'run'> | Bare<'describe'> | Bare<'backup'> | Bare<'facts'>;

type Bare<K extends ToThread['kind']> = Omit<Extract<ToThread, { readonly kind: K }>, 'id' | 'claim'>;

/** Why a thread ended that nobody told to close. */
export type ThreadEnd = 'silent' | 'exit' | 'memory' | 'failed';

/** One worker thread with what is asked of it. */
export class GraphThread {
  readonly #worker: Worker;
  readonly #pulse: Pulse;
  readonly #tasks = new Map<number, ThreadTask>();
  readonly #gone: Promise<void>;
  #why: ThreadEnd = 'exit';
  #closing = false;
  #ready = false;
  #onReady: () => void = () => undefined;

  /**
   * @param ended called when the thread is over though nobody closed it, with the tasks that it had.
   */
  constructor(
    script: URL,
    data: Omit<ThreadData, 'pulse'>,
    private readonly ended: (thread: GraphThread, why: ThreadEnd, left: readonly ThreadTask[]) => void,
  ) {
    const pulse = Pulse.memory();
    this.#pulse = new Pulse(pulse);
    const transferList: MessagePort[] = data.stores ? [data.stores] : [];
    this.#worker = new Worker(script, { workerData: { ...data, pulse }, transferList });
    keepLevelLoaded();
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      if (this.#why === 'exit') this.#why = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'failed';
    });
    this.#gone = new Promise((done) => {
      this.#worker.on('exit', () => {
        done();
        const left = [...this.#tasks.values()];
        this.#tasks.clear();
        this.ended(this, this.#why, left);
      });
    });
  }

  /** Signs of life so far. */
  get beats(): number {
    return this.#pulse.beats;
  }

  /** The id of the task whose code began last. */
  get running(): number {
    return this.#pulse.running;
  }

  /** Whether an index is at work, whether or not somebody waits for it. */
  get isIndexing(): boolean {
    return this.#pulse.indexing > 0;
  }

  /** Whether people's walkers have been loaded. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Whether work that takes much memory was at work in it, and much of it is still taken. */
  get isFull(): boolean {
    const { fills, heapMib } = this.#pulse;
    return fills > 0 && heapMib * 1024 * 1024 > LIMITS.threadHeap.max;
  }

  /** Tasks that have no answer yet. */
  get tasks(): readonly ThreadTask[] {
    return [...this.#tasks.values()];
  }

  /** Calls back once people's walkers have been loaded. */
  whenReady(then: () => void): void {
    if (this.#ready) then();
    else this.#onReady = then;
  }

  /** Keeps the process alive, or not: an idle thread does not. */
  hold(holds: boolean): void {
    if (holds) this.#worker.ref();
    else this.#worker.unref();
  }

  send(task: ThreadTask): void {
    task.claim = new Claim();
    task.repeatable = true;
    task.isAside = false;
    this.#worker.postMessage({ ...task.message, claim: task.claim.memory });
    this.#tasks.set(task.message.id, task);
    this.hold(true);
  }

  /** Opens the graph of a root ahead of the next task. */
  open(root: string): void {
    this.#worker.postMessage({ kind: 'open', root } satisfies ToThread);
  }

  /** Takes a task back: the thread is told, and answers in its own time. */
  cancel(id: number): void {
    const task = this.#tasks.get(id);
    if (task) task.isCancelled = requestOf(task)?.detached !== true;
    this.#worker.postMessage({ kind: 'cancel', id } satisfies ToThread);
  }

  /** Takes a task back for good: nobody hears what becomes of it. */
  drop(task: ThreadTask): void {
    if (!task.claim.giveUp()) this.cancel(task.message.id);
    this.#settle(task.message.id);
  }

  /** Ends the thread from outside, wherever it is. */
  async kill(): Promise<void> {
    this.#why = 'silent';
    await this.#worker.terminate();
  }

  /** Closes the graphs and ends the thread; after `patienceMs` from outside. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    this.hold(true);
    this.#worker.postMessage({ kind: 'close' } satisfies ToThread);
    const late = setTimeout(() => void this.#worker.terminate(), graceMs);
    await this.#gone;
    clearTimeout(late);
  }

  /** Whether somebody told it to close. */
  get closing(): boolean {
    return this.#closing;
  }

  #hear(message: FromThread): void {
    if (message.kind === 'ready') {
      this.#ready = true;
      this.#onReady();
      return;
    }
    const task = this.#tasks.get(message.id);
    if (message.kind === 'printed' && !task?.onPrint) process.stderr.write(masked(message.text));
    if (!task) return;
    switch (message.kind) {
      case 'once':
        task.repeatable = false;
        return;
      case 'aside':
        task.isAside = true;
        return;
      case 'printed':
        task.onPrint?.(message.text);
        return;
      case 'progress':
        task.onProgress?.(message.progress);
        return;
      case 'done':
        this.#settle(message.id);
        task.done(message.json);
        return;
      case 'failed':
        this.#settle(message.id);
        task.failed(thrownFrom(JSON.parse(message.json)));
    }
  }

  #settle(id: number): void {
    this.#tasks.delete(id);
    if (this.#tasks.size === 0) this.hold(false);
  }
}

/** The error that a thread told of, with the stack that it had there. */
function thrownFrom({ stack, ...body }: ErrorBody & { readonly stack?: string }): CodewalkError {
  const error = errorFromBody(body);
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** What a request asks of its thread. */
export function requestOf(task: ThreadTask): SpawnRequest | null {
  return task.message.kind === 'run' ? task.message.request : null;
}

/** Folders of people's walkers that a task needs. */
export function foldersOf({ message }: ThreadTask): readonly string[] {
  return message.kind === 'run' ? (message.request.userWalkers ?? []) : [];
}

/** Milliseconds that a task may take; null: no limit of its own. */
export function deadlineOf({ message }: ThreadTask): number | null {
  if (message.kind === 'describe') return message.deadlineMs ?? LIMITS.walkerLoading.max;
  if (message.kind !== 'run') return null;
  return (message.aside ?? message.request.limits)?.deadlineMs ?? null;
}

/** Whether people's own code may run in a task. */
export function isOwn(task: ThreadTask): boolean {
  return foldersOf(task).length > 0 || task.message.kind === 'describe';
}

const HOW: Readonly<Record<ThreadEnd, string>> = {
  silent: 'did not yield and was ended',
  exit: 'ended its thread',
  memory: 'took more memory than its thread has and was ended',
  failed: 'threw where nobody catches it, which ended its thread',
};

/** The error of a task that ended its thread. */
export function killed(task: ThreadTask, thread: GraphThread, why: ThreadEnd): CodewalkError {
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

/** The error of a task that had begun in a thread that ended, and is not asked again. */
export function killedWith(task: ThreadTask): CodewalkError {
  const request = requestOf(task);
  return new CodewalkError(
    'WALKER_KILLED',
    `the thread of the walker '${request?.walker ?? '?'}' was ended before it answered`,
    {
      input: request?.given ?? request?.input,
      suggestion: 'It is not known whether it was done: look before you run it again.',
    },
  );
}
