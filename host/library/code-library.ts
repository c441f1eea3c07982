import { writeFile } from 'node:fs/promises';
import type { Graph } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import {
  type CodebaseOutput,
  type CodeEdge,
  type CodeNode,
  codebaseMarkdown,
  GraphEmbed,
  LibraryExpand,
  LibraryGraph,
  LibraryStats,
  LibraryWrite,
  type PackedNode,
  type PackNode,
  type PackOutput,
  PackSnippets,
  packMarkdown,
  QueryCodebase,
} from '../../walkers/index.js';

/** A kind of node: `symbol` is a stub of what is not known (S2-03). */
export type CodeKind = CodeNode['kind'];
/** How nodes are joined (S2-04). */
export type CodeRelation = CodeEdge['rel'];

/** What a graph holds, counted (S2-37). */
export interface BuildStats {
  /** Null for a graph in memory that is of no folder. */
  readonly repo_root: string | null;
  /** The folder of the code graph's store; null in memory. */
  readonly db_path: string | null;
  readonly total_nodes: number;
  readonly total_edges: number;
  /** By kind. */
  readonly node_counts: Readonly<Partial<Record<CodeKind, number>>>;
  /** By relation. */
  readonly edge_counts: Readonly<Partial<Record<CodeRelation, number>>>;
  /** Vectors of code; null where there are none: the index of words needs none. */
  readonly indexed_rows: number | null;
  /** Numbers in each vector; null where there are none. */
  readonly index_dim: number | null;
}

/** How a node was reached from seeds (S2-18). */
export interface ReachedNode {
  /** Hops from the nearest seed; 0 for a seed. */
  readonly best_hop: number;
  readonly via_seed: string;
}

/** How much is rebuilt. */
export interface BuildOptions {
  /** Empties first what is built. What was recorded, and memories, stay. Default false: only what changed is done. */
  readonly wipe?: boolean;
}

/** What was written. */
export interface WrittenCounts {
  readonly nodes: number;
  readonly edges: number;
  /** Edges of which an end is not in the graph. */
  readonly left_out: number;
}

/** What is asked of the neighbourhood of seeds. */
export interface ExpandOptions {
  /** Default 1, at most 5. */
  readonly hop?: number;
  /** Default: all four. */
  readonly rels?: readonly CodeRelation[];
}

/** How a graph is asked for what belongs to a text. */
export interface QueryOptions extends ExpandOptions {
  /** Seeds found by text. Default 8. */
  readonly k?: number;
  /** Default 25, at most 100; of a pack 50, which is the most. */
  readonly maxNodes?: number;
  /** Stubs too. Default false. */
  readonly includeSymbols?: boolean;
  /** A path prefix, or a package's name. Default: the whole project. */
  readonly scope?: string;
  /** Default 20,000, which is the most. */
  readonly maxTokens?: number;
}

/** A seed that a text finds (S2-23). */
export interface SeedHit extends Pick<CodeNode, 'id' | 'kind' | 'name' | 'qualname' | 'module_path'> {
  /** Between 0 and 1: how far the node is from the text. */
  readonly distance: number;
  /** Its place, from 0. */
  readonly rank: number;
}

/** As {@link QueryOptions}, with what of the source is shown. */
export interface PackOptions extends QueryOptions {
  /** Lines around a definition. Default 5. */
  readonly context?: number;
  /** Lines of one snippet. Default 60. */
  readonly maxLines?: number;
}

/**
 * The code graph as a library of nodes and edges (S2-13 to S2-19, S2-38). Ids may be spelled `mod:` for `file:`. Every
 * function spawns a walker, and throws what that throws.
 */
