import { z } from 'zod';
import type { CypherMap, CypherNode, CypherRelationship, CypherValue } from '../../cypher/index.js';
import { type HopStep, type NodeRef, propOf, propsOf, type ReadContext } from '../../runtime/index.js';
import {
  edgeArchetype,
  edgeProperty,
  LABEL_RULES,
  labelsOf,
  listedSpelling,
  type NodeType,
  nodeArchetype,
  nodeProperty,
  parseId,
  readProperty,
  type Shape,
} from '../../schema/index.js';

/** The property of a node that its layer has no more. */
export const GONE = 'gone';

/** Properties as they are stored. */
export type Props = Readonly<Record<string, unknown>>;

/** A value from JSON or from a store: whole numbers are INTEGER, undefined is null. */
export function anyValue(stored: unknown): CypherValue {
  switch (typeof stored) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return stored;
    case 'number':
      return Number.isSafeInteger(stored) ? BigInt(stored) : stored;
    case 'object':
      if (stored === null) return null;
      if (Array.isArray(stored)) return stored.map(anyValue);
      return new Map(Object.entries(stored).map(([name, value]) => [name, anyValue(value)]));
    default:
      return null;
  }
}

/** A property that may be missing; `__proto__` is missing, too. */
export function ownValue(props: Props, name: string): unknown {
  return Object.hasOwn(props, name) ? props[name] : null;
}

/** Reads a property of a shape. Its numbers are FLOAT where the schema takes fractions: a confidence of 1 is 1.0, a line never is. */
function valueReader(shape: Shape, property: string): (stored: unknown) => CypherValue {
  let schema: unknown = Object.hasOwn(shape, property) ? shape[property] : undefined;
  while (schema instanceof z.ZodDefault || schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    schema = schema.unwrap();
  if (!(schema instanceof z.ZodNumber) || schema.isInt) return anyValue;
  return (stored) => (typeof stored === 'number' ? stored : anyValue(stored));
}

/** What nodes of one archetype have in common. */
class NodeKind {
  /** Null: properties decide. */
  readonly labels: readonly string[] | null;
  /** The properties that decide. */
  readonly deciding: readonly string[];
  readonly #readers = new Map<string, (node: StoredNode) => CypherValue>();

  /** @param project The Project's name, which every node has as `project`. */
  constructor(
    readonly archetype: Pick<NodeType, 'name' | 'lineage' | 'shape'>,
    private readonly project: string,
  ) {
    const rules = LABEL_RULES.filter((rule) => archetype.lineage.has(rule.archetype));
    this.deciding = [...new Set(rules.flatMap(({ when }) => when?.property ?? []))];
    this.labels = this.deciding.length > 0 ? null : labelsOf({ type: archetype.name, props: {} });
  }

  reader(name: string): (node: StoredNode) => CypherValue {
    const known = this.#readers.get(name) ?? this.#makeReader(name);
    this.#readers.set(name, known);
    return known;
  }

  #makeReader(name: string): (node: StoredNode) => CypherValue {
    const { name: type, shape } = this.archetype;
    const alias = nodeProperty(type, name);
    if (alias === undefined) return name === GONE ? (node) => anyValue(node.stored(GONE)) : () => null;
    if ('stored' in alias) {
      const read = valueReader(shape, alias.stored);
      return (node) => read(node.stored(alias.stored));
    }
    if (alias.computed === 'id') return (node) => node.id;
    return (node) => anyValue(readProperty({ id: node.id, type, props: node.loaded }, name, this.project));
  }
}

/** A node of the graph as Cypher sees it. Its properties can be read once it is loaded. */
export class StoredNode implements CypherNode {
  readonly kind = 'node';
  /** Null until all of them are asked for. */
  #props: Props | null = null;
  #ref: NodeRef | null = null;
  #labels: readonly string[] | null = null;

  constructor(
    readonly key: number,
    readonly id: string,
    private readonly type: NodeKind,
  ) {}

  get archetype(): NodeKind['archetype'] {
    return this.type.archetype;
  }

  get isLoaded(): boolean {
    return this.#props !== null || this.#ref !== null;
  }

  /** Whether its labels can be read now. */
  get isLabelled(): boolean {
    return this.type.labels !== null || this.isLoaded;
  }

  /** Gives it its properties, or what shows them. */
  load({ ref, props }: { readonly ref?: NodeRef; readonly props?: Props }): void {
    this.#ref = ref ?? null;
    this.#props = props ?? null;
  }

  labels(): readonly string[] {
    this.#labels ??= this.type.labels ?? this.#decidedLabels();
    return this.#labels;
  }

  hasLabel(label: string): boolean {
    return this.labels().includes(label);
  }

  property(name: string): CypherValue {
    return this.type.reader(name)(this);
  }

  properties(): CypherMap {
    const listed = new Map<string, CypherValue>();
    const { name: type, shape } = this.archetype;
    for (const [name, stored] of Object.entries(this.loaded))
      if (stored !== null && stored !== undefined)
        listed.set(listedSpelling(type, name), valueReader(shape, name)(stored));
    return listed;
  }

  /** All properties. @throws TypeError before the node is loaded: the engine loads first. */
  get loaded(): Props {
    this.#props ??= propsOf(this.#shown);
    return this.#props;
  }

