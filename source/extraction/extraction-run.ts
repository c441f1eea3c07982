import { CodewalkError, LIMITS } from '../../schema/index.js';
import { readText } from '../discovery/index.js';
import { type Extraction, type FileToExtract, TOO_SLOW } from './extraction.js';
import { type Blame, type Job, WorkerThread, weightOf } from './worker-thread.js';

/** Bytes of files that a thread has before it: enough to go on while the caller is busy with an answer. */
const QUEUE_BYTES = 1024 * 1024;
/** Bytes of files that are extracted ahead of the one that the caller waits for. */
const AHEAD_BYTES = 4 * 1024 * 1024;

/** What a run needs of its pool. */
export interface RunOptions {
  readonly worker: URL;
  readonly languages: readonly string[];
  /** Threads at most. */
  readonly size: number;
  readonly fileTimeMs: number;
  readonly signal: AbortSignal | undefined;
  /** Extracts on the caller's thread: what is done when no thread can be started. */
  readonly otherwise: (file: FileToExtract) => Promise<Extraction>;
}

/** One run of worker threads over a list of files. They live as long as it. */
export class ExtractionRun {
  readonly #options: RunOptions;
  readonly #jobs: readonly Job[];
  readonly #threads = new Set<WorkerThread>();
  readonly #answers = new Map<number, Extraction>();
  /** Files whose thread ended, to be tried again. */
  readonly #again: Job[] = [];
  #next = 0;
  /** Weight of what was handed out and not yet taken. */
  #ahead = 0;
  /** Threads that ended before they were ready, in a row. */
  #stillborn = 0;
  #wake = (): void => {};

  constructor(files: readonly FileToExtract[], options: RunOptions) {
    this.#options = options;
    this.#jobs = files.map((file, index) => ({ file, index, deaths: 0 }));
  }

  /** The answers in the order of the files. Ends its threads when it ends, however it ends. */
  async *answers(): AsyncGenerator<Extraction> {
    const { signal, otherwise } = this.#options;
    const wake = () => this.#wake();
    signal?.addEventListener('abort', wake);
    try {
      for (const job of this.#jobs) {
        let answer = this.#answers.get(job.index);
        while (!answer) {
          throwIfCancelled(signal);
          if (this.#stillborn >= LIMITS.fileDeaths.max) answer = await otherwise(job.file);
          else answer = await this.#arrival(job);
        }
        this.#answers.delete(job.index);
        this.#ahead -= weightOf(job.file);
        yield answer;
      }
    } finally {
      signal?.removeEventListener('abort', wake);
      await Promise.all([...this.#threads].map((thread) => thread.end()));
    }
  }

  /** Hands out files, then waits until something happened; undefined when that was not this file's answer. */
  async #arrival({ index }: Job): Promise<Extraction | undefined> {
    const happened = new Promise<void>((done) => {
      this.#wake = done;
    });
    this.#handOut();
    await happened;
    return this.#answers.get(index);
  }

  #handOut(): void {
    for (let job = this.#peek(); job; job = this.#peek()) {
      const thread = this.#threadFor(job);
      if (!thread) return;
      if (this.#again[0] === job) this.#again.shift();
      else {
        this.#next += 1;
        this.#ahead += weightOf(job.file);
      }
      thread.ask(job);
    }
  }

  /** The next file to hand out; undefined when there is none, or enough is on its way. */
  #peek(): Job | undefined {
    if (this.#again[0]) return this.#again[0];
    return this.#ahead > AHEAD_BYTES ? undefined : this.#jobs[this.#next];
  }

  /** The thread with the shortest queue, if it has room; a new one while there may be more and the rest are busy. */
  #threadFor(job: Job): WorkerThread | undefined {
    const [shortest] = [...this.#threads].sort((a, b) => a.weight - b.weight);
    const idle = shortest !== undefined && shortest.weight === 0 && job.deaths === 0;
    if (!idle && this.#threads.size < this.#options.size) return this.#start();
    return shortest && shortest.weight < QUEUE_BYTES ? shortest : undefined;
  }

  #start(): WorkerThread {
    const { worker, languages, fileTimeMs } = this.#options;
    const thread = new WorkerThread(worker, { languages }, fileTimeMs, {
      done: (job, extraction) => {
        this.#stillborn = 0;
        this.#answer(job, extraction);
      },
      ended: (unanswered, blame) => this.#ended(thread, unanswered, blame),
    });
    this.#threads.add(thread);
    return thread;
  }

  #ended(thread: WorkerThread, unanswered: readonly Job[], blame: Blame | null): void {
    this.#threads.delete(thread);
    const [first] = unanswered;
    if (blame?.unready) this.#stillborn += 1;
    else if (blame && first) {
      first.deaths += blame.late ? LIMITS.fileDeaths.max : 1;
      if (first.deaths >= LIMITS.fileDeaths.max) this.#answer(first, givenUp(first, blame));
    }
    this.#again.push(...unanswered.filter(({ index }) => !this.#answers.has(index)));
    this.#wake();
  }

  #answer(job: Job, extraction: Extraction): void {
    this.#answers.set(job.index, extraction);
    this.#wake();
  }
}

/** A file that cannot be extracted is there all the same: its content is read here. */
function givenUp({ file }: Job, { reason, late }: Blame): Extraction {
  const { path } = file;
  const read = readText(file);
  const content = read.ok ? { hash: read.hash, size: read.size } : null;
  const detail = `Extraction of ${path} was given up: ${reason}`;
  return { ok: false, path, content, documents: null, reason: late ? TOO_SLOW : 'PARSE_FAILED', detail };
}

/** @throws CodewalkError CANCELLED */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CodewalkError('CANCELLED', 'The extraction was cancelled.');
}
