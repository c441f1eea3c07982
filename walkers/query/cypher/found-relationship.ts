import type { CypherMap, CypherNode, CypherRelationship, CypherValue } from '../../../cypher/index.js';
import type { HopStep } from '../../../runtime/index.js';
import { edgeArchetype, edgeProperty, type Shape } from '../../../schema/index.js';
import type { FoundNode } from './found-node.js';
import { ownValue, type Props, valueReader } from './stored-value.js';

/** One stored edge: what tells it from all others, and where its other properties are found. */
export interface StoredEdgeOf {
  /** The stored name. */
  readonly edgeType: string;
  readonly shape: Shape;
  readonly from: string;
  readonly to: string;
  /** 0 in canonical order. */
  readonly seq: number;
  /** The properties that adjacency holds. */
  readonly inline: Props;
}

function storedEdge({ node, entry }: HopStep): StoredEdgeOf {
  const { edgeType, far, outgoing, seq, props } = entry;
  const [from, to] = outgoing ? [node, far] : [far, node];
  return { edgeType, shape: edgeArchetype(edgeType)?.shape ?? {}, from, to, seq, inline: props };
}

/** Numbers for edges, made when one is asked for: most patterns never compare two. */
export class EdgeNumbers {
  readonly #numbers = new Map<string, number>();

  of({ edgeType, from, to, seq }: Pick<StoredEdgeOf, 'edgeType' | 'from' | 'to' | 'seq'>): number {
    const text = `${edgeType}\0${from}\0${to}\0${seq}`;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

/** The nodes that a relationship leads from and to, as its type reads. */
export interface RelationshipEnds<N> {
  readonly start: N;
  readonly end: N;
}

/** An edge of the graph as Cypher sees it, under the name by which it was asked for. */
export class FoundRelationship implements CypherRelationship {
  readonly kind = 'relationship';
  readonly type: string;
  readonly start: FoundNode;
  readonly end: FoundNode;
  /** The node that it was found at, and how it stands there. */
  readonly step: HopStep;
  /** All properties, once it was loaded. */
  props: Props | null = null;
  #edge: StoredEdgeOf | null = null;
  #key = -1;

  constructor(
    type: string,
    start: FoundNode,
    end: FoundNode,
    step: HopStep,
    private readonly numbers: EdgeNumbers,
  ) {
    this.type = type;
    this.start = start;
    this.end = end;
    this.step = step;
  }

  /** Read when it is asked for: most patterns only go over it. */
  get edge(): StoredEdgeOf {
    this.#edge ??= storedEdge(this.step);
    return this.#edge;
  }

  get key(): number {
    if (this.#key < 0) this.#key = this.numbers.of(this.edge);
    return this.#key;
  }

  get id(): string {
    const { edgeType, from, to, seq } = this.edge;
    return `${edgeType}:${from}->${to}${seq > 0 ? `#${seq}` : ''}`;
  }

  property(name: string): CypherValue {
    const { edgeType, inline } = this.edge;
    const stored = edgeProperty(edgeType, name);
    if (stored === undefined) return null;
    return valueReader(this.edge, stored)(ownValue(this.props ?? inline, stored));
  }

  properties(): CypherMap {
    const listed = new Map<string, CypherValue>();
    for (const name of Object.keys(this.edge.shape)) {
      const value = this.property(name);
      if (value !== null) listed.set(name, value);
    }
    return listed;
  }
}

/** A relationship that no edge stands for: it follows from what is stored. */
export class MadeRelationship implements CypherRelationship {
  readonly kind = 'relationship';
  readonly type: string;
  readonly start: CypherNode;
  readonly end: CypherNode;

  constructor(
    type: string,
    ends: RelationshipEnds<CypherNode>,
    private readonly numbers: EdgeNumbers,
    private readonly props: CypherMap = new Map(),
  ) {
    this.type = type;
    this.start = ends.start;
    this.end = ends.end;
  }

  get key(): number {
    return this.numbers.of({
      edgeType: this.type,
      from: String(this.start.id),
      to: String(this.end.id),
      seq: -1,
    });
  }

  get id(): string {
    return `${this.type}:${this.start.id}->${this.end.id}`;
  }

  property(name: string): CypherValue {
    return this.props.get(name) ?? null;
  }

  properties(): CypherMap {
    return this.props;
  }
}
