import { type CodeEdge, type CodeNode, LibraryGraph } from '../../walkers/index.js';
import { type OpenOptions, openEmbedded } from '../open-graph.js';
import type { BuildStats } from './code-library.js';

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
 * The code of a folder as nodes and edges, without any graph (S2-13, S2-40): nothing is kept on disk and nothing asked of
 * a network. It is extracted when somebody first asks, and once.
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

  /** Both. The same input gives the same, on every machine. */
  result(): Promise<ExtractionResult> {
    this.#result ??= extracted(this.root, this.#options).catch((thrown) => {
      // The next one who asks tries again.
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
  const { output } = await graph.spawn(LibraryGraph);
  return { nodes: frozen(output.nodes), edges: frozen(output.edges) };
}

/** S2-01: nobody changes what others are given, too. */
function frozen<T extends CodeNode | CodeEdge>(items: readonly T[]): readonly T[] {
  for (const item of items) {
    if ('evidence' in item) Object.freeze(item.evidence);
    Object.freeze(item);
  }
  return Object.freeze(items);
}

function counts<K extends string>(names: readonly K[]): Partial<Record<K, number>> {
  const found: Partial<Record<K, number>> = {};
  for (const name of names.toSorted()) found[name] = (found[name] ?? 0) + 1;
  return found;
}
