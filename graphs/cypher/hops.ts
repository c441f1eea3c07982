import type { ExpandDirection } from '../../cypher/index.js';
import type { AdjacencyEntry, Awaitable, HopDirection, ReadContext } from '../../runtime/index.js';
import {
  EDGE_ALIASES,
  type EdgeAlias,
  type EdgeType,
  edgeArchetype,
  edgesOf,
  exportEdgeKind,
  exportNodeKind,
  NODE_ARCHETYPES,
} from '../../schema/index.js';
import { type Elements, type StoredNode, StoredRelationship } from './elements.js';

/** A stored edge type under a name by which a pattern asks for it. */
interface NamedEdge extends EdgeAlias {
  /** The name as it was asked for. */
  readonly type: string;
  /** Null: of an archetype that is not ours. */
  readonly archetype: EdgeType | null;
}

/**
 * What the names of a pattern stand for (mapping table): an alias, a stored name, or that in upper case. Another name may
 * be of an archetype that is not ours, and stands for itself.
 */
export function namedEdges(types: readonly string[]): NamedEdge[] {
  return types.flatMap((type) => {
    const known = edgesOf(type);
    const spelled = known.length > 0 ? known : edgesOf(type.toLowerCase());
    const edges = spelled.length > 0 ? spelled : [{ edge: type }];
    return edges.map((alias) => ({ ...alias, type, archetype: edgeArchetype(alias.edge) ?? null }));
  });
}

/** Of edges that are not exported. */
const ALIAS_OF = new Map(
  Object.entries(EDGE_ALIASES).flatMap(([name, edges]) => edges.map(({ edge }) => [edge, name] as const)),
);

/** The name of a stored edge that was found without asking for one. */
export function preferredName(edge: string): string {
  return exportEdgeKind(edge) ?? ALIAS_OF.get(edge) ?? edge.toUpperCase();
}

/** Archetypes of which the nodes are only bookkeeping: no query sees them. */
export const BOOKKEEPING: ReadonlySet<string> = new Set(
  NODE_ARCHETYPES.map(({ name }) => name).filter((type) => exportNodeKind({ type, props: {} }) === null),
);

/** One kind of edges that a hop follows; null: all. */
interface HopEdge {
  readonly named: NamedEdge | null;
  readonly direction: HopDirection;
}

const STRAIGHT = { out: 'out', in: 'in', both: 'any' } as const;
const REVERSED = { out: 'in', in: 'out', both: 'any' } as const;

/** Per node its entries. */
type EntryLists = readonly (readonly AdjacencyEntry[])[];

/** Follows the stored edges of nodes under the names of a pattern. */
export class StoredHops {
  /** By the list of names, which is the same object from batch to batch. */
  readonly #edges = new Map<readonly string[], Map<ExpandDirection, readonly HopEdge[]>>();

  constructor(
    private readonly context: Pick<ReadContext, 'entries' | 'entryEdges'>,
    private readonly elements: Elements,
  ) {}

  /** The relationships of each node, in the order of the names and of the graph; at once where the graph answers so. */
  expand(
    nodes: readonly StoredNode[],
    direction: ExpandDirection,
    types: readonly string[] | null,
  ): Awaitable<StoredRelationship[][]> {
    const edges = this.#edgesOf(types, direction);
    const ids = nodes.map(({ id }) => id);
    const reads = edges.map((one) => this.context.entries(ids, one.direction, one.named?.archetype ?? null));
    const lists: EntryLists[] = [];
    for (const read of reads) {
      if (read instanceof Promise)
        return Promise.all(reads).then((all) => this.#relationships(nodes, edges, all));
      lists.push(read);
    }
    return this.#relationships(nodes, edges, lists);
  }

  /** Loads the properties that adjacency does not hold, in one look. */
  async load(relationships: readonly StoredRelationship[]): Promise<void> {
    const edges = await this.context.entryEdges(relationships.map(({ step }) => step));
    for (const [at, one] of relationships.entries()) one.props = edges[at] ?? one.step.entry.props;
  }

  #edgesOf(types: readonly string[] | null, direction: ExpandDirection): readonly HopEdge[] {
    if (types === null) return [{ named: null, direction: STRAIGHT[direction] }];
    const ofTypes = this.#edges.get(types) ?? new Map<ExpandDirection, readonly HopEdge[]>();
    this.#edges.set(types, ofTypes);
    const edges =
      ofTypes.get(direction) ??
      namedEdges(types).map((named) => ({
        named,
        direction: (named.reversed ? REVERSED : STRAIGHT)[direction],
      }));
    ofTypes.set(direction, edges);
    return edges;
  }

