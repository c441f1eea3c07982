import { z } from 'zod';
import { type EdgeRef, isA, type NodeRef, propsOf, type ReadContext } from '../../../runtime/index.js';
import {
  CodeSymbol,
  type EdgeType,
  EvidenceProps,
  File,
  FileContainsSymbol,
  FileImports,
  PACK_KINDS,
  type PackKind,
  packKind,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  SymbolImports,
} from '../../../schema/index.js';

/** The relations of packs and of `query_codebase` (S2-04). */
export const PACK_RELATIONS = ['CONTAINS', 'CALLS', 'IMPORTS', 'INHERITS'] as const;
/** One of {@link PACK_RELATIONS}. */
export type PackRelation = (typeof PACK_RELATIONS)[number];

/** What is stored of each; CONTAINS is one step of nesting. */
export const EDGES_OF: Readonly<
  Record<PackRelation, readonly { readonly edge: EdgeType; readonly topLevel?: true }[]>
> = {
  CONTAINS: [{ edge: FileContainsSymbol, topLevel: true }, { edge: SymbolContainsSymbol }],
  CALLS: [{ edge: SymbolCallsSymbol }],
  IMPORTS: [{ edge: FileImports }, { edge: SymbolImports }],
  INHERITS: [{ edge: SymbolExtendsSymbol }],
};

const line = z.number().int().nullable();
const KINDS = Object.keys(PACK_KINDS) as [PackKind, ...PackKind[]];

/** A kind of node as the library knows them (S2-03): `symbol` is a stub of what is not known. */
export const NodeKind = z.enum(KINDS);

/** A node as the library gives and takes it (S2-01). */
export const CodeNode = z.object({
  id: z.string(),
  kind: NodeKind,
  name: z.string(),
  qualname: z.string(),
  /** Relative to the root; null for a stub. */
  module_path: z.string().nullable(),
  lineno: line,
  end_lineno: line,
  docstring: z.string().nullable(),
});
export type CodeNode = Readonly<z.infer<typeof CodeNode>>;

/** An edge as the library gives and takes it (S2-02, S2-04). */
export const CodeEdge = z.object({
  src: z.string(),
  rel: z.enum(PACK_RELATIONS),
  dst: z.string(),
  /** Its first place. */
  evidence: z.object({ lineno: z.number().int(), expr: z.string() }),
});
export type CodeEdge = Readonly<z.infer<typeof CodeEdge>>;

/** A node or edge as it is stored, or as a run sees it. */
type Props = Readonly<Record<string, unknown>>;

const Text = z.string().nullish();
const Line = z.number().int().nullish();
const Shown = z.object({
  name: Text,
  qualified_name: Text,
  path: Text,
  start_line: Line,
  end_line: Line,
  line_count: Line,
  docstring: Text,
});

/** The record of a node, whatever it is; null for what the library's nodes are not. */
export function codeNode(node: {
  readonly id: string;
  readonly type: string;
  readonly props: Props;
}): CodeNode | null {
  const kind = packKind(node);
  if (kind === null) return null;
  const { name, qualified_name, path, docstring, ...lines } = Shown.parse(node.props);
  return {
    id: node.id,
    kind,
    name: name ?? '',
    qualname: qualified_name || path || name || node.id,
    module_path: path ?? null,
    lineno: kind === 'module' ? 1 : (lines.start_line ?? null),
    end_lineno: kind === 'module' ? (lines.line_count ?? null) : (lines.end_line ?? null),
    docstring: docstring ?? null,
  };
}

const Placed = z.object({ line: z.number().int(), evidence: z.array(EvidenceProps).default([]) });

/** The record of an edge of a relation. */
export function codeEdge(rel: PackRelation, src: string, dst: string, props: unknown): CodeEdge {
  const { line, evidence } = Placed.parse(props);
  const [first] = evidence;
  return { src, rel, dst, evidence: { lineno: first?.line ?? line, expr: first?.expression ?? '' } };
}

const RELATION_OF = new Map(
  PACK_RELATIONS.flatMap((rel) => EDGES_OF[rel].map(({ edge, topLevel }) => [edge.name, { rel, topLevel }])),
);

/** The relation that a stored edge is of; null for none: containment in a file is one step of nesting. */
export function relationOf(type: string, props: Props): PackRelation | null {
  const known = RELATION_OF.get(type);
  return known === undefined || (known.topLevel && props.top_level !== true) ? null : known.rel;
}

/** A node as packs and `query_codebase` show it (S2-01, S2-26). */
export const PackNode = CodeNode.extend({
  /** Hops from the seed that it was reached from; 0 for a seed. */
  best_hop: z.number().int(),
  via_seed: z.string(),
  /** Of that seed: 0 is a perfect match, 1 none. */
  seed_distance: z.number(),
});
export type PackNode = z.infer<typeof PackNode>;

/** How an expansion came by a node. */
export interface Reached {
  /** Hops from the nearest seed; 0 for a seed. */
  readonly best_hop: number;
  /** The seed: of several as near the one that comes first. */
  readonly via_seed: string;
}

/** The row of a node; null for what packs do not show. @param distance Of its seed. */
export function packNode(node: NodeRef, { best_hop, via_seed }: Reached, distance: number): PackNode | null {
  const shown = codeNode({ id: node.id, type: node.archetype.name, props: propsOf(node) });
  return shown && { ...shown, best_hop, via_seed, seed_distance: distance };
}

/** The row of an edge. */
export function packEdge(rel: PackRelation, edge: EdgeRef): CodeEdge {
  return codeEdge(rel, edge.from, edge.to, edge);
}

/** The order of a pack (S2-27): hops, the seed's distance, kind, id. */
export function byRank(a: PackNode, b: PackNode): number {
  return (
    a.best_hop - b.best_hop ||
    a.seed_distance - b.seed_distance ||
    PACK_KINDS[a.kind] - PACK_KINDS[b.kind] ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** A file or a symbol. */
export type CodeRef = NodeRef<typeof CodeSymbol | typeof File>;

/** The files and symbols with these ids, by id; what is no longer there is left out. */
export async function codeNodes(
  { nodes }: Pick<ReadContext, 'nodes'>,
  ids: readonly string[],
): Promise<Map<string, CodeRef>> {
  const found = new Map<string, CodeRef>();
  for (const node of await nodes(ids)) if (node && !node.gone && isCode(node)) found.set(node.id, node);
  return found;
}

function isCode(node: NodeRef): node is CodeRef {
  return isA(node.archetype, CodeSymbol) || isA(node.archetype, File);
}
