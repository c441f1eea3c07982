import { z } from 'zod';
import { compareText, isA, type NodeRef, propsOf, type ReadContext } from '../../../runtime/index.js';
import {
  append,
  CodeSymbol,
  type EdgeType,
  EvidenceProps,
  File,
  FileContainsSymbol,
  FileImports,
  LIMITS,
  PACK_KINDS,
  type PackKind,
  packKind,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  SymbolImports,
} from '../../../schema/index.js';
import { questionOf } from './question.js';
import { noFilesNotes, rankCode, type Selection } from './rank-code.js';

/** The relations of packs and of `query_codebase` (S2-04). */
export const PACK_RELATIONS = ['CONTAINS', 'CALLS', 'IMPORTS', 'INHERITS'] as const;
/** One of {@link PACK_RELATIONS}. */
export type PackRelation = (typeof PACK_RELATIONS)[number];

/** What is stored of each; CONTAINS is one step of nesting. */
const EDGES_OF: Readonly<
  Record<PackRelation, readonly { readonly edge: EdgeType; readonly topLevel?: true }[]>
> = {
  CONTAINS: [{ edge: FileContainsSymbol, topLevel: true }, { edge: SymbolContainsSymbol }],
  CALLS: [{ edge: SymbolCallsSymbol }],
  IMPORTS: [{ edge: FileImports }, { edge: SymbolImports }],
  INHERITS: [{ edge: SymbolExtendsSymbol }],
};

/** A kind of node as the library has them (S2-03): `symbol` is a stub of what is not known. */
export const NodeKind = z.enum(Object.keys(PACK_KINDS) as [PackKind, ...PackKind[]]);

const line = z.number().int().nullable();

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

/** A node as packs and `query_codebase` show it (S2-01, S2-26). */
export const PackNode = CodeNode.extend({
  /** Hops from the seed that it was reached from; 0 for a seed. */
  best_hop: z.number().int(),
  via_seed: z.string(),
  /** Of that seed: 0 is a perfect match, 1 none. */
  seed_distance: z.number(),
});
export type PackNode = z.infer<typeof PackNode>;

type Props = Readonly<Record<string, unknown>>;

