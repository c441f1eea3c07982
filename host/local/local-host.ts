import { CodewalkError, LIMITS } from '../../schema/index.js';
import type { Agents } from '../agents.js';
import type { FreshnessStatus } from '../freshness/fresh-state.js';
import type { Ask, SpawnOptions, SpawnRequest } from '../host.js';
import { drainInto } from '../journal/journal.js';
import { knownHomes } from '../projects/project-list.js';
import { repeatable, TransportHost } from '../protocol.js';
import { homesOf } from '../surroundings.js';
import { SupervisedThread } from './supervised-thread.js';

/** How a local host is made. */
export interface LocalHostOptions {
  /** The folder of all graphs; absolute. */
  readonly home: string;
  /** Bytes that the process may take before unused graphs are closed. Default `LIMITS.hostMemory`. */
  readonly memoryBytes?: number;
  /** What knows the payloads of agents' hooks. Default: they wait in the journal. */
  readonly agents?: Agents | undefined;
  /** Whether heavy runs, and users' own walkers that only read, run in side threads: for several clients. Default false. */
  readonly hasSides?: boolean;
  /** The script of a graph's thread. Default: the one that is built alongside this file. */
  readonly script?: URL;
}

/** What a host knows of an open graph. */
export interface OpenGraphFacts {
  readonly root: string;
  readonly revision: number;
  readonly bytes: { readonly derived: number; readonly durable: number };
  /** How changes of its files are noticed. */
  readonly files: FreshnessStatus;
}

/** Milliseconds that a thread gets to close its graphs. */
const CLOSING_MS = 2000;

/**
 * A host in this process: a worker thread per trace store, which owns the open graphs of its roots. The worktrees of a
 * repository share one.
 */
export class LocalHost extends TransportHost {
  readonly #threads = new Map<string, SupervisedThread>();
  #isClosed = false;

  constructor(private readonly options: LocalHostOptions) {
    super();
  }

  /** Requests that have no answer yet. */
  get pending(): number {
    return [...this.#threads.values()].reduce((sum, thread) => sum + thread.pending, 0);
  }

  /** Whether something is at work: a request, or an index that nobody waits for any more. */
  get isBusy(): boolean {
    return [...this.#threads.values()].some((thread) => thread.isBusy);
  }

  /** Answers as JSON text, which nobody on the way has to parse. */
  async askText(ask: Ask, options: SpawnOptions = {}): Promise<string> {
    if ('spawn' in ask) return this.#run(ask.spawn, options);
    if ('describe' in ask) return this.#describe(ask);
    if ('backup' in ask) return this.#threadFor(ask.backup).ask(ask);
    if ('status' in ask) return JSON.stringify(await this.openGraphs());
    if ('release' in ask) await this.release(ask.release);
    else if ('drain' in ask) await this.drain();
    return 'null';
  }

  /** The graphs that are open, but for those of threads that do not yield. */
  async openGraphs(): Promise<OpenGraphFacts[]> {
    const facts = await Promise.allSettled(this.#open().map((thread) => thread.ask({ status: true })));
    return facts.flatMap((one) => (one.status === 'fulfilled' ? JSON.parse(one.value) : []));
  }

  /** @param of A root: only the events of its trace store. Default: all. */
  override drain(of?: string): Promise<void> {
    const { home, agents } = this.options;
    return drainInto(this, home, { of, agents });
  }

  /** Closes whatever is open of a root, which may have vanished, so that its stores can be moved or opened by others. */
  async release(root: string): Promise<void> {
    await this.#threads.get(knownHomes(root, { home: this.options.home }).historyHash)?.close();
  }

  /** Closes graphs that nothing has been asked of for a time. */
  async closeUnused(idleMs: number): Promise<void> {
    const isUnused = (one: SupervisedThread) => !one.isBusy && performance.now() - one.lastUsed > idleMs;
    await Promise.all(this.#open().flatMap((one) => (isUnused(one) ? [one.close()] : [])));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const threads = [...this.#threads.values()];
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.end()));
  }

  protected async ask(ask: Ask, options?: SpawnOptions): Promise<unknown> {
    return JSON.parse(await this.askText(ask, options));
  }

  async #run(request: SpawnRequest, options: SpawnOptions): Promise<string> {
    const thread = this.#threadFor(request.root);
    const { pending } = thread;
    if (pending >= LIMITS.graphQueue.max)
      throw new CodewalkError('BUSY', `${pending} requests wait for the graph of ${request.root} already`, {
        retryAfterMs: LIMITS.retryAfter.default,
        suggestion: 'Try again a little later.',
      });
    try {
      return await thread.ask({ spawn: repeatable(request) }, options);
    } finally {
      this.#trim();
    }
  }

  /** In a thread of its own: nothing of the walkers stays loaded. */
  async #describe(ask: Extract<Ask, { readonly describe: unknown }>): Promise<string> {
    const thread = this.#newThread();
    try {
      return await thread.ask(ask);
    } finally {
      await thread.end();
    }
  }

  #open(): SupervisedThread[] {
    return [...this.#threads.values()].filter(({ isOpen }) => isOpen);
  }

  #threadFor(root: string): SupervisedThread {
    const history = homesOf(root, { home: this.options.home }).historyHash;
    if (this.#isClosed) throw new CodewalkError('STORE_CLOSED', 'the host is closed');
    const thread = this.#threads.get(history) ?? this.#newThread();
    this.#threads.set(history, thread);
    return thread;
  }

  #newThread(): SupervisedThread {
    const { home, script = new URL('./graph.worker.js', import.meta.url), hasSides = false } = this.options;
    return new SupervisedThread({ home, script, closingMs: CLOSING_MS, hasSides });
  }

  /** Closes the graphs that were used least recently while the process takes more memory than it should. */
  #trim(): void {
    const open = this.#open();
    if (open.length < 2) return;
    const budget = this.options.memoryBytes ?? LIMITS.hostMemory.default;
    if (open.length <= LIMITS.openGraphs.max && process.memoryUsage.rss() <= budget) return;
    const [oldest] = open.filter(({ isBusy }) => !isBusy).sort((a, b) => a.lastUsed - b.lastUsed);
    void oldest?.close();
  }
}
