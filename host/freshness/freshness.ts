import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress, RunOptions, RunResult, WalkerType } from '../../runtime/index.js';
import { CodewalkError, LIMITS, toCodewalkError } from '../../schema/index.js';
import { settingsFor, withDefaults } from '../config.js';
import type { Absent, OpenGraph } from '../open-graph.js';
import { isEligible, isOwnProject } from '../project-root.js';
import { movedFrom } from '../projects/project-list.js';
import { FRESH, type FreshnessStatus, type FreshState, type IndexedSoFar } from './fresh-state.js';
import { ProjectWatch } from './project-watch.js';

/** More changed files than these are updated by a run over the project. */
const FEW_CHANGES = 500;

interface FreshnessOptions {
  readonly graph: OpenGraph;
  /** A folder of ours on this machine for the watcher: it is made. Null: no watcher, every question reads the files. */
  readonly cookies: string | null;
  /** Whether a question begins the index of a project that has none. */
  readonly autoIndex: () => boolean;
  /** Milliseconds from any beginning; never jumps back. */
  readonly clock: () => number;
  /** Milliseconds for finding changes before an answer. Default: `LIMITS.freshLook`. */
  readonly lookMs?: number;
  /** Milliseconds that a question waits for changed files to be indexed. Default: `LIMITS.freshWait`. */
  readonly waitMs?: number;
  /** Milliseconds that a question waits for the index that it began. Default: `LIMITS.firstIndexWait`. */
  readonly firstIndexMs?: number;
  /** Called when an index begins and when it ends. */
  readonly onIndexing?: (change: 1 | -1) => void;
}

/** Waits for a promise until a time of the clock, at most until the question's own deadline. */
type Wait = <T>(end: number, promise: Promise<T>) => Promise<T | 'late'>;

/**
 * Prevents answers about code that are silently old: before a question, what changed on disk is brought into the graph,
 * and what could not be in time is named. One per open graph, in its thread.
 */
export class Freshness {
  readonly jobs: IndexJobs;
  readonly #watch: ProjectWatch | null;
  /** When all changes were known last. */
  #knownAt: number | null = null;
  readonly #closing = new AbortController();
  #settling: Promise<boolean> | null = null;

  constructor(private readonly options: FreshnessOptions) {
    const { graph, cookies, onIndexing } = options;
    const { root } = graph;
    const { signal } = this.#closing;
    this.#watch = root === null ? null : new ProjectWatch({ graph, root, cookies, signal });
    this.jobs = new IndexJobs(graph, (change) => {
      onIndexing?.(change);
      // It may have been cut off, or have entered other folders than those that are watched.
      if (change === -1) this.#watch?.doubt();
    });
  }

  get status(): FreshnessStatus {
    const { folders = 0, whyNot = null, size = 0, isTrusted = false } = this.#watch ?? {};
    return { folders, trusted: isTrusted, whyNotWatched: whyNot, dirty: size };
  }

  /** Runs a walker; index runs are shared. */
  run(walker: WalkerType, input: Record<string, unknown>, options: RunOptions): Promise<RunResult> {
    if (walker.name === INDEX_WALKER) return this.jobs.run(walker, input, options);
    return this.options.graph.spawn(walker, null, input as never, options);
  }