const text = z.string().nullish();
const Shown = z.object({
  name: text,
  qualified_name: text,
  path: text,
  start_line: line.optional(),
  end_line: line.optional(),
  line_count: line.optional(),
  docstring: text,
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

/** Edges in the order of the library. */
export function sortedEdges(edges: readonly CodeEdge[]): CodeEdge[] {
  return edges.toSorted(
    (a, b) => compareText(a.src, b.src) || compareText(a.rel, b.rel) || compareText(a.dst, b.dst),
  );
}

/** The edges of some relations with both ends among some nodes (S2-17), sorted. */
export async function edgesAmong(
  { q }: Pick<ReadContext, 'q'>,
  ids: readonly string[],
  rels: readonly PackRelation[],
): Promise<CodeEdge[]> {
  const inside = new Set(ids);
  const found: CodeEdge[] = [];
  for (const rel of rels)
    for (const { out } of pathsOf(q, ids, [rel]))
      for (const edge of await out.edges())
        if (inside.has(edge.to)) found.push(codeEdge(rel, edge.from, edge.to, edge));
  return sortedEdges(found);
}

function pathsOf(q: ReadContext['q'], ids: readonly string[], rels: readonly PackRelation[]) {
  return rels.flatMap((rel) =>
    EDGES_OF[rel].map(({ edge, topLevel }) => {
      const where = topLevel ? { top_level: true } : undefined;
      return { out: q(ids).out(edge, where), in: q(ids).in(edge, where) };
    }),
  );
}

/** How an expansion came to a node. */
interface Reached {
  /** Hops from the nearest seed; 0 for a seed. */
  readonly best_hop: number;
  /** The seed: of several as near the one that comes first. */
  readonly via_seed: string;
}

/** What an expansion reached. */
interface Expansion {
  /** By id, in the order in which they were reached. */
  readonly reached: ReadonlyMap<string, Reached>;
  /** Whether more than `most` were there. */
  readonly isCut: boolean;
}

/** Forms of ids that packs may show (S2-03). */
const SHOWN: ReadonlySet<string> = new Set(['file', 'cls', 'fn', 'm', 'route', 'test', 'sym']);

/**
 * Breadth first from seeds over relations, both ways, to what packs show (S2-18, S2-25). It ends at stubs: two functions
 * that call an unknown `get` have nothing to do with each other.
 *
 * @param seeds Ids, the best first.
 * @param bounds `most`: nodes that are reached at most.
 */
export async function expand(
  { q }: Pick<ReadContext, 'q'>,
  seeds: readonly string[],
  bounds: { readonly hop: number; readonly rels: readonly PackRelation[]; readonly most: number },
): Promise<Expansion> {
  const reached = new Map<string, Reached>(seeds.map((id) => [id, { best_hop: 0, via_seed: id }]));
  let frontier = [...reached.keys()];
  for (let best_hop = 1; best_hop <= bounds.hop && frontier.length > 0; best_hop++) {
    const near = new Map<string, string[]>();
    for (const path of pathsOf(q, frontier, bounds.rels)) {
      for (const { from, to } of await path.out.edges()) append(near, from, to);
      for (const { from, to } of await path.in.edges()) append(near, to, from);
    }
    const next: string[] = [];
    for (const id of frontier) {
      const via_seed = reached.get(id)?.via_seed ?? id;
      for (const far of (near.get(id) ?? []).sort()) {
        const form = parseId(far)?.form ?? '';
        if (reached.has(far) || !SHOWN.has(form)) continue;
        if (reached.size >= bounds.most) return { reached, isCut: true };
        reached.set(far, { best_hop, via_seed });
        if (form !== 'sym') next.push(far);
      }
    }
    frontier = next;
  }
  return { reached, isCut: false };
}

const { codebaseReach } = LIMITS;

/** What is asked of the code around a text. */
export interface AroundQuery {
  readonly q: string;
  /** Seeds at most. */
  readonly k: number;
  readonly hop: number;
  readonly rels: readonly PackRelation[];
  /** Stubs too (S2-28). */
  readonly include_symbols: boolean;
  /** What may be a seed; null: everything. */
  readonly selection: Selection | null;
}

/** What lies around the seeds of a text. */
export interface AroundSeeds {
  readonly seeds: number;
  /** All that was reached, seeds and stubs included. */
  readonly expanded: number;
  /** What is shown of it, the best first (S2-27). */
  readonly nodes: readonly PackNode[];
  readonly notes: readonly string[];
}

/** Seeds that a text finds, and what is around them in the graph (S2-25). */
export async function aroundSeeds(
  context: Parameters<typeof rankCode>[0] & Pick<ReadContext, 'findIds'>,
  asked: AroundQuery,
): Promise<AroundSeeds> {
  const question = questionOf(asked.q);
  const { found, notes } = await rankCode(context, question, asked.selection);
  const ids = found.map(({ id }) => id);
  const known = await codeNodes(context, ids);
  const distances = new Map<string, number>();
  for (const { id, score } of found) {
    const node = known.get(id);
    // Variables and cases of tests are no nodes of a pack.
    if (distances.size < asked.k && node && recordOf(node))
      distances.set(id, Math.round((1 - score) * 1000) / 1000);
  }
  const { reached, isCut } = await expand(context, [...distances.keys()], {
    ...asked,
    most: codebaseReach.max,
  });
  const nodes: PackNode[] = [];
  let expanded = 0;
  for (const node of await context.nodes([...reached.keys()])) {
    const way = node && reached.get(node.id);
    const record = way && !node.gone ? recordOf(node) : null;
    if (!way || !record) continue;
    expanded++;
    if (record.kind !== 'symbol' || asked.include_symbols)
      nodes.push({ ...record, ...way, seed_distance: distances.get(way.via_seed) ?? 1 });
  }
  const cut = `Only the nearest ${codebaseReach.max} nodes were reached: a smaller hop or k helps.`;
  return {
    seeds: distances.size,
    expanded,
    nodes: nodes.sort(byRank),
    notes: [
      ...question.notes,
      ...notes,
      ...(found.length === 0 ? await noFilesNotes(context) : []),
      ...(isCut ? [cut] : []),
    ],
  };
}

function recordOf(node: NodeRef): CodeNode | null {
  return codeNode({ id: node.id, type: node.archetype.name, props: propsOf(node) });
}

/** The order of a pack (S2-27): hops, the seed's distance, kind, id. */
function byRank(a: PackNode, b: PackNode): number {
  return (
    a.best_hop - b.best_hop ||
    a.seed_distance - b.seed_distance ||
    PACK_KINDS[a.kind] - PACK_KINDS[b.kind] ||
    (a.id < b.id ? -1 : 1)
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
