import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { WalkerType } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import type { FreshState } from '../freshness/fresh-state.js';
import type { SpawnOptions, SpawnRequest } from '../host.js';
import { SupervisedThread } from '../local/supervised-thread.js';
import { insideOf, type OpenGraph, type PinnedStores } from '../open-graph.js';
import { sharedNow } from './messages.js';
import { type SideReport, serveStores, type ToSide } from './remote-stores.js';

/** Milliseconds that a thread gets to close: it writes nothing. */
const CLOSING_MS = 200;
/** Milliseconds after its deadline within which a query can report by itself that it was stopped. */
const LATE_MS = 100;
/** Milliseconds that a run may work in the history's thread while it is alone there. */
const ALONE_MS = 1000;
/** Milliseconds that several runs share there, and the least that each of them gets. */
const SHARED_MS = 240;
const LEAST_MS = 20;
/** A query that took more milliseconds in a side thread starts there the next time. */
const HEAVY_MS = 1000;
/** Characters beyond which reading the text of a query takes long by itself. */
const LONG_QUERY = 16_384;
/** How many heavy queries are remembered: the most recent ones. */
const MOST_HEAVY = 256;

/** The walker that runs Cypher queries. */
const QUERY = 'query_cypher';
/** A built-in walker that blocks for long whatever its input is. */
const EXPORT = 'graph_export';

/** A run in a side thread. */
export interface SideRun {
  readonly request: SpawnRequest;
  readonly graph: OpenGraph;
  /** How the graph compares to the files on disk. */
  readonly fresh: FreshState;
  /** Milliseconds that the run has taken already. */
  readonly elapsedMs: number;
}

/** How side threads are made. */
export interface SideOptions {
  readonly home: string;
  readonly script: URL;
  /** Whether the history's thread has other requests to answer. */
  readonly isBusy: () => boolean;
  /** Called with what runs report apart from answers. */
  readonly onReport: (report: SideReport) => void;
}

/**
 * The two side threads of a history, for runs that only read and may block for long: one for heavy built-in walkers, one
 * for users' own walkers, which may never yield. Most runs start in the history's thread, where they end at once; a run
 * that turns out to be heavy moves.
 */
export class SideThreads {
  readonly #heavy: SideThread;
  readonly #own: SideThread;
  readonly #heavyQueries = new Set<string>();
  /** The number of requests that run in a side thread. */
  runs = 0;

  constructor(options: SideOptions) {
    this.#heavy = new SideThread(options);
    this.#own = new SideThread(options);
  }

  /** Whether a request starts in a side thread. @param isOwn Whether it is of a user's own walker. */
  takes(request: SpawnRequest, walker: WalkerType, isOwn: boolean): boolean {
    if (walker.access !== 'read') return false;
    const text = queryOf(request);
    return isOwn || walker.name === EXPORT || text.length > LONG_QUERY || this.#heavyQueries.has(text);
  }

  /** Milliseconds that a run may work in the history's thread. @param running The number of requests at work. */
  graceMs(running: number): number {
    const here = running - this.runs;
    return here < 2 ? ALONE_MS : Math.max(LEAST_MS, SHARED_MS / here);
  }

  /** As {@link SideThread.run}. */
  async run(run: SideRun, isOwn: boolean, options: SpawnOptions): Promise<string> {
    this.runs++;
    const from = performance.now();
    try {
      return await (isOwn ? this.#own : this.#heavy).run(run, options);
    } finally {
      this.runs--;
      const text = queryOf(run.request);
      this.#heavyQueries.delete(text);
      if (text !== '' && performance.now() - from >= HEAVY_MS) this.#heavyQueries.add(text);
      const [oldest = ''] = this.#heavyQueries;
      if (this.#heavyQueries.size > MOST_HEAVY) this.#heavyQueries.delete(oldest);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#heavy.close(), this.#own.close()]);
  }
}

interface OpenVersion extends PinnedStores {
  readonly graph: OpenGraph;
  /** The number of runs that read it. */
  runs: number;
}

/**
 * A second thread of a history: its runs hold up each other, and no one else. It has its own heap and reads the stores
 * through the history's thread, one pinned version per run. It is ended when it hangs, and closed when it is idle.
 */
class SideThread {
  readonly #thread: SupervisedThread;
  readonly #versions = new Map<string, OpenVersion>();
  /** The newest version of each root. */
  readonly #newest = new Map<string, string>();
  #port: MessagePort | null = null;
  #lastVersion = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly options: SideOptions) {
    const { home, script } = options;
    this.#thread = new SupervisedThread({
      home,
      script,
      closingMs: CLOSING_MS,
      stores: () => this.#newPort(),
    });
  }

