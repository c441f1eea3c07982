import type { RunOptions, RunResult, WalkerType } from '../../runtime/index.js';
import { CodewalkError, LIMITS, toCodewalkError } from '../../schema/index.js';
import type { ChangesOutput } from '../../walkers/index.js';
import type { OpenGraph } from '../open-graph.js';
import { FRESH, type FreshnessStatus, type FreshState } from './fresh-state.js';
import { INDEX_WALKER, IndexJobs } from './index-jobs.js';
import { ProjectWatch } from './project-watch.js';

/** How long one question can wait: never beyond its own deadline, and not when its caller has gone. */
class Patience {
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: number;

  /** @param clock Milliseconds; never jumps back. */
  constructor(
    private readonly clock: () => number,
    { signal, limits }: Pick<RunOptions, 'signal' | 'limits'>,
  ) {
    this.#signal = signal;
    this.#deadline = clock() + (limits?.deadlineMs ?? Number.POSITIVE_INFINITY);
  }

  /** When a wait of so many milliseconds that begins now has to end, by the clock. */
  end(ms: number): number {
    return Math.min(this.clock() + ms, this.#deadline);
  }

  /**
   * What a promise gives, if it does so in time; else it goes on by itself, and nobody hears whether it failed.
   *
   * @throws CodewalkError `CANCELLED` when the caller goes first, or as the promise does.
   */
  async until<T>(end: number, promise: Promise<T>): Promise<T | 'late'> {
    const signal = this.#signal;
    let timer: NodeJS.Timeout | undefined;
    let cancel: () => void = () => undefined;
    const over = new Promise<'late'>((resolve, reject) => {
      timer = setTimeout(resolve, Math.max(0, end - this.clock()), 'late');
      cancel = () => reject(new CodewalkError('CANCELLED', 'the caller cancelled the run'));
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel);
    });
    promise.catch(() => undefined);
    try {
      return await Promise.race([promise, over]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }
}

const { freshLook, freshFirstLook, freshWait, fenceWait, firstIndexWait } = LIMITS;

/** More changed files than these are brought up to date by a run over the project. */
const FEW_CHANGES = 500;

/** What {@link Freshness} stands on. */
export interface FreshnessOptions {
  readonly graph: OpenGraph;
  /** A folder of ours on this machine for the watcher: it is made. Null: no watcher, every question looks at the files. */
  readonly cookies: string | null;
  /** Whether a question begins the index of a project that has none. */
  readonly autoIndex: () => boolean;
  /** Milliseconds from any beginning; never jumps back. */
  readonly clock: () => number;
  /** Milliseconds for looking at the files before an answer. Default: `LIMITS.freshLook`. */
  readonly lookMs?: number;
  /** Milliseconds that a question waits for changed files to be indexed. Default: `LIMITS.freshWait`. */
  readonly waitMs?: number;
  /** Milliseconds that a question waits for the index that it began. Default: `LIMITS.firstIndexWait`. */
  readonly firstIndexMs?: number;
  /** Told when an index begins and when it ends. */
  readonly onIndexing?: (change: 1 | -1) => void;
}

/**
 * Sees to it that no answer about code is silently old: before a question what changed on disk is brought into the
 * graph, and what could not be in time is named. One per open graph, in its thread.
 */
export class Freshness {
  readonly jobs: IndexJobs;
  readonly #watch: ProjectWatch | null;
  /** When it was last known what had changed. */
  #knownAt: number | null = null;
  readonly #closing = new AbortController();
  #settling: Promise<boolean> | null = null;
  /** What the settling that is at work brings up to date. */
  #atWork: { readonly asked: ReadonlySet<string>; readonly files: readonly string[] } | null = null;

  constructor(private readonly options: FreshnessOptions) {
    const { graph, cookies } = options;
    this.jobs = new IndexJobs(graph, (change) => {
      options.onIndexing?.(change);
      // It may have been cut off, or have looked into other folders than those that are watched.
      if (change === -1) this.#watch?.doubt();
    });
    this.#watch =
      graph.root === null
        ? null
        : new ProjectWatch({
            graph,
            root: graph.root,
            cookies,
            fenceMs: fenceWait.max,
            signal: this.#closing.signal,
          });
  }

  /** What `codewalk status` tells of it. */
  get status(): FreshnessStatus {
    const { folders = 0, whyNot = null, dirty, isTrusted = false } = this.#watch ?? {};
    return { folders, trusted: isTrusted, whyNotWatched: whyNot, dirty: dirty?.size ?? 0 };
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
    const patience = new Patience(this.options.clock, options);
    if (!watch || walker.access !== 'read' || walker.reads !== 'code') return FRESH;
    const notes: string[] = [];
    try {
      if (await this.#isIndexing(patience)) return this.#whileIndexing();
      const known = await this.#look(watch, patience);
      if (known === 'indexing' && (await this.#isIndexing(patience))) return this.#whileIndexing();
      if (known === 'absent') return FRESH;
      const { mark } = watch.dirty;
      await this.#settle(watch, mark, patience);
      return this.#stateAt(watch, mark, known === 'checked', notes);
    } catch (thrown) {
      notes.push(`What changed could not be looked at: ${toCodewalkError(thrown).message}.`);
      return this.#stateAt(watch, watch.dirty.mark, false, notes);
    }
  }

  /** A walker found files changed that nobody had told of: the next question has them. */
  found(paths: readonly string[]): void {
    for (const path of paths) this.#watch?.dirty.add(path);
  }

  /** Ends what is at work for no question any more. To be called before the graph is closed. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.jobs.close();
    await this.#settling?.catch(() => undefined);
    await this.#watch?.close();
  }

  /** Learns what changed before this was called. `unchecked`: there was no time to. */
  async #look(
    watch: ProjectWatch,
    patience: Patience,
  ): Promise<'checked' | 'unchecked' | 'indexing' | 'absent'> {
    const { clock, lookMs = freshLook.default } = this.options;
    const started = clock();
    if (await watch.hasToldAll()) {
      this.#knownAt = started;
      return 'checked';
    }
    const end = patience.end(this.#knownAt === null ? Math.max(lookMs, freshFirstLook.default) : lookMs);
    for (;;) {
      // One that is at work began before the question.
      const proves = !watch.isLooking;
      const began = clock();
      const looking = watch.lookEverywhere().then((found) => {
        if (found.complete) this.#knownAt = Math.max(this.#knownAt ?? 0, began);
        return found;
      });
      const found = await patience.until(end, looking);
      if (found === 'late') return 'unchecked';
      if (!found.complete) return this.#begin(found, patience);
      if (proves) return 'checked';
    }
  }

  /** A graph that is not there, or not whole: its index begins, or goes on. */
  async #begin({ indexed }: ChangesOutput, patience: Patience): Promise<'checked' | 'indexing' | 'absent'> {
    const { autoIndex, firstIndexMs = firstIndexWait.default } = this.options;
    if (this.jobs.progress) return 'indexing';
    if (!autoIndex()) return 'absent';
    const job = this.jobs.start(indexed ? { mode: 'incremental' } : {});
    const outcome = await patience.until(patience.end(firstIndexMs), job);
    return outcome === 'late' ? 'indexing' : 'checked';
  }

  /** Waits until what was dirty at a mark is in the graph, or there is no more time. */
  async #settle(watch: ProjectWatch, mark: number, patience: Patience): Promise<void> {
    const end = patience.end(this.options.waitMs ?? freshWait.default);
    while (watch.dirty.at(mark).length > 0) {
      this.#settling ??= this.#settleOnce(watch).finally(() => {
        this.#settling = null;
        this.#atWork = null;
      });
      if ((await patience.until(end, this.#settling)) !== true) return;
    }
  }

  /** Whether what was dirty is in the graph. A graph that is not whole takes nothing in: its index has to go on. */
  async #settleOnce(watch: ProjectWatch): Promise<boolean> {
    const { dirty } = watch;
    const { mark } = dirty;
    const asked = dirty.at(mark);
    const { changes, decides, complete } = await watch.changesAt(asked);
    // The next question looks everywhere, and has the index go on.
    if (!complete) watch.doubt();
    if (!complete) return false;
    const files = changes.map(({ path }) => path);
    this.#atWork = { asked: new Set(asked), files };
    // Which folders are looked into can be another now.
    if (decides) watch.doubt();
    if (files.length > 0 || decides)
      await this.#update(decides || files.length > FEW_CHANGES ? ['.'] : files);
    dirty.settle(asked, mark);
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

  #stateAt(watch: ProjectWatch, mark: number, isChecked: boolean, notes: readonly string[]): FreshState {
    const left = watch.dirty.at(mark);
    const { asked, files } = this.#atWork ?? { asked: new Set<string>(), files: [] };
    const pending =
      left.length === 0 ? [] : [...new Set([...files, ...left.filter((path) => !asked.has(path))])].sort();
    return {
      pending: pending.length,
      pendingFiles: pending,
      unchecked: isChecked ? null : { ms: this.#age() },
      indexed: null,
      notes,
    };
  }

  /** Whether a run over the project is at work, beside which questions are answered from what there is. */
  async #isIndexing(patience: Patience): Promise<boolean> {
    // Of the first one there may be nothing yet; a later one never keeps a question waiting.
    if (this.jobs.progress && this.#knownAt === null)
      await patience.until(patience.end(freshWait.default), this.jobs.begun());
    return this.jobs.progress !== null;
  }

  #whileIndexing(): FreshState {
    return { ...FRESH, indexed: this.jobs.progress, unchecked: { ms: this.#age() } };
  }

  #age(): number | null {
    return this.#knownAt === null ? null : Math.max(0, Math.round(this.options.clock() - this.#knownAt));
  }
}
