import type { Catalog, GraphTransaction, NodeRef } from '../../runtime/index.js';
import { CodewalkError, type EdgeType, type NodeType, parseProps } from '../../schema/index.js';
import type { StoredEdge, StoredNode } from '../../storage/index.js';
import { type ArchiveLine, edgeLine, type LineOf, nodeLine } from './archive-line.js';

type Other = Exclude<ArchiveLine, { readonly type: 'event' }>;
type NodeLine = LineOf<'node'>;
type EdgeLine = LineOf<'edge'>;

/** What follows from no event, as the last word on each of it has it. */
export class OtherWrites {
  readonly #nodes = new Map<string, NodeLine>();
  readonly #edges = new Map<string, EdgeLine>();
  /** Nodes and edges that were not written, because their shape is unknown. */
  refused = 0;

  constructor(private readonly catalog: Catalog) {}

  /** Nodes and edges that are to be there. */
  get size(): number {
    return this.#nodes.size + this.#edges.size;
  }

  /** Takes a line of the archive, in their order. */
  tell(line: Other): void {
    switch (line.type) {
      case 'node':
        this.#nodes.set(line.id, line);
        return;
      case 'gone':
        this.#nodes.delete(line.id);
        return;
      case 'edge':
        this.#edges.set(keyOf(line), line);
        return;
      case 'cut':
        this.#edges.delete(keyOf(line));
    }
  }

  /** A node as a store has it, unless the archive told of it. */
  node(node: StoredNode): void {
    if (!this.#nodes.has(node.id)) this.tell(nodeLine(node));
  }

  /**
   * An edge as a store has it, unless the archive told of it; one whose ends nothing tells any more, in a damaged store,
   * is left out.
   *
   * @param typeOf the archetype of a node of the same store; null for one of the other layer.
   */
  edge(edge: StoredEdge, typeOf: (id: string) => string | null): void {
    if (this.#edges.has(keyOf({ ...edge, archetype: edge.type }))) return;
    const type = this.#edgeType(edge.type);
    const declared = (id: string) => (id === edge.from ? type.from : type.to)?.name ?? '';
    const line = edgeLine(edge, (id) => typeOf(id) ?? this.#nodes.get(id)?.archetype ?? declared(id));
    if (!line.ends.includes('')) this.tell(line);
  }

  /** Writes all of it. @throws CodewalkError `INVALID_ARCHETYPE` for an archetype that nobody knows. */
  async write(tx: GraphTransaction): Promise<void> {
    await tx.createAll(
      [...this.#nodes.values()].flatMap(({ id, archetype, props }) => {
        const type = this.#nodeType(archetype);
        const known = this.#checked(type, props);
        return known === null ? [] : [{ draft: 'node', archetype: type, id, props: known } as const];
      }),
    );
    for (const { archetype, from, to, ends, undirected, props } of [...this.#edges.values()].sort(bySeq)) {
      const type = this.#edgeType(archetype);
      const [source] = await this.#end(tx, from, ends[0]);
      const [target] = await this.#end(tx, to, ends[1]);
      if (source === undefined || target === undefined) continue;
      const known = this.#checked(type, props);
      if (known === null) continue;
      await tx.connect(source, target, { draft: 'edge', archetype: type, props: known }, { undirected });
    }
  }

  /** Null, and counted, where they are none of their archetype. */
  #checked({ name, schema }: NodeType | EdgeType, props: NodeLine['props']): NodeLine['props'] | null {
    try {
      return parseProps(name, schema, props);
    } catch {
      this.refused++;
      return null;
    }
  }

  /** A node that is not there is named all the same: its own layer has it, or had it. */
  #end(tx: GraphTransaction, id: string, archetype: string): Promise<NodeRef[]> {
    return tx.nodesOf(this.#nodeType(archetype), [id]);
  }

  #nodeType(name: string): NodeType {
    const type = this.catalog.node(name);
    if (type) return type;
    throw unknownArchetype(name);
  }

  #edgeType(name: string): EdgeType {
    const type = this.catalog.edge(name);
    if (type) return type;
    throw unknownArchetype(name);
  }
}

function keyOf({ archetype, from, to, seq }: Pick<EdgeLine, 'archetype' | 'from' | 'to' | 'seq'>): string {
  return `${archetype}\0${from}\0${to}\0${seq}`;
}

function bySeq(a: EdgeLine, b: EdgeLine): number {
  return a.seq - b.seq;
}

function unknownArchetype(name: string): CodewalkError {
  return new CodewalkError('INVALID_ARCHETYPE', `the history holds '${name}', which nothing here defines`, {
    input: name,
    suggestion: 'Give the folder of the walkers that define it: --walkers DIR. Nothing was changed.',
  });
}