  /** One property by its stored name. */
  stored(name: string): unknown {
    return this.#props === null ? propOf(this.#shown, name) : ownValue(this.#props, name);
  }

  #decidedLabels(): readonly string[] {
    const props = Object.fromEntries(this.type.deciding.map((name) => [name, this.stored(name)]));
    return labelsOf({ type: this.archetype.name, props });
  }

  get #shown(): NodeRef {
    if (this.#ref === null) throw new TypeError(`${this.id} was not loaded`);
    return this.#ref;
  }
}

/** An edge of the graph as Cypher sees it, under the name by which it was asked for. */
export class StoredRelationship implements CypherRelationship {
  readonly kind = 'relationship';
  /** All properties, once it is loaded; until then those that adjacency holds. */
  props: Props | null = null;
  #key = -1;

  /** @param step The node that it was found at, and how it stands there. */
  constructor(
    readonly type: string,
    readonly start: StoredNode,
    readonly end: StoredNode,
    readonly step: HopStep,
    private readonly elements: Elements,
  ) {}

  get key(): number {
    // Numbered when it is asked for: most patterns never compare two.
    if (this.#key < 0) this.#key = this.elements.edgeKey(this.id);
    return this.#key;
  }

  get id(): string {
    const { node, entry } = this.step;
    const [from, to] = entry.outgoing ? [node, entry.far] : [entry.far, node];
    return `${entry.edgeType}:${from}->${to}${entry.seq > 0 ? `#${entry.seq}` : ''}`;
  }

  property(name: string): CypherValue {
    const { edgeType, props } = this.step.entry;
    const stored = edgeProperty(edgeType, name);
    if (stored === undefined) return null;
    return valueReader(edgeShape(edgeType), stored)(ownValue(this.props ?? props, stored));
  }

  properties(): CypherMap {
    const names = Object.keys(edgeShape(this.step.entry.edgeType));
    const listed = names.map((name) => [name, this.property(name)] as const);
    return new Map(listed.filter(([, value]) => value !== null));
  }
}

function edgeShape(edgeType: string): Shape {
  return edgeArchetype(edgeType)?.shape ?? {};
}

/** A relationship that is not stored: it follows from what is. */
export class DerivedRelationship implements CypherRelationship {
  readonly kind = 'relationship';

  constructor(
    readonly type: string,
    readonly start: CypherNode,
    readonly end: CypherNode,
    private readonly elements: Elements,
    private readonly props: CypherMap = new Map(),
  ) {}

  get key(): number {
    return this.elements.edgeKey(this.id);
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

/** The nodes and edges that one query reaches: one object or number for each, whichever way it is reached. */
export class Elements {
  readonly #kinds = new Map<string, NodeKind>();
  readonly #nodes = new Map<string, StoredNode>();
  readonly #edges = new Map<string, number>();
  #next = 0;

  /** @param project The Project's name. */
  constructor(
    private readonly context: Pick<ReadContext, 'nodes'>,
    private readonly project: string,
  ) {}

  /** A node by its id and the name of its archetype, with its properties where they are known. */
  node(id: string, archetype: string, from?: Parameters<StoredNode['load']>[0]): StoredNode {
    let node = this.#nodes.get(id);
    if (node === undefined) {
      node = new StoredNode(this.nextKey(), id, this.#kind(archetype));
      this.#nodes.set(id, node);
    }
    if (from !== undefined && !node.isLoaded) node.load(from);
    return node;
  }

  /** A number that no node has yet. */
  nextKey(): number {
    return this.#next++;
  }

  /** The number of the edge with an id. */
  edgeKey(id: string): number {
    const key = this.#edges.get(id) ?? this.#edges.size;
    this.#edges.set(id, key);
    return key;
  }

  /** Loads the nodes that are not loaded yet, in one look. */
  async load(nodes: Iterable<StoredNode>): Promise<void> {
    const missing = [...nodes].filter(({ isLoaded }) => !isLoaded);
    if (missing.length === 0) return;
    const refs = await this.context.nodes(missing.map(({ id }) => id));
    for (const [at, node] of missing.entries()) {
      const ref = refs[at];
      node.load(ref === undefined || ref.gone ? { props: goneProps(node.id) } : { ref });
    }
  }

  /** The nodes of these ids that exist, loaded. */
  async find(ids: readonly string[]): Promise<StoredNode[]> {
    return (await this.context.nodes(ids)).flatMap((ref) => (ref ? [this.shown(ref)] : []));
  }

  /** The node that a reference of the run shows. */
  shown(ref: NodeRef): StoredNode {
    return this.node(ref.id, ref.archetype.name, { ref });
  }

  #kind(name: string): NodeKind {
    const archetype = nodeArchetype(name) ?? { name, lineage: new Set([name]), shape: {} };
    const kind = this.#kinds.get(name) ?? new NodeKind(archetype, this.project);
    this.#kinds.set(name, kind);
    return kind;
  }
}

/** What is still known of a node that its layer has no more, while another layer's edges lead to it (X-34). */
function goneProps(id: string): Props {
  const { path = null, name = null } = parseId(id) ?? {};
  return { path, name: name ?? path?.slice(path.lastIndexOf('/') + 1) ?? null, [GONE]: true };
}
