import type { RunOptions, RunResult, WalkerType } from '../../runtime/index.js';
import { LIMITS, toCodewalkError } from '../../schema/index.js';
import type { OpenGraph } from '../open-graph.js';
import { FRESH, type FreshnessStatus, type FreshState } from './fresh-state.js';
import { INDEX_WALKER, IndexJobs, untilAborted } from './index-jobs.js';
import { ProjectWatch } from './project-watch.js';

const { freshLook, freshFirstLook, freshWait, firstIndexWait } = LIMITS;

/** More changed files than these are updated by a run over the project. */
const FEW_CHANGES = 500;

/** What {@link Freshness} stands on. */
export interface FreshnessOptions {
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

/** How long one question can wait: never beyond its own deadline, and not after its caller has gone. */
class Deadlines {
  readonly #deadline: number;

  constructor(
    private readonly clock: () => number,
    private readonly options: Pick<RunOptions, 'signal' | 'limits'>,
  ) {
    this.#deadline = clock() + (options.limits?.deadlineMs ?? Number.POSITIVE_INFINITY);
  }

  /** When a wait of so many milliseconds that begins now has to end, by the clock. */
  end(ms: number): number {
    return Math.min(this.clock() + ms, this.#deadline);
  }

  /**
   * The value of a promise; `late` if it takes longer: then it goes on, and its failure is ignored.
   *
   * @throws CodewalkError `CANCELLED` when the caller goes first, or as the promise does.
   */
  async until<T>(end: number, promise: Promise<T>): Promise<T | 'late'> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, end - this.clock()), 'late');
    });
    promise.catch(() => undefined);
    try {
      return await untilAborted(Promise.race([promise, late]), this.options.signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

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

  /** What `codewalk status` reports of it. */
  get status(): FreshnessStatus {
    const { folders = 0, whyNot = null, size = 0, isTrusted = false } = this.#watch ?? {};
    return { folders, trusted: isTrusted, whyNotWatched: whyNot, dirty: size };
  }

  /**
   * Runs a walker; index runs are shared.
   *
   * @throws CodewalkError as `OpenGraph.spawn`.
   */
  run(walker: WalkerType, input: Record<string, unknown>, options: RunOptions): Promise<RunResult> {
    if (walker.name === INDEX_WALKER) return this.jobs.run(walker, input, options);
    return this.options.graph.spawn(walker, null, input as never, options);
  }

  /** Brings the graph up to date for a question, as far as there is time, and says what is not. Never throws. */
  async before(walker: WalkerType, options: RunOptions = {}): Promise<FreshState> {
    const watch = this.#watch;
    const deadlines = new Deadlines(this.options.clock, options);
    if (!watch || walker.access !== 'read' || walker.reads !== 'code') return FRESH;
    try {
      if (await this.#isIndexing(deadlines)) return this.#whileIndexing();
      const known = await this.#look(watch, deadlines);
      if (known === 'indexing' && (await this.#isIndexing(deadlines))) return this.#whileIndexing();
      if (known === 'absent') return FRESH;
      const { epoch } = watch;
      await this.#settle(watch, epoch, deadlines);
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
  async #look(
    watch: ProjectWatch,
    deadlines: Deadlines,
  ): Promise<'checked' | 'unchecked' | 'indexing' | 'absent'> {
    const { clock, lookMs = freshLook.default } = this.options;
    const started = clock();
    if (await watch.hasReportedAll()) {
      this.#knownAt = started;
      return 'checked';
    }
    const end = deadlines.end(this.#knownAt === null ? Math.max(lookMs, freshFirstLook.default) : lookMs);
    for (;;) {
      const beganBefore = watch.isLooking;
      const began = clock();
      const looking = watch.lookEverywhere().then((found) => {
        if (found.complete) this.#knownAt = Math.max(this.#knownAt ?? 0, began);
        return found;
      });
      const found = await deadlines.until(end, looking);
      if (found === 'late') return 'unchecked';
      if (!found.complete) return this.#begin(found.indexed, deadlines);
      if (!beganBefore) return 'checked';
    }
  }

  /** Begins the index of a graph that is not there, or goes on with one that is not complete. */
  async #begin(isIndexed: boolean, deadlines: Deadlines): Promise<'checked' | 'indexing' | 'absent'> {
    const { autoIndex, firstIndexMs = firstIndexWait.default } = this.options;
    if (this.jobs.progress) return 'indexing';
    if (!autoIndex()) return 'absent';
    const job = this.jobs.start(isIndexed ? { mode: 'incremental' } : {});
    const outcome = await deadlines.until(deadlines.end(firstIndexMs), job);
    return outcome === 'late' ? 'indexing' : 'checked';
  }

  /** Waits until what changed in an epoch or earlier is in the graph, or there is no more time. */
  async #settle(watch: ProjectWatch, epoch: number, deadlines: Deadlines): Promise<void> {
    const end = deadlines.end(this.options.waitMs ?? freshWait.default);
    while (watch.changedUntil(epoch).length > 0) {
      this.#settling ??= this.#settleOnce(watch).finally(() => {
        this.#settling = null;
      });
      if ((await deadlines.until(end, this.#settling)) !== true) return;
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
  async #isIndexing(deadlines: Deadlines): Promise<boolean> {
    // Of a first index there may be nothing yet; a later one never keeps a question waiting.
    if (this.jobs.progress && this.#knownAt === null)
      await deadlines.until(deadlines.end(freshWait.default), this.jobs.begun());
    return this.jobs.progress !== null;
  }

  #whileIndexing(): FreshState {
    return { ...FRESH, indexed: this.jobs.progress, unchecked: { ms: this.#age() } };
  }

  #age(): number | null {
    return this.#knownAt === null ? null : Math.max(0, Math.round(this.options.clock() - this.#knownAt));
  }
}
