import type {
  AdjacencyEntry,
  Direction,
  LayerChanges,
  LayerCounts,
  LayerStore,
  StoredEdge,
  StoredNode,
} from '../../storage/index.js';
import { compareIds, entryOrder } from '../../storage/index.js';
import { CATALOG } from './catalog.js';

/** What a layer should answer, kept in the plainest way. */
export class Model {
  readonly nodes = new Map<string, StoredNode>();
  readonly edges = new Map<string, StoredEdge>();

  apply(changes: LayerChanges): void {
    for (const address of changes.removedEdges) this.edges.delete(nameOf(address));
    for (const { id, after } of changes.nodes) {
      if (after === undefined) this.nodes.delete(id);
      else this.nodes.set(id, after);
    }
    for (const edge of changes.edges) this.edges.set(nameOf(edge), edge);
  }

  adjacency(node: string, direction: Direction, edgeType: string): PlainEntry[] {
    const entries: PlainEntry[] = [];
    for (const edge of this.edges.values()) {
      if (edge.type !== edgeType) continue;
      const leaves = edge.from === node && (direction === 'out' || (edge.undirected && edge.to !== node));
      const arrives = edge.to === node && (direction === 'in' || (edge.undirected && edge.from !== node));
      if (leaves) entries.push(entryOf(edge, edge.to, true));
      if (arrives) entries.push(entryOf(edge, edge.from, false));
    }
    return entries.sort(entryOrder(CATALOG.edge(edgeType)?.order ?? 'creation', direction));
  }

  counts(): LayerCounts {
    const of = (elements: Iterable<{ readonly type: string }>) => {
      const counts = new Map<string, number>();
      for (const { type } of elements) counts.set(type, (counts.get(type) ?? 0) + 1);
      return counts;
    };
    return { nodes: of(this.nodes.values()), edges: of(this.edges.values()) };
  }

  found(type: string, property: string): string[] {
    const lineage = new Set(CATALOG.descendants(type));
    const nodes = [...this.nodes.values()].filter(
      (node) => lineage.has(node.type) && node.props[property] !== undefined,
    );
    const value = (node: StoredNode) => node.props[property] as string;
    return nodes
      .sort((a, b) => compareIds(value(a), value(b)) || compareIds(a.id, b.id))
      .map((node) => node.id);
  }
}

export type PlainEntry = AdjacencyEntry;

export function plain({
  edgeType,
  far,
  farType,
  outgoing,
  undirected,
  seq,
  props,
}: AdjacencyEntry): PlainEntry {
  return { edgeType, far, farType, outgoing, undirected, seq, props };
}

export const nameOf = ({ type, from, to, seq }: Pick<StoredEdge, 'type' | 'from' | 'to' | 'seq'>): string =>
  JSON.stringify([type, from, to, seq]);

/** Asserts-by-value view of everything that a layer holds. */
export async function everything(layer: Pick<LayerStore, 'allNodes' | 'allEdges'>) {
  const nodes: StoredNode[] = [];
  const edges: StoredEdge[] = [];
  for await (const page of layer.allNodes()) nodes.push(...page);
  for await (const page of layer.allEdges()) edges.push(...page);
  return {
    nodes: nodes.sort((a, b) => compareIds(a.id, b.id)),
    edges: edges.sort((a, b) => compareIds(nameOf(a), nameOf(b))),
  };
}

export async function collect<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

export function changes(part: Partial<LayerChanges>): LayerChanges {
  return { nodes: [], edges: [], removedEdges: [], typeOf: () => 'Function', ...part };
}

export function fn(id: string, props: Record<string, unknown> = {}): StoredNode {
  return { id, type: 'Function', props: { name: id, doc: null, arity: 0, exported: false, ...props } };
}

export const put = (node: StoredNode) => ({ id: node.id, before: undefined, after: node });
export const drop = (node: StoredNode) => ({ id: node.id, before: node, after: undefined });

export function edge(
  type: string,
  from: string,
  to: string,
  props: Record<string, unknown> = {},
  more: { seq?: number; undirected?: boolean } = {},
): StoredEdge {
  return { type, from, to, seq: more.seq ?? 0, undirected: more.undirected ?? false, props };
}

function entryOf(stored: StoredEdge, far: string, outgoing: boolean): PlainEntry {
  const inline = CATALOG.edge(stored.type)?.inline ?? [];
  const props = Object.fromEntries(Object.entries(stored.props).filter(([name]) => inline.includes(name)));
  const { type: edgeType, seq, undirected } = stored;
  return { edgeType, far, farType: 'Function', outgoing, undirected, seq, props };
}