  /**
   * Runs a request and returns its answer as JSON text.
   *
   * @throws CodewalkError as the run does; `WALKER_KILLED` when the thread was ended, for a query `QUERY_TIMEOUT`.
   */
  async run({ request, graph, fresh, elapsedMs }: SideRun, options: SpawnOptions): Promise<string> {
    clearTimeout(this.#idle);
    const began = sharedNow() - elapsedMs;
    const version = await this.#pin(graph);
    const limit = request.limits?.deadlineMs ?? null;
    const isQuery = request.walker === QUERY;
    const queryMs = Math.min(limit ?? Number.POSITIVE_INFINITY, LIMITS.cypherTime.default);
    const late = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, late.signal]) : late.signal;
    const aside = { version, fresh, began, deadlineMs: isQuery ? queryMs : limit };
    const running = this.#thread.ask({ spawn: request, aside }, { ...options, signal }).finally(() => {
      const read = this.#versions.get(version);
      if (read) read.runs--;
      void this.#dropUnread({ newest: false });
      this.#restLater();
    });
    if (!isQuery) return running;
    // Another query may block the thread when the deadline passes: the caller gets its answer all the same.
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<never>((_, fail) => {
      timer = setTimeout(() => fail(endedQuery(request, queryMs)), queryMs - elapsedMs + LATE_MS);
    });
    try {
      return await Promise.race([running, overdue]);
    } catch (thrown) {
      running.catch(() => undefined);
      const isKilled = thrown instanceof CodewalkError && thrown.code === 'WALKER_KILLED';
      throw isKilled ? endedQuery(request, queryMs) : thrown;
    } finally {
      clearTimeout(timer);
      late.abort();
    }
  }

  /** Ends the thread and cancels its runs. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#thread.end();
    for (const version of this.#versions.values()) version.runs = 0;
    await this.#dropUnread({ newest: true });
  }

  /** Pins the version that a graph has now for one more run. */
  async #pin(graph: OpenGraph): Promise<string> {
    const { versions } = insideOf(graph);
    if (!versions) throw new CodewalkError('INTERNAL', 'a graph in memory is read by its own thread alone');
    const root = graph.root ?? '';
    const newest = this.#newest.get(root);
    const known = newest === undefined ? undefined : this.#versions.get(newest);
    if (newest !== undefined && known?.graph === graph && known.number === versions.number) {
      known.runs++;
      return newest;
    }
    const pinned = await versions.pin();
    const version = `${root}#${++this.#lastVersion}`;
    this.#versions.set(version, { ...pinned, graph, runs: 1 });
    this.#newest.set(root, version);
    void this.#dropUnread({ newest: false });
    return version;
  }

  /** Closes the versions that no run reads. Never throws. @param newest Whether also those that the next run may read. */
  async #dropUnread({ newest }: { readonly newest: boolean }): Promise<void> {
    const wanted = new Set(newest ? [] : this.#newest.values());
    const closing: Promise<void>[] = [];
    for (const [version, { runs, derived, durable }] of this.#versions) {
      if (runs > 0 || wanted.has(version)) continue;
      this.#versions.delete(version);
      this.#port?.postMessage({ dropped: version } satisfies ToSide);
      closing.push(derived.close(), durable.close());
    }
    await Promise.allSettled(closing);
  }

  /** Closes the thread after it has been idle for a while, and frees the versions that it pinned. */
  #restLater(): void {
    clearTimeout(this.#idle);
    if (this.#thread.isBusy) return;
    this.#idle = setTimeout(async () => {
      await this.#thread.close();
      // A run may have begun meanwhile: versions with readers stay.
      await this.#dropUnread({ newest: true });
    }, LIMITS.sideIdle.max).unref();
  }

  #newPort(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#port?.close();
    this.#port = port1;
    serveStores(port1, { ...this.options, reader: (version, layer) => this.#versions.get(version)?.[layer] });
    port1.unref();
    return port2;
  }
}

/** The text of a Cypher query; empty for other walkers. */
function queryOf({ walker, input }: SpawnRequest): string {
  return walker === QUERY && typeof input.query === 'string' ? input.query : '';
}

function endedQuery(request: SpawnRequest, deadlineMs: number): CodewalkError {
  return new CodewalkError('QUERY_TIMEOUT', `The query was stopped after ${deadlineMs} ms.`, {
    input: request.given ?? request.input,
    suggestion:
      'It, or another heavy query in the same thread, was at one long step: make smaller lists and texts, and ask for less at once.',
  });
}
