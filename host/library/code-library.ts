import type { CodeEdge, CodeNode } from '../../walkers/index.js';
import type { QueryResult, SnippetPack } from './query-result.js';

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

/** How much is made anew. */
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
