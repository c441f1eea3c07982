import type {
  CypherGraph,
  CypherMap,
  CypherNode,
  CypherRelationship,
  CypherValue,
  ExpandDirection,
  SeekValues,
} from '../../cypher/index.js';

const PAGE = 100;

/** What a node or a relationship is made with; nulls are left out. */
export type Properties = Iterable<readonly [string, CypherValue]>;

class Entity {
  readonly id: bigint;
  readonly held = new Map<string, CypherValue>();

  constructor(
    readonly key: number,
    properties: Properties,
  ) {
    this.id = BigInt(key);
    for (const [name, value] of properties) this.set(name, value);
  }

  set(name: string, value: CypherValue): void {
    if (value === null) this.held.delete(name);
    else this.held.set(name, value);
  }

  property(name: string): CypherValue {
    return this.held.get(name) ?? null;
  }

  properties(): CypherMap {
    return this.held;
  }
}

export class MemoryNode extends Entity implements CypherNode {
  readonly kind = 'node';
  readonly named: Set<string>;
  readonly out: MemoryRelationship[] = [];
  readonly in: MemoryRelationship[] = [];

  constructor(key: number, labels: Iterable<string>, properties: Properties) {
    super(key, properties);
    this.named = new Set(labels);
  }

  labels(): readonly string[] {
    return [...this.named];
  }

  hasLabel(label: string): boolean {
    return this.named.has(label);
  }
}

export class MemoryRelationship extends Entity implements CypherRelationship {
  readonly kind = 'relationship';

  constructor(
    key: number,
    readonly type: string,
    readonly start: MemoryNode,
    readonly end: MemoryNode,
    properties: Properties,
  ) {
    super(key, properties);
  }
}

/** What a graph holds, as lists of strings that say it exactly: two of them differ where the graph did. */
export interface Snapshot {
  readonly nodes: readonly string[];
  readonly relationships: readonly string[];
  readonly labels: readonly string[];
  readonly properties: readonly string[];
}

/** A small graph in memory that can be changed: what the engine is tested on. It has no indexes. */
export class MemoryGraph implements CypherGraph {
  private readonly allNodes = new Map<number, MemoryNode>();
  private readonly allRelationships = new Map<number, MemoryRelationship>();
  private nextKey = 0;

  createNode(labels: Iterable<string>, properties: Properties): MemoryNode {
    const node = new MemoryNode(this.nextKey++, labels, properties);
    this.allNodes.set(node.key, node);
    return node;
  }

  createRelationship(
    type: string,
    start: MemoryNode,
    end: MemoryNode,
    properties: Properties,
  ): MemoryRelationship {
    const relationship = new MemoryRelationship(this.nextKey++, type, start, end, properties);
    this.allRelationships.set(relationship.key, relationship);
    start.out.push(relationship);
    end.in.push(relationship);
    return relationship;
  }

  /** Removes it; a node's relationships must be gone. */
  delete(entity: MemoryNode | MemoryRelationship): void {
    if (entity.kind === 'node') {
      if (entity.out.length + entity.in.length > 0) throw new Error('a node with relationships was deleted');
      this.allNodes.delete(entity.key);
      return;
    }
    this.allRelationships.delete(entity.key);
    for (const list of [entity.start.out, entity.end.in]) {
      const at = list.indexOf(entity);
      if (at >= 0) list.splice(at, 1);
    }
  }

  snapshot(): Snapshot {
    const nodes = [...this.allNodes.values()];
    const relationships = [...this.allRelationships.values()];
    return {
      nodes: nodes.map(({ key }) => `${key}`),
      relationships: relationships.map(({ key }) => `${key}`),
      labels: [...new Set(nodes.flatMap((node) => node.labels()))],
      properties: [...nodes, ...relationships].flatMap(({ key, held }) =>
        [...held].map(([name, value]) => `${key}.${name}=${typeof value} ${String(value)}`),
      ),
    };
  }

  async *nodes(label: string | null): AsyncIterable<readonly MemoryNode[]> {
    yield* pages(this.nodesWith(label));
  }

  relationships(type: string | null): AsyncIterable<readonly MemoryRelationship[]> {
    const found = this.relationshipsOf(type);
    return (async function* () {
      yield* pages(found);
    })();
  }

  seek(_label: string | null, _property: string, _wanted: SeekValues): Promise<readonly CypherNode[]> | null {
    return null;
  }

  expand(
    nodes: readonly CypherNode[],
    direction: ExpandDirection,
    types: readonly string[] | null,
  ): readonly (readonly MemoryRelationship[])[] {
    return nodes.map(({ key }) => {
      const node = this.allNodes.get(key);
      if (node === undefined) return [];
      const found =
        direction === 'both'
          ? [...node.out, ...node.in.filter(({ start }) => start !== node)]
          : node[direction];
      return types === null ? found.slice() : found.filter(({ type }) => types.includes(type));
    });
  }

  readonly atHand: ReadonlySet<string> = new Set();

  load(): void {
    // All is at hand.
  }

  countNodes(label: string | null): number {
    return this.nodesWith(label).length;
  }

  countRelationships(type: string | null): number {
    return this.relationshipsOf(type).length;
  }

  get names() {
    const nodes = [...this.allNodes.values()];
    const relationships = [...this.allRelationships.values()];
    return {
      labels: [...new Set(nodes.flatMap((node) => node.labels()))],
      types: [...new Set(relationships.map(({ type }) => type))],
      properties: [...new Set([...nodes, ...relationships].flatMap(({ held }) => [...held.keys()]))],
    };
  }

  private nodesWith(label: string | null): MemoryNode[] {
    return [...this.allNodes.values()].filter((node) => label === null || node.hasLabel(label));
  }

  private relationshipsOf(type: string | null): MemoryRelationship[] {
    return [...this.allRelationships.values()].filter(
      (relationship) => type === null || relationship.type === type,
    );
  }
}

function* pages<T>(items: readonly T[]): Iterable<readonly T[]> {
  for (let at = 0; at < items.length; at += PAGE) yield items.slice(at, at + PAGE);
}
