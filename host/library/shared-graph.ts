import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { CodewalkError } from '../../schema/index.js';
import { DAEMON_SCRIPT, daemonHello, runningDaemon } from '../client/find-daemon.js';
import { RemoteHost } from '../client/remote-host.js';
import {
  graphOver,
  insideOf,
  type OpenGraph,
  type OpenOptions,
  openEmbedded,
  realRootOf,
} from '../open-graph.js';
import { withStoresFree } from '../projects/store-owner.js';
import { realHome } from '../real-home.js';
import { graphsFolderOf } from '../surroundings.js';

/** Milliseconds after which the daemon gets the stores back between two calls. */
const MOST_HELD = 500;
/** Milliseconds in which a next call finds the stores still open. */
const LINGER = 50;

/** How a program opens a graph. */
export interface OpenGraphOptions extends OpenOptions {
  /** Keep the stores open in this process until the graph is closed; a daemon that runs lets go of them. Default false. */
  embedded?: boolean;
}

/**
 * Opens the graph of a project root, or a graph in memory (`':memory:'`). The stores are made when they are not there;
 * nothing is ever written inside the root. Where a daemon runs, both share the stores: the daemon lends them for as long
 * as a call takes.
 *
 * @example
 * await using graph = await openGraph('/home/me/project');
 * const { output } = await graph.spawn('graph_stats');
 *
 * @throws CodewalkError `INVALID_ROOT`, `ROOT_REFUSED`, `STORE_LOCKED`, `STORE_NEWER`, `STORE_CORRUPT`, `STORE_FULL`.
 */
export async function openGraph(
  root: string,
  { embedded = false, ...options }: OpenGraphOptions = {},
): Promise<OpenGraph> {
  const inMemory = root === ':memory:' || options.inMemory;
  // Sources that run as they are have no daemon.
  const home = inMemory || !existsSync(DAEMON_SCRIPT) ? null : realHome(graphsFolderOf(options));
  const link = home === null ? null : await runningDaemon(home, daemonHello());
  if (home === null || link === null) return openEmbedded(root, options);
  link.close();
  const daemon = new RemoteHost({ home });
  const realRoot = realRootOf(root, options);
  const open = () => withStoresFree(daemon, realRoot, () => openEmbedded(root, options));
  return embedded ? open() : sharedGraph(new Loan(open));
}

async function sharedGraph(loan: Loan): Promise<OpenGraph> {
  const opened = await loan.use(async (graph) => graph);
  let { revision, damaged } = opened;
  return graphOver(insideOf(opened), {
    use: (body) =>
      loan.use(async (graph) => {
        try {
          return await body(graph);
        } finally {
          // As of this loan: each opens the stores again.
          ({ revision, damaged } = graph);
        }
      }),
    known: () => ({ revision, damaged }),
    close: () => loan.close(),
  });
}

/** Stores that are open while somebody uses them, and a moment longer. */
class Loan {
  readonly #open: () => Promise<OpenGraph>;
  #graph: Promise<OpenGraph> | null = null;
  #ending: Promise<void> = Promise.resolve();
  #users = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #closers: (() => void)[] = [];
  /** Holds in what a use does. */
  readonly #inside = new AsyncLocalStorage<true>();

  constructor(open: () => Promise<OpenGraph>) {
    this.#open = open;
  }

  async use<T>(body: (graph: OpenGraph) => Promise<T>): Promise<T> {
    if (this.#isClosed)
      throw new CodewalkError('STORE_CLOSED', 'the graph is closed', {
        suggestion: 'Open it again before using it.',
      });
    clearTimeout(this.#timer);
    this.#users += 1;
    try {
      if (this.#graph === null) {
        this.#since = performance.now();
        this.#graph = this.#ending.then(this.#open);
        // What failed is tried again by the next.
        this.#graph.catch(() => {
          this.#graph = null;
        });
      }
      const graph = await this.#graph;
      return await this.#inside.run(true, () => body(graph));
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#settle();
    }
  }

  /** Gives the stores back, when the last use is over. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // A use that closes the graph would wait for itself.
    if (this.#inside.getStore()) return;
    if (this.#users > 0) await new Promise<void>((done) => this.#closers.push(done));
    else this.#end();
    await this.#ending;
  }

  /** Soon after the last use; without a delay where the daemon has waited for long. */
  #settle(): void {
    if (this.#isClosed || performance.now() - this.#since > MOST_HELD) this.#end();
    else this.#timer = setTimeout(() => this.#end(), LINGER);
  }

  #end(): void {
    clearTimeout(this.#timer);
    const graph = this.#graph;
    this.#graph = null;
    if (graph) this.#ending = graph.then((opened) => opened.close()).catch(() => undefined);
    for (const closer of this.#closers.splice(0)) closer();
  }
}
