import type { EdgeType, NodeType, PropsOf } from '../schema/index.js';
import { locationsOf } from './locations.js';
import type { EdgeRef, NodeRef } from './refs.js';

/** The operators of a predicate. Ordering values of different kinds is false, never an error. */
export interface Comparison<V> {
  eq?: V;
  ne?: V;
  lt?: V;
  lte?: V;
  gt?: V;
  gte?: V;
  in?: readonly V[];
}

/** Predicates on properties, all of which must hold: a value means equality. */
export type Where<P> = { readonly [K in keyof P]?: P[K] | Comparison<P[K]> };

/** Which way a hop goes. `any` mixes both in creation order. */
export type HopDirection = 'out' | 'in' | 'any';

/** One predicate as data. A missing property reads as null. */
export interface Predicate {
  readonly field: string;
  readonly op: keyof Comparison<unknown>;
  readonly value: unknown;
}

/** One hop as data. */
export interface Hop {
  readonly direction: HopDirection;
  readonly edge: EdgeType | null;
  readonly edgeWhere: readonly Predicate[];
  readonly node: NodeType | null;
  readonly nodeWhere: readonly Predicate[];
}

/** A path expression as data: what {@link PathExpression} builds and the evaluator plans. */
export interface PathData {
  /** Ids of the nodes it starts from, each once, in order. */
  readonly origin: readonly string[];
  readonly hops: readonly Hop[];
  /** Whether the last hop's edges are asked for, not its nodes. */
  readonly edges: boolean;
  /** As `Array.prototype.slice` on the result. */
  readonly slice: readonly [start: number, end: number | undefined] | null;
}

/** Something a path can start from. */
export type Origin = string | NodeRef | readonly (string | NodeRef)[];

/** Evaluates path data: given by the transaction that the path belongs to. */
export interface PathEvaluator {
  evaluateNodes(path: PathData): Promise<NodeRef[]>;
  evaluateEdges(path: PathData): Promise<EdgeRef[]>;
  evaluateIds(path: PathData): Promise<string[]>;
}

type Target<E extends EdgeType> = NonNullable<E['to']> extends infer N extends NodeType ? N : NodeType;
type Source<E extends EdgeType> = NonNullable<E['from']> extends infer N extends NodeType ? N : NodeType;

/**
 * A path expression: immutable data with a builder's face, evaluated when it is awaited (eagerly, there and
 * then) or passed to `visit`. Each hop scans the frontier in order and each node's edges in their order;
 * nodes appear once, at their first place (object-spatial.md section 3).
 *
 * @example
 * await ctx.q(here).out(Calls, { weight: { gte: 1 } }).of(Function);
 */
export class PathExpression<N extends NodeType = NodeType, E extends EdgeType = EdgeType>
  implements PromiseLike<NodeRef<N>[]>
{
  readonly data: PathData;
  readonly #evaluator: PathEvaluator;

  constructor(evaluator: PathEvaluator, data: PathData) {
    this.#evaluator = evaluator;
    this.data = data;
  }

  /** A hop along edges that leave the frontier: of `edge` and its descendants, or of any type. */
  out<T extends EdgeType = EdgeType>(edge?: T, where?: Where<PropsOf<T>>): PathExpression<Target<T>, T> {
    return this.#hop('out', edge, where);
  }

  /** A hop along edges that reach the frontier. */
  in<T extends EdgeType = EdgeType>(edge?: T, where?: Where<PropsOf<T>>): PathExpression<Source<T>, T> {
    return this.#hop('in', edge, where);
  }

  /** A hop along edges in both directions. */
  any<T extends EdgeType = EdgeType>(edge?: T, where?: Where<PropsOf<T>>): PathExpression<NodeType, T> {
    return this.#hop('any', edge, where);
  }

  /** Keeps of the last hop only far nodes of this archetype (and its descendants) that fit. */
  of<T extends NodeType>(node: T, where?: Where<PropsOf<T>>): PathExpression<T, E> {
    return this.#refine({ node, nodeWhere: predicates(where) });
  }

  /** Keeps of the last hop only far nodes that fit, whatever their archetype. */
  where(where: Where<Record<string, unknown>>): PathExpression<N, E> {
    return this.#refine({ nodeWhere: predicates(where) });
  }

  /** A part of the result, as `Array.prototype.slice`. */
  slice(start: number, end?: number): PathExpression<N, E> {
    return new PathExpression<N, E>(this.#evaluator, { ...this.data, slice: [start, end] });
  }

  /** The last hop's edges instead of its nodes: each once, parallel ones all. */
  edges(): EdgeExpression<E> {
    return new EdgeExpression<E>(this.#evaluator, { ...this.data, edges: true });
  }

  /** The ids of the result without reading its node records. */
  ids(): Promise<string[]> {
    return this.#evaluator.evaluateIds(this.data);
  }

  then<A = NodeRef<N>[], B = never>(
    onFulfilled?: ((nodes: NodeRef<N>[]) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): PromiseLike<A | B> {
    const nodes = this.#evaluator.evaluateNodes(this.data) as Promise<NodeRef<N>[]>;
    return nodes.then(onFulfilled, onRejected);
  }

  #hop<T extends EdgeType, M extends NodeType>(
    direction: HopDirection,
    edge: T | undefined,
    where: Where<PropsOf<T>> | undefined,
  ): PathExpression<M, T> {
    const hop: Hop = {
      direction,
      edge: edge ?? null,
      edgeWhere: predicates(where),
      node: null,
      nodeWhere: [],
    };
    return new PathExpression<M, T>(this.#evaluator, { ...this.data, hops: [...this.data.hops, hop] });
  }

  #refine<M extends NodeType>(change: Partial<Hop>): PathExpression<M, E> {
    const hops = [...this.data.hops];
    const last = hops.pop();
    if (last) hops.push({ ...last, ...change, nodeWhere: [...last.nodeWhere, ...(change.nodeWhere ?? [])] });
    return new PathExpression<M, E>(this.#evaluator, { ...this.data, hops });
  }
}

/** A path expression that asks for edges; awaiting it gives edge references. Visiting it queues each edge and its far node. */
export class EdgeExpression<E extends EdgeType = EdgeType> implements PromiseLike<EdgeRef<E>[]> {
  readonly data: PathData;
  readonly #evaluator: PathEvaluator;

  constructor(evaluator: PathEvaluator, data: PathData) {
    this.#evaluator = evaluator;
    this.data = data;
  }

  then<A = EdgeRef<E>[], B = never>(
    onFulfilled?: ((edges: EdgeRef<E>[]) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): PromiseLike<A | B> {
    const edges = this.#evaluator.evaluateEdges(this.data) as Promise<EdgeRef<E>[]>;
    return edges.then(onFulfilled, onRejected);
  }
}

/** The ids that an origin names, each once, in order; holes are dropped. */
export function originIds(origin: Origin): string[] {
  const list: readonly unknown[] = Array.isArray(origin) ? origin : [origin];
  const ids = list.flatMap((item) =>
    typeof item === 'string' ? [item] : locationsOf(item, 'start a path at').map(({ id }) => id),
  );
  return [...new Set(ids)];
}

/** The predicates of a `where` object as data. */
export function predicates(where: object | undefined): Predicate[] {
  return Object.entries(where ?? {}).flatMap(([field, wanted]) => {
    if (!isComparison(wanted)) return [{ field, op: 'eq' as const, value: wanted }];
    return Object.entries(wanted).map(([op, value]) => ({ field, op: op as Predicate['op'], value }));
  });
}

const OPERATORS = new Set(['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in']);

function isComparison(value: unknown): value is Comparison<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => OPERATORS.has(key));
}