export interface CodeLibrary {
  /** {@link CodeLibrary.buildGraph}, then {@link CodeLibrary.buildIndex}. */
  build(options?: BuildOptions): Promise<BuildStats>;
  /** Indexes the root: files, nodes, edges. */
  buildGraph(options?: BuildOptions): Promise<BuildStats>;
  /**
   * Makes what search needs: the index of words, and vectors where there is an embedder.
   *
   * @throws CodewalkError `PROJECT_NOT_INDEXED` without a graph.
   */
  buildIndex(options?: BuildOptions): Promise<BuildStats>;
  stats(): Promise<BuildStats>;
  /** What a text finds, the nearest first. @param k At most so many; default 8. */
  search(text: string, k?: number): Promise<readonly SeedHit[]>;
  /** What a text finds, and what is around it (S2-25). */
  query(text: string, options?: QueryOptions): Promise<QueryResult>;
  /** As {@link CodeLibrary.query}, with the source of each node (S2-29). */
  pack(text: string, options?: PackOptions): Promise<SnippetPack>;
  /** One node; null where none has the id. */
  node(id: string): Promise<CodeNode | null>;
  /** Nodes by id. @param filter Of these kinds (default: all), of this module: a path or an id (default: of all). */
  queryNodes(filter?: {
    readonly kinds?: readonly CodeKind[];
    readonly module?: string;
  }): Promise<readonly CodeNode[]>;
  /** The edges with both ends among some nodes. @param rels Default: all four. */
  edgesWithin(ids: Iterable<string>, rels?: readonly CodeRelation[]): Promise<readonly CodeEdge[]>;
  /** Breadth first from seeds, both ways along edges: what was reached, by id, the nearest first. */
  expand(seeds: Iterable<string>, options?: ExpandOptions): Promise<ReadonlyMap<string, ReachedNode>>;
  /**
   * Writes nodes and edges as an upsert by ids: for graphs of your own. An index of the root knows nothing of them.
   *
   * @throws CodewalkError `INVALID_INPUT` for an id that is not of its kind, or an edge that cannot join its ends.
   */
  write(
    nodes: readonly CodeNode[],
    edges: readonly CodeEdge[],
    options?: BuildOptions,
  ): Promise<WrittenCounts>;
  /** Empties the code graph, with its indexes. What was recorded, and memories, stay. */
  clear(): Promise<void>;
}

/** What a walker answered, and the same as Markdown. */
export interface Answered<T> {
  readonly output: T & { readonly state?: { readonly cut?: readonly string[] | undefined } | undefined };
  readonly markdown: string;
}

/** What a question to a graph found (S2-26). `JSON.stringify` and `toDict` have its fields. */
export class QueryResult<N extends PackNode = PackNode> {
  readonly query: string;
  /** How many nodes the text found. */
  readonly seeds: number;
  /** How many were reached from them, stubs included. */
  readonly expanded_nodes: number;
  readonly returned_nodes: number;
  readonly hop: number;
  readonly rels: readonly CodeRelation[];
  /** The best first (S2-27). */
  readonly nodes: readonly N[];
  /** With both ends among the nodes. */
  readonly edges: readonly CodeEdge[];
  /** What is to be known of it, and what was cut. */
  readonly notes: readonly string[];
  readonly #markdown: string;

  constructor({
    output,
    markdown,
  }: Answered<Omit<CodebaseOutput, 'nodes'> & { readonly nodes: readonly N[] }>) {
    this.query = output.query;
    this.seeds = output.seeds;
    this.expanded_nodes = output.expanded_nodes;
    this.returned_nodes = output.returned_nodes;
    this.hop = output.hop;
    this.rels = output.rels;
    this.nodes = output.nodes;
    this.edges = output.edges;
    this.notes = [...output.notes, ...(output.state?.cut ?? [])];
    this.#markdown = markdown;
  }

  /** The fields as a plain object. */
  toDict() {
    const { query, seeds, expanded_nodes, returned_nodes, hop, rels, nodes, edges, notes } = this;
    return { query, seeds, expanded_nodes, returned_nodes, hop, rels, nodes, edges, notes };
  }

  /** For `JSON.stringify`. */
  toJSON() {
    return this.toDict();
  }

  /** The result as Markdown. */
  toMarkdown(): string {
    return this.#markdown;
  }

  /** Prints the question and the counts, then a line for each node. @param print Default: `console.log`. */
  printSummary(print: (line: string) => void = console.log): void {
    const { query, seeds, expanded_nodes, returned_nodes, hop, edges } = this;
    print(
      `${query}: ${seeds} seeds, ${expanded_nodes} nodes within ${hop} hops, ${returned_nodes} returned, ${edges.length} edges`,
    );
    for (const { kind, qualname, module_path, lineno } of this.nodes)
      print(`  ${kind} ${qualname}${module_path === null ? '' : ` (${module_path}:${lineno ?? 1})`}`);
  }
}

/** A {@link QueryResult} of which the nodes have their source (S2-29). */
export class SnippetPack extends QueryResult<PackedNode> {
  constructor(answered: Answered<PackOutput>) {
    super(answered);
  }

