import type { CypherNode, CypherRelationship, CypherValue } from './value.js';

/** A value now, or a promise of it: a graph that can answer at once does, and nobody waits. */
export type Awaitable<T> = T | Promise<T>;

/** Which way a relationship is followed, as seen from the node at hand. */
export type ExpandDirection = 'out' | 'in' | 'both';

/** What a pattern says around one of its relationships: some graphs have relationships that only certain patterns see. */
export interface HopPattern {
  /** Whether exactly one hop is asked for: no `*`. */
  readonly single: boolean;
  /** Labels that the pattern asks of the node at hand, all of them; those behind `|` and `!` are left out. */
  readonly near: readonly string[];
  /** As `near`, of the other end. */
  readonly far: readonly string[];
}

/** A relationship of a pattern as one of its nodes sees it: some graphs have nodes that only certain patterns see. */
export interface NodeHop {
  readonly direction: ExpandDirection;
  /** Null: all. */
  readonly types: readonly string[] | null;
}

/** What the engine may look up by an index. */
export type SeekValues =
  | { readonly kind: 'in'; readonly values: readonly CypherValue[] }
  | { readonly kind: 'prefix'; readonly prefix: string };

/**
 * All that the engine knows of a graph: one version of it, read-only. Whoever implements it decides what labels, types
 * and properties are called; the engine decides everything else. Every list is in an order that is the same for the
 * same graph, and answers keep it.
 */
export interface CypherGraph {
  /**
   * Nodes with a label (null: all), in pages. An unknown label has none.
   *
   * @param hops What the pattern says around the node.
   */
  nodes(label: string | null, hops: readonly NodeHop[]): AsyncIterable<readonly CypherNode[]>;
  /** Relationships of a type (null: all), each once, in pages; null where that cannot be had without expanding all nodes. */
  relationships(type: string | null): AsyncIterable<readonly CypherRelationship[]> | null;
  /**
   * Nodes with a label (null: any) by an index on a property. They may be too many: the engine checks them again. Null
   * where there is no such index.
   *
   * @param hops As for `nodes`.
   */
  seek(
    label: string | null,
    property: string,
    wanted: SeekValues,
    hops: readonly NodeHop[],
  ): Promise<readonly CypherNode[]> | null;
  /**
   * Per node its relationships of these types (null: all). In `both` a loop is listed once. One batch is one look at
   * the graph.
   */
  expand(
    nodes: readonly CypherNode[],
    direction: ExpandDirection,
    types: readonly string[] | null,
    pattern: HopPattern,
  ): Awaitable<readonly (readonly CypherRelationship[])[]>;
  /** Makes labels and properties of these readable. One batch is one look at the graph. */
  load(elements: readonly (CypherNode | CypherRelationship)[]): Awaitable<void>;
  /** Properties of nodes that can be read of nodes that were not loaded. */
  readonly atHand: ReadonlySet<string>;
  /** How many nodes have a label (null: all), about; for planning. */
  countNodes(label: string | null): Awaitable<number>;
  /** How many relationships have a type (null: all), about; for planning. */
  countRelationships(type: string | null): Awaitable<number>;
  /** What exists, for hints about names that do not. */
  readonly names: {
    readonly labels: readonly string[];
    readonly types: readonly string[];
    readonly properties: readonly string[];
  };
}
