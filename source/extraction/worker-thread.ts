import { Worker } from 'node:worker_threads';
import type { Extraction, FileToExtract } from './extraction.js';
import type { WorkerMessage, WorkerRequest, WorkerStart } from './worker-messages.js';

/** One file of a run: its place in the order of answers. */
export interface Job {
  readonly file: FileToExtract;
  readonly index: number;
  /** Threads that ended while they had it. */
  deaths: number;
}

/** What a thread tells the run that it works for. */
export interface WorkerEvents {
  done(job: Job, extraction: Extraction): void;
  /** It is over. `blame` says what its first unanswered file did to it; null when that did nothing. */
  ended(unanswered: readonly Job[], blame: Blame | null): void;
}

/** Why a thread ended that nobody had asked to. */
export interface Blame {
  readonly reason: string;
  /** Whether it was never ready for its first file. */
  readonly unready: boolean;
  /** Whether the file was given all its time: another thread would not do better. */
  readonly late: boolean;
}

/** Bytes that one file costs a queue beside its own: a thousand small ones are not nothing. */
const FILE_WEIGHT = 4096;

/** How much of a queue a file fills, in bytes. */
export const weightOf = ({ size }: FileToExtract): number => size + FILE_WEIGHT;

/** Megabytes of JavaScript heap, beside the parser's memory: a file of the largest size takes a tenth. */
const HEAP_MEGABYTES = 512;

/** A thread that has had a file for so many times its time, by the clock, is waiting for something. */
const MOST_WAITS = 8;

/** Milliseconds of processor time that the process has used. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** One worker thread and the files that it was asked for. */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #events: WorkerEvents;
  readonly #asked: Job[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #fileTimeMs: number;
  /** When the file that it is at was begun, by the clock and by the processor time of all threads together. */
  #begun = { clock: 0, processor: 0 };
  #weight = 0;
  #answers = 0;
  #ready = false;
  #failure = 'its thread ended';
  /** What is told when it is over: nothing, an end that nobody is to blame for, a blame; undefined: still at work. */
  #verdict: 'nothing' | 'nobody' | Blame | undefined;

  constructor(file: URL, start: WorkerStart, fileTimeMs: number, events: WorkerEvents) {
    this.#events = events;
    this.#worker = new Worker(file, {
      name: 'codewalk extraction',
      workerData: start,
      // What the parser says when it aborts must not get between the lines of a protocol.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    this.#fileTimeMs = fileTimeMs;
    this.#timer = setTimeout(() => this.#checkTime(), fileTimeMs);
    this.#worker.on('message', (message: WorkerMessage) => this.#hear(message));
    this.#worker.on('error', (error: unknown) => {
      this.#failure = error instanceof Error ? error.message : String(error);
    });
    this.#worker.once('exit', () => this.#over());
  }

  /** The weight of the files that it has not answered. */
  get weight(): number {
    return this.#weight;
  }

  /** Gives it one more file. */
  ask(job: Job): void {
    if (this.#asked.length === 0) this.#begin();
    this.#asked.push(job);
    this.#weight += weightOf(job.file);
    const { path, diskPath } = job.file;
    this.#worker.postMessage({ path, diskPath } satisfies WorkerRequest);
  }

  /** Ends it, and tells nothing more. */
  async end(): Promise<void> {
    await this.#stop('nothing');
  }

  #hear(message: WorkerMessage): void {
    if (this.#verdict !== undefined) return;
    this.#begin();
    this.#answers += 1;
    if (message.kind === 'ready') {
      this.#ready = true;
      return;
    }
    const { extraction, spent } = message;
    if (spent === 'trapped') {
      void this.#stop(this.#blame(extraction.ok ? 'the parser trapped' : extraction.detail));
      return;
    }
    if (spent === 'grown') void this.#stop('nobody');
    const job = this.#asked.shift();
    if (!job) return;
    this.#weight -= weightOf(job.file);
    this.#events.done(job, extraction);
  }

  /** When our own thread was busy, answers may lie unread: they are heard before what `setImmediate` calls. */
  #checkTime(): void {
    const answers = this.#answers;
    setImmediate(() => {
      if (this.#verdict !== undefined) return;
      const isIdle = this.#asked.length === 0 || !this.#ready;
      if (isIdle || this.#answers !== answers) this.#begin();
      else if (!this.#isOver()) this.#timer.refresh();
      else void this.#stop(this.#blame(`it took more than ${this.#fileTimeMs / 1000} s`, true));
    });
  }

  #begin(): void {
    this.#timer.refresh();
    this.#begun = { clock: performance.now(), processor: processorTime() };
  }

  /**
   * Whether the time of a file is used up, by the clock: unless the process got less than half of it from a busy machine.
   */
  #isOver(): boolean {
    const clock = performance.now() - this.#begun.clock;
    const processor = processorTime() - this.#begun.processor;
    const most = this.#fileTimeMs;
    return (clock >= most && processor >= most / 2) || clock >= MOST_WAITS * most;
  }

  async #stop(verdict: 'nothing' | 'nobody' | Blame): Promise<void> {
    this.#verdict = verdict;
    clearTimeout(this.#timer);
    await this.#worker.terminate();
  }

  #blame(reason: string, late = false): Blame {
    return { reason, late, unready: !this.#ready };
  }

  #over(): void {
    clearTimeout(this.#timer);
    const verdict = this.#verdict ?? this.#blame(this.#failure);
    this.#verdict = 'nothing';
    if (verdict !== 'nothing') this.#events.ended(this.#asked, verdict === 'nobody' ? null : verdict);
  }
}