  /** Brings the graph up to date for a question, as far as there is time, and says what is not. Never throws. */
  async before(walker: WalkerType, options: RunOptions = {}): Promise<FreshState> {
    const watch = this.#watch;
    const { clock } = this.options;
    const deadline = clock() + (options.limits?.deadlineMs ?? Number.POSITIVE_INFINITY);
    const wait: Wait = (end, promise) => within(Math.min(end, deadline) - clock(), promise, options.signal);
    if (!watch || walker.access !== 'read' || walker.reads !== 'code') return FRESH;
    try {
      if (await this.#isIndexing(wait)) return this.#whileIndexing();
      const known = await this.#look(watch, wait);
      // An index may have begun meanwhile, and be why there was no time to look.
      if (known !== 'checked' && (await this.#isIndexing(wait))) return this.#whileIndexing();
      if (known === 'absent') return FRESH;
      const { epoch } = watch;
      await this.#settle(watch, epoch, wait);
      return this.#stateOf(watch, epoch, known === 'checked');
    } catch (thrown) {
      const note = `What changed could not be looked at: ${toCodewalkError(thrown).message}.`;
      return { ...this.#stateOf(watch, watch.epoch, false), notes: [note] };
    }
  }

  /** A walker found changed files that no event had reported: the next question has them. */
  found(paths: readonly string[]): void {
    for (const path of paths) this.#watch?.note(path);
  }

  /** Ends all work. To be called before the graph is closed. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.jobs.close();
    await this.#settling?.catch(() => undefined);
    await this.#watch?.close();
  }

  /** Finds what changed before this call. `unchecked`: there was no time to. */
  async #look(watch: ProjectWatch, wait: Wait): Promise<'checked' | 'unchecked' | 'indexing' | 'absent'> {
    const { clock, lookMs = LIMITS.freshLook.default } = this.options;
    const started = clock();
    if (await watch.hasReportedAll()) {
      this.#knownAt = started;
      return 'checked';
    }
    const isFirst = this.#knownAt === null;
    const end = clock() + (isFirst ? Math.max(lookMs, LIMITS.freshFirstLook.default) : lookMs);
    for (;;) {
      const beganBefore = watch.isLooking;
      const began = clock();
      const looking = watch.lookEverywhere().then((found) => {
        if (found.complete) this.#knownAt = Math.max(this.#knownAt ?? 0, began);
        return found;
      });
      const found = await wait(end, looking);
      if (found === 'late') return 'unchecked';
      if (!found.complete) return this.#begin(found.indexed, wait);
      if (!beganBefore) return 'checked';
    }
  }

  /** Begins the index of a graph that is not there, or goes on with one that is not complete. */
  async #begin(isIndexed: boolean, wait: Wait): Promise<'checked' | 'indexing' | 'absent'> {
    const { autoIndex, clock, firstIndexMs = LIMITS.firstIndexWait.default } = this.options;
    if (this.jobs.progress) return 'indexing';
    if (!autoIndex()) return 'absent';
    const job = this.jobs.start(isIndexed ? { mode: 'incremental' } : {});
    const outcome = await wait(clock() + firstIndexMs, job);
    return outcome === 'late' ? 'indexing' : 'checked';
  }

  /** Waits until what changed in an epoch or earlier is in the graph, or there is no more time. */
  async #settle(watch: ProjectWatch, epoch: number, wait: Wait): Promise<void> {
    const { clock, waitMs = LIMITS.freshWait.default } = this.options;
    const end = clock() + waitMs;
    while (watch.changedUntil(epoch).length > 0) {
      this.#settling ??= this.#settleOnce(watch).finally(() => {
        this.#settling = null;
      });
      if ((await wait(end, this.#settling)) !== true) return;
    }
  }

  /** @returns false for a graph that is not complete: its index has to go on first. */
  async #settleOnce(watch: ProjectWatch): Promise<boolean> {
    const { epoch } = watch;
    const { changes, decides, complete } = await watch.verify(epoch);
    // With an incomplete graph the next question has the index go on; what decides may change which folders are entered.
    if (!complete || decides) watch.doubt();
    if (!complete) return false;
    const files = changes.map(({ path }) => path);
    if (files.length > 0 || decides)
      await this.#update(decides || files.length > FEW_CHANGES ? ['.'] : files);
    watch.settle(files, epoch);
    return true;
  }

  /** @param paths '.': the whole project, with the globs of its index. */
  async #update(paths: string[]): Promise<void> {
    const { graph } = this.options;
    const { signal } = this.#closing;
    try {
      await graph.spawn('graph_update_files', null, { paths }, { signal });
    } catch (thrown) {
      // A path that became a link out of the root is refused by its name; it is gone all the same.
      if (paths[0] === '.' || toCodewalkError(thrown).code !== 'PATH_OUTSIDE_ROOT') throw thrown;
      await graph.spawn('graph_update_files', null, { paths: ['.'] }, { signal });
    }
  }

  #stateOf(watch: ProjectWatch, epoch: number, isChecked: boolean): FreshState {
    const pendingFiles = watch.changedUntil(epoch).sort();
    return { ...FRESH, pendingFiles, unchecked: isChecked ? null : { ms: this.#age() } };
  }

  /** Whether the whole project is being indexed; meanwhile questions are answered from what there is. */
  async #isIndexing(wait: Wait): Promise<boolean> {
    // Of a first index there may be nothing yet; a later one never keeps a question waiting.
    if (this.jobs.progress && this.#knownAt === null)
      await wait(this.options.clock() + LIMITS.freshWait.default, this.jobs.begun());
    return this.jobs.progress !== null;
  }

  #whileIndexing(): FreshState {
    return { ...FRESH, indexed: this.jobs.progress, unchecked: { ms: this.#age() } };
  }

  #age(): number | null {
    return this.#knownAt === null ? null : Math.max(0, Math.round(this.options.clock() - this.#knownAt));
  }
}

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
    const begun = new Promise((resolve) =>
      job.listeners.add((progress) => isBegun(progress) && resolve(null)),
    );
    await Promise.race([begun, job.result.catch(() => undefined)]);
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
      return (await within(Number.POSITIVE_INFINITY, job.result, signal)) as RunResult;
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

/** The most milliseconds that a timer takes. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * The value of a promise; `late` if it takes longer: then it goes on, and its failure is ignored.
 *
 * @throws CodewalkError `CANCELLED` when the signal aborts first, or as the promise does.
 */
async function within<T>(ms: number, promise: Promise<T>, signal?: AbortSignal): Promise<T | 'late'> {
  const done = new AbortController();
  const ending = signal ? AbortSignal.any([done.signal, signal]) : done.signal;
  const late = sleep(Math.min(Math.max(0, ms), LONGEST_MS), 'late' as const, { signal: ending });
  for (const one of [promise, late]) one.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } catch (thrown) {
    throw signal?.aborted ? new CodewalkError('CANCELLED', 'the caller cancelled the run') : thrown;
  } finally {
    done.abort();
  }
}

/**
 * Whether a question about a root that has no index begins one: the configuration lets it, and the root is eligible and
 * no folder inside of a project.
 */
export function indexesByItself(root: string, home: string): boolean {
  return settingsFor(root, { home }).auto_index && isEligible(root) && isOwnProject(root);
}

/** What is done for a walker where a root has no graph: one that only reads makes none, but it may begin the index. */
export function absentOrBegun(walker: WalkerType, root: string, home: string): Absent {
  const absent = walker.access === 'read' ? walker.withoutGraph : 'made';
  return absent === 'refused' && walker.reads === 'code' && indexesByItself(root, home) ? 'made' : absent;
}
