import { type CodeEdge, type CodeNode, LibraryGraph } from '../../walkers/index.js';
import { type OpenOptions, openGraph } from '../open-graph.js';

/** The nodes and edges of a folder's code. */
export interface ExtractionResult {
  /** By id. */
  readonly nodes: readonly CodeNode[];
  /** By their ends. */
  readonly edges: readonly CodeEdge[];
}

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
  await using graph = await openGraph(root, { ...options, inMemory: true, embedder: null });
  await graph.spawn('graph_index_project');
  const { output } = await graph.spawn(LibraryGraph);
  return output;
}
