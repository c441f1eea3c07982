import type { Progress, RunOptions, RunResult, WalkerType } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';
import { withDefaults } from '../config.js';
import type { OpenGraph } from '../open-graph.js';
import { movedFrom } from '../projects/moved-root.js';
import type { IndexedSoFar } from './fresh-state.js';

/** The walker whose runs are shared. */
export const INDEX_WALKER = 'graph_index_project';

/** One run over the project, and who waits for it. */
interface Job {
  readonly result: Promise<RunResult>;
  readonly abort: AbortController;
  readonly listeners: Set<(progress: Progress) => void>;
  callers: number;
  progress: Progress | null;
}

/**
 * The index runs of one graph. A caller with the same input and limits joins a run in progress, and gets its progress and
 * answer; it goes on until it ends or its last caller has left. Other limits are a run of their own: no caller is cut
 * off at the limits of another.
 */
export class IndexJobs {
  /** By input and limits. */
  readonly #jobs = new Map<string, Job>();

  /** @param onIndexing Called when a run begins and when it ends. */
  constructor(
    private readonly graph: OpenGraph,
    private readonly onIndexing: (change: 1 | -1) => void,
  ) {}

  /** How far the run in progress has come; null while there is none. */
  get progress(): IndexedSoFar | null {
    const [job] = this.#jobs.values();
    if (!job) return null;
    const { done = 0, total = null } = job.progress ?? {};
    return { done: total === null ? 0 : done, total: total ?? 0 };
  }

  /** Resolves when the run in progress is past discovery, so that there is a graph, or is over. */
  async begun(): Promise<void> {
    const [job] = this.#jobs.values();
    if (!job || isBegun(job.progress)) return;
    await new Promise<void>((resolve) => {
      job.listeners.add((progress) => isBegun(progress) && resolve());
      job.result.then(
        () => resolve(),
        () => resolve(),
      );
    });
  }

  /** Ends all runs: what they had committed is stored, and the next run goes on from there. */
  async close(): Promise<void> {
    const jobs = [...this.#jobs.values()];
    for (const { abort } of jobs) abort.abort();
    await Promise.allSettled(jobs.map(({ result }) => result));
  }

  /** Starts a run for no caller, or joins one. Its result is noted in the project's file, as that of any index. */
  async start(input: Readonly<Record<string, unknown>>): Promise<RunResult> {
    const { root, home, walkers } = this.graph;
    const given = home === null ? input : withDefaults(INDEX_WALKER, input, root, { home });
    const run = await this.run(walkers.get(INDEX_WALKER), given);
    await movedFrom(this.graph, INDEX_WALKER, run);
    return run;
  }

  /**
   * Starts a run, or joins the one of the same input and limits.
   *
   * @throws CodewalkError `CANCELLED` when this caller's signal aborts, or as the run does.
   */
  async run(walker: WalkerType, input: Readonly<Record<string, unknown>>, options: RunOptions = {}) {
    const { signal, onProgress, limits: { deadlineMs, maxVisits, maxBytes } = {} } = options;
    const key = JSON.stringify([walker.input.parse(input), [deadlineMs, maxVisits, maxBytes].map(String)]);
    const job = this.#jobs.get(key) ?? this.#start(key, walker, input, options);
    job.callers++;
    if (onProgress) job.listeners.add(onProgress);
    if (onProgress && job.progress) onProgress(job.progress);
    try {
      return await untilAborted(job.result, signal);
    } finally {
      if (onProgress) job.listeners.delete(onProgress);
      if (--job.callers === 0) {
        // A run that is about to end is not joined.
        this.#jobs.delete(key);
        job.abort.abort();
      }
    }
  }

  #start(key: string, walker: WalkerType, input: Readonly<Record<string, unknown>>, options: RunOptions) {
    const abort = new AbortController();
    const listeners: Job['listeners'] = new Set();
    const onProgress = (progress: Progress) => {
      job.progress = progress;
      for (const listener of listeners) listener(progress);
    };
    const run = { ...options, signal: abort.signal, onProgress };
    const result = this.graph.spawn(walker, null, input as never, run);
    const job: Job = { result, abort, listeners, callers: 0, progress: null };
    this.#jobs.set(key, job);
    this.onIndexing(1);
    const over = () => {
      if (this.#jobs.get(key) === job) this.#jobs.delete(key);
      this.onIndexing(-1);
    };
    result.then(over, over);
    return job;
  }
}

function isBegun(progress: Progress | null): boolean {
  return progress !== null && progress.phase !== 'discover';
}

/** The value of a promise. @throws CodewalkError `CANCELLED` as soon as the signal aborts, or as the promise does. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new CodewalkError('CANCELLED', 'the caller cancelled the run'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