  /**
   * Writes it to a file (S2-36): as Markdown, or as JSON. An existing file is replaced.
   *
   * @throws CodewalkError `INVALID_INPUT` for another format.
   */
  async save(path: string, { fmt = 'md' }: { readonly fmt?: 'md' | 'json' } = {}): Promise<void> {
    if (fmt !== 'md' && fmt !== 'json')
      throw new CodewalkError('INVALID_INPUT', `'${String(fmt)}' is no format of a saved pack`, {
        input: fmt,
        suggestion: "Use 'md' or 'json'.",
      });
    await writeFile(path, fmt === 'json' ? `${JSON.stringify(this, null, 2)}\n` : this.toMarkdown());
  }
}

/** What the library's functions stand on. */
export interface LibraryParts {
  readonly root: string | null;
  /** Takes the built-in walkers by name, too. */
  readonly spawn: Graph['spawn'] & ((name: string, target?: null, input?: object) => Promise<unknown>);
  /** The folder of the code graph's store; null in memory. */
  readonly store: string | null;
  /** What the configuration says of the files that an index takes. */
  readonly indexInput: () => Readonly<Record<string, unknown>>;
  /** Whether there is an embedder now. */
  readonly embeds: () => boolean;
}

/** The library's functions on an open graph: each spawns a walker. */
export function libraryOf({ root, spawn, store, indexInput, embeds }: LibraryParts): CodeLibrary {
  const stats = async (needed = false): Promise<BuildStats> => {
    const { output } = await spawn(LibraryStats, null, { needed });
    return { repo_root: root, db_path: store, ...output };
  };
  const write: CodeLibrary['write'] = async (nodes, edges, { wipe = false } = {}) => {
    const { output } = await spawn(LibraryWrite, null, { nodes: [...nodes], edges: [...edges], wipe });
    return output;
  };
  const clear = async () => void (await write([], [], { wipe: true }));
  const buildGraph = async ({ wipe = false }: BuildOptions = {}) => {
    if (wipe) await clear();
    await spawn('graph_index_project', null, { mode: 'incremental', ...indexInput() });
    return stats();
  };
  const buildIndex = async ({ wipe = false }: BuildOptions = {}) => {
    await stats(true);
    if (wipe) await spawn('project_texts');
    if (embeds()) await spawn(GraphEmbed, null, { wipe });
    return stats();
  };
  const query: CodeLibrary['query'] = async (text, options = {}) => {
    const { output } = await spawn(QueryCodebase, null, { q: text, ...asked(options) });
    return new QueryResult({ output, markdown: codebaseMarkdown(output) });
  };
  return {
    buildGraph,
    buildIndex,
    build: async (options) => {
      await buildGraph(options);
      return buildIndex(options);
    },
    stats: () => stats(),
    search: async (text, k) => {
      const { nodes } = await query(text, given({ hop: 0, k }));
      return nodes.map(({ id, kind, name, qualname, module_path, seed_distance }, rank) => ({
        ...{ id, kind, name, qualname, module_path },
        distance: seed_distance,
        rank,
      }));
    },
    query,
    pack: async (text, options = {}) => {
      const input = { q: text, ...asked({ maxNodes: packNodes.max, ...options }) };
      const { output } = await spawn(PackSnippets, null, input);
      return new SnippetPack({ output, markdown: packMarkdown(output) });
    },
    node: async (id) => {
      const { output } = await spawn(LibraryGraph, null, { ids: [id], edges: false });
      return output.nodes[0] ?? null;
    },
    queryNodes: async ({ kinds, module } = {}) => {
      const input = { kinds: kinds ? [...kinds] : null, module: module ?? null, edges: false };
      return (await spawn(LibraryGraph, null, input)).output.nodes;
    },
    edgesWithin: async (ids, rels) => {
      const input = { ids: [...ids], ...given({ rels }) };
      return (await spawn(LibraryGraph, null, input)).output.edges;
    },
    expand: async (seeds, { hop, rels } = {}) => {
      const input = { seeds: [...seeds], ...given({ hop, rels }) };
      const { output } = await spawn(LibraryExpand, null, input);
      return new Map(output.reached.map(({ id, ...way }) => [id, way]));
    },
    write,
    clear,
  };
}

const { packNodes, packTokens } = LIMITS;

/** Options as walkers spell them. A program wants whole answers; everything else that is left out is the walker's choice. */
function asked(options: PackOptions) {
  const { maxNodes, includeSymbols, maxTokens = packTokens.max, maxLines, rels, ...same } = options;
  return given({
    ...same,
    rels: rels?.join(','),
    max_nodes: maxNodes,
    include_symbols: includeSymbols,
    max_tokens: maxTokens,
    max_lines: maxLines,
  });
}

/** The fields that have a value. */
function given(fields: Readonly<Record<string, unknown>>): Record<string, never> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
