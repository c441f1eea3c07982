/** A picture of a part of a graph: what every diagram language can say of it. Nodes and edges are drawn in this order. */
export interface Diagram {
  /** What it shows: a name for the whole. */
  readonly title: string;
  readonly nodes: readonly DiagramNode[];
  /** Both ends are among the nodes; an edge to a node that is not there is left out. */
  readonly edges: readonly DiagramEdge[];
}

/** One box. */
export interface DiagramNode {
  readonly id: string;
  /** What stands in the box. */
  readonly label: string;
  /** Empty where there is none. */
  readonly kind: string;
  /** Root-relative; null: none, or not to be told. */
  readonly path?: string | null;
  readonly line?: number | null;
}

/** One arrow. */
export interface DiagramEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
}

/** A node or an edge as a diagram language names its ends: `n0`, `n1`…, which need no quoting in any. */
export interface NamedParts {
  readonly nodes: readonly { readonly name: string; readonly node: DiagramNode }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly edge: DiagramEdge }[];
}

/** Short names for the nodes of a diagram; an id that comes twice is one node. */
export function namedParts({ nodes, edges }: Diagram): NamedParts {
  const names = new Map<string, string>();
  const named = nodes.flatMap((node) => {
    if (names.has(node.id)) return [];
    const name = `n${names.size}`;
    names.set(node.id, name);
    return [{ name, node }];
  });
  return {
    nodes: named,
    edges: edges.flatMap((edge) => {
      const [from, to] = [names.get(edge.from), names.get(edge.to)];
      return from === undefined || to === undefined ? [] : [{ from, to, edge }];
    }),
  };
}
