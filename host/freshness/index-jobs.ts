import type { Progress, RunOptions, RunResult, WalkerType } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';
import { withDefaults } from '../index-defaults.js';
import type { OpenGraph } from '../open-graph.js';
import { movedFrom } from '../projects/moved-root.js';
import type { IndexedSoFar } from './fresh-state.js';

/** The walker whose runs are shared. */
export const INDEX_WALKER = 'graph_index_project';

/** One run over the project, and who waits for it. */
interface Job {
  readonly key: string;
  readonly result: Promise<RunResult>;
  readonly abort: AbortController;
  readonly listeners: Set<(progress: Progress) => void>;
  /** When there is a graph, however little of it. */
  readonly begun: { readonly promise: Promise<void>; readonly resolve: () => void };
  callers: number;
  progress: Progress | null;
}

/**
 * The index runs of one graph. Whoever asks for one that is at work already, with the same input and limits,
 * joins it: its progress and its answer are theirs, too. It goes on until it ends or the last of them has left. Whoever
 * gives other limits has a run of their own, after it: nobody is held to, or cut off at, the limits of somebody else.
 */
export class IndexJobs {
  readonly #jobs = new Map<string, Job>();

  /** @param onIndexing told when a run begins and when it ends. */
  constructor(
    private readonly graph: OpenGraph,
    private readonly onIndexing: (change: 1 | -1) => void = () => undefined,
  ) {}

  /** How far the run that is at work has come; null while none is. */
  get progress(): IndexedSoFar | null {
    const [job] = this.#jobs.values();
    if (!job) return null;
    const { done = 0, total = null } = job.progress ?? {};
    return { done: total === null ? 0 : done, total: total ?? 0 };
  }

  /** When the run that is at work has come so far that the graph can be asked, or is over. */
  async begun(): Promise<void> {
    const [job] = this.#jobs.values();
    await Promise.race([job?.begun.promise, job?.result.catch(() => undefined)]);
  }

  /** Ends all runs: what they had committed is kept, and the next run goes on from there. */
  async close(): Promise<void> {
    const jobs = [...this.#jobs.values()];
    for (const { abort } of jobs) abort.abort();
    await Promise.allSettled(jobs.map(({ result }) => result));
  }

  /**
   * Starts a run that nobody asked for, or joins the one of the same input, and stays with it to its end. What it found is
   * noted in the project's file, as that of any index.
   */
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
    const { signal, onProgress, limits = {} } = options;
    const { deadlineMs, maxVisits, maxBytes } = limits;
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
        // Nobody joins what is about to end.
        this.#jobs.delete(key);
        job.abort.abort();
      }
    }
  }

  #start(
    key: string,
    walker: WalkerType,
    input: Readonly<Record<string, unknown>>,
    options: RunOptions,
  ): Job {
    const abort = new AbortController();
    const listeners = new Set<(progress: Progress) => void>();
    const onProgress = (progress: Progress) => {
      job.progress = progress;
      // What follows discovery is a graph that can be asked.
      if (progress.phase !== 'discover') job.begun.resolve();
      for (const listener of listeners) listener(progress);
    };
    const run = { ...options, signal: abort.signal, onProgress };
    const result = this.graph.spawn(walker, null, input as never, run);
    const job: Job = { key, result, abort, listeners, begun: promised(), callers: 0, progress: null };
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

function promised(): Job['begun'] {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** What a promise gives, or `CANCELLED` as soon as the signal aborts. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, fail) => {
    stop = () => fail(new CodewalkError('CANCELLED', 'the caller cancelled the run'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