  #relationships(
    nodes: readonly StoredNode[],
    edges: readonly HopEdge[],
    lists: readonly EntryLists[],
  ): Awaitable<StoredRelationship[][]> {
    const found = nodes.map((node, at) => {
      const own: StoredRelationship[] = [];
      for (const [one, { named }] of edges.entries())
        for (const entry of lists[one]?.[at] ?? []) {
          const relationship = this.#relationship(node, entry, named);
          if (relationship !== undefined) own.push(relationship);
        }
      return own;
    });
    // Several names may ask for the same edges, as INHERITS and EXTENDS do: the first one names them.
    const overlap = new Set(edges.map(({ named }) => named?.edge)).size < edges.length;
    const withEnds = edges.some(({ named }) => named?.from !== undefined || named?.to !== undefined)
      ? this.#withEnds(found, edges)
      : found;
    if (!overlap) return withEnds;
    return withEnds instanceof Promise ? withEnds.then(eachOnce) : eachOnce(withEnds);
  }

  #relationship(
    node: StoredNode,
    entry: AdjacencyEntry,
    named: NamedEdge | null,
  ): StoredRelationship | undefined {
    const { edgeType, far, farType, outgoing, undirected } = entry;
    if (named !== null && named.edge !== edgeType) return undefined;
    if (BOOKKEEPING.has(farType)) return undefined;
    // Its properties are decoded when they are asked for, which most names never do.
    if (named?.where !== undefined && entry.props[named.where.property] !== named.where.is) return undefined;
    const other = this.elements.node(far, farType);
    // An undirected edge counts from both of its ends.
    const leaves = outgoing || undirected;
    const [start, end] = leaves === (named?.reversed === true) ? [other, node] : [node, other];
    const type = named?.type ?? preferredName(edgeType);
    return new StoredRelationship(type, start, end, { node: node.id, entry }, this.elements);
  }

  /** Leaves out relationships whose ends do not have the labels that their name asks for. */
  async #withEnds(
    found: readonly StoredRelationship[][],
    edges: readonly HopEdge[],
  ): Promise<StoredRelationship[][]> {
    const rules = new Map(edges.map(({ named }) => [`${named?.type}\0${named?.edge}`, named]));
    const ruleOf = ({ type, step }: StoredRelationship) => rules.get(`${type}\0${step.entry.edgeType}`);
    const ends = found.flat().flatMap((one) => {
      const { from, to } = ruleOf(one) ?? {};
      return [...(from === undefined ? [] : [one.start]), ...(to === undefined ? [] : [one.end])];
    });
    await this.elements.load(ends.filter(({ isLabelled }) => !isLabelled));
    return found.map((list) =>
      list.filter((one) => {
        const { from, to } = ruleOf(one) ?? {};
        return (from === undefined || one.start.hasLabel(from)) && (to === undefined || one.end.hasLabel(to));
      }),
    );
  }
}

function eachOnce(lists: readonly StoredRelationship[][]): StoredRelationship[][] {
  return lists.map((list) => {
    const known = new Set<number>();
    return list.filter(({ key }) => !known.has(key) && known.add(key));
  });
}
