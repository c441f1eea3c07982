import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { CodewalkError } from '../../schema/index.js';
import { type CodeEdge, type CodeNode, LibraryGraph } from '../../walkers/index.js';
import { DAEMON_SCRIPT, daemonHello, runningDaemon } from '../client/find-daemon.js';
import { RemoteHost } from '../client/remote-host.js';
import { realPath } from '../files.js';
import {
  graphOver,
  insideOf,
  type OpenGraph,
  type OpenOptions,
  openEmbedded,
  realRootOf,
} from '../open-graph.js';
import { withStoresFree } from '../projects/remove.js';
import { graphsFolderOf } from '../surroundings.js';
import type { BuildStats } from './code-library.js';

/** Milliseconds after which the daemon gets the stores back between two calls. */
const LONGEST_MS = 500;
/** Milliseconds in which a next call finds the stores still open. */
const LINGER_MS = 50;

/** How a program opens a graph. */
export interface OpenGraphOptions extends OpenOptions {
  /** Hold the stores open in this process until the graph is closed; a daemon that runs releases them. Default false. */
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
  const home = inMemory || !existsSync(DAEMON_SCRIPT) ? null : realPath(graphsFolderOf(options));
  const link = home === null ? null : await runningDaemon(home, daemonHello());
  if (home === null || link === null) return openEmbedded(root, options);
  link.close();
  const daemon = new RemoteHost({ home });
  const realRoot = realRootOf(root, options);
  const open = () => withStoresFree(daemon, realRoot, () => openEmbedded(root, options));
  return embedded ? open() : lentGraph(new Loan(open));
}

async function lentGraph(loan: Loan): Promise<OpenGraph> {
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
  #graph: Promise<OpenGraph> | null = null;
  #ending: Promise<void> = Promise.resolve();
  #users = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Those who close it, and wait for the last use to be over. */
  readonly #closers: (() => void)[] = [];
  /** Set in what a use does. */
  readonly #inside = new AsyncLocalStorage<true>();

  constructor(private readonly open: () => Promise<OpenGraph>) {}

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
        this.#graph = this.#ending.then(this.open);
      }
      const graph = await this.#graph.catch((error) => {
        // The next use tries again.
        this.#graph = null;
        throw error;
      });
      return await this.#inside.run(true, () => body(graph));
    } finally {
      this.#users -= 1;
      // Without a delay where the daemon has waited for long.
      const lingers = !this.#isClosed && performance.now() - this.#since <= LONGEST_MS;
      if (this.#users === 0 && lingers) this.#timer = setTimeout(() => this.#end(), LINGER_MS);
      else if (this.#users === 0) this.#end();
    }
  }

  /** Gives the stores back, when the last use is over. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // A use that closes the graph would wait for itself.
    if (this.#inside.getStore()) return;
    if (this.#users === 0) this.#end();
    else await new Promise<void>((done) => this.#closers.push(done));
    await this.#ending;
  }

  #end(): void {
    clearTimeout(this.#timer);
    const graph = this.#graph;
    this.#graph = null;
    if (graph) this.#ending = graph.then((opened) => opened.close()).catch(() => undefined);
    for (const done of this.#closers.splice(0)) done();
  }
}

/** The nodes and edges of a folder's code. */
export interface ExtractionResult {
  /** By id. */
  readonly nodes: readonly CodeNode[];
  /** By their ends. */
  readonly edges: readonly CodeEdge[];
}

/** What an extraction holds, counted: as {@link BuildStats}, without a store. */
export type ExtractionStats = Pick<
  BuildStats,
  'repo_root' | 'total_nodes' | 'total_edges' | 'node_counts' | 'edge_counts'
>;

/** How a folder is extracted: `force` takes a root that is `/` or a home directory, too (spec P-05). */
export type ExtractOptions = Pick<OpenOptions, 'force' | 'surroundings'>;

/**
 * The code of a folder as nodes and edges, without any graph (S2-13, S2-40): nothing is stored on disk and nothing asked of
 * a network. It is extracted when it is first asked for, and once.
 */
export class Extraction {
  /** As it was given. */
  readonly root: string;
  readonly #options: ExtractOptions;
  #result: Promise<ExtractionResult> | null = null;

  constructor(root: string, options: ExtractOptions = {}) {
    this.root = root;
    this.#options = options;
  }

  /** Extracts, unless that is done already; with `force` whether or not it is. */
  async extract({ force = false }: { readonly force?: boolean } = {}): Promise<this> {
    if (force) this.#result = null;
    await this.result();
    return this;
  }

  /** The nodes, by id. */
  get nodes(): Promise<readonly CodeNode[]> {
    return this.result().then(({ nodes }) => nodes);
  }

  /** The edges, by their ends. */
  get edges(): Promise<readonly CodeEdge[]> {
    return this.result().then(({ edges }) => edges);
  }

  /** How many there are of each kind and relation (S2-14). */
  async stats(): Promise<ExtractionStats> {
    const { nodes, edges } = await this.result();
    return {
      repo_root: this.root,
      total_nodes: nodes.length,
      total_edges: edges.length,
      node_counts: counts(nodes.map(({ kind }) => kind)),
      edge_counts: counts(edges.map(({ rel }) => rel)),
    };
  }

  /** Both. The same input gives the same, on every machine. What failed is tried again by the next call. */
  result(): Promise<ExtractionResult> {
    this.#result ??= extracted(this.root, this.#options).catch((thrown) => {
      this.#result = null;
      throw thrown;
    });
    return this.#result;
  }
}

/**
 * The code of a folder as nodes and edges: see {@link Extraction}. Each call gives one that has extracted nothing yet.
 *
 * @example
 * const { nodes, edges } = await extract('/home/me/project').result();
 *
 * @throws CodewalkError `INVALID_ROOT`, `ROOT_REFUSED`: when it is asked.
 */
export function extract(root: string, options: ExtractOptions = {}): Extraction {
  return new Extraction(root, options);
}

async function extracted(root: string, options: ExtractOptions): Promise<ExtractionResult> {
  await using graph = await openEmbedded(root, { ...options, inMemory: true, embedder: null });
  await graph.spawn('graph_index_project');
  const { nodes, edges } = (await graph.spawn(LibraryGraph)).output;
  // S2-01: nobody changes what others are given, too.
  for (const { evidence } of edges) Object.freeze(evidence);
  for (const item of [...nodes, ...edges]) Object.freeze(item);
  return { nodes: Object.freeze(nodes), edges: Object.freeze(edges) };
}

function counts<K extends string>(names: readonly K[]): Partial<Record<K, number>> {
  const found: Partial<Record<K, number>> = {};
  for (const name of names.toSorted()) found[name] = (found[name] ?? 0) + 1;
  return found;
}
