import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { FollowUp } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import type { FreshState } from '../freshness/fresh-state.js';
import type { SpawnOptions, SpawnRequest } from '../host.js';
import { HistoryThread } from '../local/history-thread.js';
import { insideOf, type OpenGraph, type PinnedStores } from '../open-graph.js';
import { type Serving, serveStores, type ToSide } from './far-stores.js';
import { sharedNow } from './messages.js';

/** Milliseconds that the thread gets to close: it writes nothing. */
const CLOSING_MS = 200;

/** Milliseconds after its deadline within which a query can report by itself that it was stopped. */
const LATE_MS = 100;

/** A run in a {@link SideThread}. */
export interface AsideRun {
  readonly request: SpawnRequest;
  readonly graph: OpenGraph;
  /** How the graph compares to the files on disk. */
  readonly fresh: FreshState;
  /** Milliseconds that the run has taken already. */
  readonly elapsedMs: number;
}

/** What a {@link SideThread} asks and reports apart from answers. */
export interface SideEvents {
  /** Whether the history's thread has other requests to answer. */
  readonly isBusy: () => boolean;
  /** Changed files that a walker found. */
  readonly found: (root: string, paths: readonly string[]) => void;
  /** What has to be recorded after an answer. */
  readonly due: (root: string, due: FollowUp) => void;
}

interface OpenVersion extends PinnedStores {
  readonly graph: OpenGraph;
  /** The number of runs that read it. */
  runs: number;
}

/**
 * A second thread of a history, for runs that only read and may block for long: they hold up each other, and no one
 * else. It has its own heap and reads the stores through the history's thread, one pinned version per run. It is
 * terminated when it hangs, and closed when it is idle.
 */
export class SideThread {
  readonly #thread: HistoryThread;
  readonly #versions = new Map<number, OpenVersion>();
  readonly #newest = new WeakMap<OpenGraph, number>();
  #port: MessagePort | null = null;
  #lastVersion = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    home: string,
    script: URL,
    private readonly events: SideEvents,
  ) {
    this.#thread = new HistoryThread({ home, script, closingMs: CLOSING_MS, stores: () => this.#newPort() });
  }

  /**
   * Runs a request and returns its answer as JSON text.
   *
   * @throws CodewalkError as the run does; `WALKER_KILLED` when the thread was terminated, for a query `QUERY_TIMEOUT`.
   */
  async run({ request, graph, fresh, elapsedMs }: AsideRun, options: SpawnOptions): Promise<string> {
    clearTimeout(this.#idle);
    const began = sharedNow() - elapsedMs;
    const version = await this.#versionOf(graph);
    const isQuery = request.walker === QUERY;
    const limit = request.limits?.deadlineMs ?? null;
    const deadlineMs = isQuery
      ? Math.min(limit ?? Number.POSITIVE_INFINITY, LIMITS.cypherTime.default)
      : limit;
    const given = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, given.signal]) : given.signal;
    const aside = { version, fresh, began, deadlineMs };
    const running = this.#thread.ask({ kind: 'run', request, aside }, { ...options, signal }).finally(() => {
      this.#left(version);
      this.#restLater();
    });
    if (deadlineMs === null || !isQuery) return running;
    // Another query may block the thread when the deadline passes: the caller gets its answer all the same.
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<never>((_, fail) => {
      timer = setTimeout(() => fail(endedQuery(request, deadlineMs)), deadlineMs - elapsedMs + LATE_MS);
    });
    try {
      return await Promise.race([running, overdue]);
    } catch (thrown) {
      running.catch(() => undefined);
      const isKilled = thrown instanceof CodewalkError && thrown.code === 'WALKER_KILLED';
      throw isKilled ? endedQuery(request, deadlineMs) : thrown;
    } finally {
      clearTimeout(timer);
      given.abort();
    }
  }

  /** Ends the thread and cancels its runs. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#thread.end();
    await this.#dropAll();
  }

  async #versionOf(graph: OpenGraph): Promise<number> {
    const versions = insideOf(graph).versions;
    if (!versions) throw new CodewalkError('INTERNAL', 'a graph in memory is read by its own thread alone');
    const newest = this.#newest.get(graph);
    const known = newest === undefined ? undefined : this.#versions.get(newest);
    if (newest !== undefined && known?.number === versions.number) {
      known.runs++;
      return newest;
    }
    const pinned = await versions.pin();
    const version = ++this.#lastVersion;
    this.#versions.set(version, { ...pinned, graph, runs: 1 });
    this.#newest.set(graph, version);
    if (newest !== undefined) this.#dropUnread(newest);
    return version;
  }

  #left(version: number): void {
    const known = this.#versions.get(version);
    if (!known) return;
    known.runs--;
    if (this.#newest.get(known.graph) !== version) this.#dropUnread(version);
  }

  #dropUnread(version: number): void {
    const known = this.#versions.get(version);
    if (!known || known.runs > 0) return;
    this.#versions.delete(version);
    this.#port?.postMessage({ dropped: version } satisfies ToSide);
    void known.derived.close();
    void known.durable.close();
  }

  async #dropAll(): Promise<void> {
    const all = [...this.#versions.values()];
    this.#versions.clear();
    await Promise.all(all.flatMap(({ derived, durable }) => [derived.close(), durable.close()]));
  }

  /** Closes the thread after it has been idle for a while, and frees the versions that it pinned. */
  #restLater(): void {
    clearTimeout(this.#idle);
    if (this.#thread.isBusy) return;
    this.#idle = setTimeout(async () => {
      await this.#thread.close();
      // A run may have begun meanwhile: versions with readers stay.
      for (const version of this.#versions.keys()) this.#dropUnread(version);
    }, LIMITS.sideIdle.max).unref();
  }

  #newPort(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#port?.close();
    this.#port = port1;
    const reader = (version: number, layer: 'derived' | 'durable') => this.#versions.get(version)?.[layer];
    const { isBusy, found, due } = this.events;
    const hear: Serving['hear'] = (said) => {
      if ('changed' in said) found(said.root, said.changed);
      else due(said.root, said.due);
    };
    serveStores(port1, { reader, hear, isBusy });
    port1.unref();
    return port2;
  }
}

/** The name of the walker that runs Cypher queries. */
export const QUERY = 'query_cypher';

function endedQuery(request: SpawnRequest, deadlineMs: number | null): CodewalkError {
  return new CodewalkError('QUERY_TIMEOUT', `The query was stopped after ${deadlineMs} ms.`, {
    input: request.given ?? request.input,
    suggestion:
      'It, or another heavy query beside it, was at one long step: make smaller lists and texts, and ask for less at once.',
  });
}
