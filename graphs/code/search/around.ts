import { compareText, type EdgeRef, type ReadContext } from '../../../runtime/index.js';
import { append, LIMITS, parseId } from '../../../schema/index.js';
import { questionOf, shownQuery } from './question.js';
import { noFilesNotes, rankCode } from './rank-code.js';
import {
  byRank,
  type CodeEdge,
  codeNodes,
  EDGES_OF,
  type PackNode,
  type PackRelation,
  packEdge,
  packNode,
  type Reached,
} from './records.js';
import type { Selection } from './selection.js';

/** What an expansion reached. */
export interface Expansion {
  /** By id, in the order in which they were reached. */
  readonly reached: ReadonlyMap<string, Reached>;
  /** Whether more than `most` were there. */
  readonly isCut: boolean;
}

/**
 * Breadth first from seeds over relations, both ways, to what packs show (S2-18, S2-25). Where a stub is reached it ends:
 * two that call an unknown `get` have nothing to do with each other.
 *
 * @param seeds Ids, the best first.
 * @param most Nodes that are reached at most.
 */
export async function expand(
  { q }: Pick<ReadContext, 'q'>,
  seeds: readonly string[],
  {
    hop,
    rels,
    most,
  }: { readonly hop: number; readonly rels: readonly PackRelation[]; readonly most: number },
): Promise<Expansion> {
  const reached = new Map<string, Reached>(seeds.map((id) => [id, { best_hop: 0, via_seed: id }]));
  let frontier = [...reached.keys()];
  for (let best_hop = 1; best_hop <= hop && frontier.length > 0; best_hop++) {
    const near = new Map<string, string[]>();
    const note = (from: string, to: string) => {
      append(near, from, to);
    };
    for (const path of pathsOf(q, frontier, rels)) {
      for (const { from, to } of await path.out.edges()) note(from, to);
      for (const { from, to } of await path.in.edges()) note(to, from);
    }
    const next: string[] = [];
    for (const id of frontier) {
      const via_seed = reached.get(id)?.via_seed ?? id;
      for (const far of (near.get(id) ?? []).sort()) {
        if (reached.has(far) || !isShown(far)) continue;
        if (reached.size >= most) return { reached, isCut: true };
        reached.set(far, { best_hop, via_seed });
        if (!isStub(far)) next.push(far);
      }
    }
    frontier = next;
  }
  return { reached, isCut: false };
}

/** The edges of some relations with both ends among some nodes (S2-17), with the relation that each stands for. */
export async function edgesWithin(
  { q }: Pick<ReadContext, 'q'>,
  ids: readonly string[],
  rels: readonly PackRelation[],
): Promise<{ readonly rel: PackRelation; readonly edge: EdgeRef }[]> {
  const inside = new Set(ids);
  const found: { rel: PackRelation; edge: EdgeRef }[] = [];
  for (const rel of rels)
    for (const { out } of pathsOf(q, ids, [rel]))
      for (const edge of await out.edges()) if (inside.has(edge.to)) found.push({ rel, edge });
  return found;
}

/** Forms of ids that packs may show (S2-03): a stub stands in for what is not known. */
const SHOWN: ReadonlySet<string> = new Set(['file', 'cls', 'fn', 'm', 'route', 'test', 'sym']);

function isShown(id: string): boolean {
  return SHOWN.has(parseId(id)?.form ?? '');
}

function isStub(id: string): boolean {
  return parseId(id)?.form === 'sym';
}

function pathsOf(q: ReadContext['q'], ids: readonly string[], rels: readonly PackRelation[]) {
  return rels.flatMap((rel) =>
    EDGES_OF[rel].map(({ edge, topLevel }) => {
      const where = topLevel ? { top_level: true } : undefined;
      return { out: q(ids).out(edge, where), in: q(ids).in(edge, where) };
    }),
  );
}

const { codebaseReach } = LIMITS;

/** What is asked of the code around a text. */
export interface AroundQuery {
  readonly q: string;
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
  /** What is to be said of it. */
  readonly notes: readonly string[];
}

type Look = Parameters<typeof rankCode>[0] & Pick<ReadContext, 'findIds'>;

/** Seeds that a text finds, and what is around them in the graph (S2-25). */
export async function aroundSeeds(context: Look, asked: AroundQuery): Promise<AroundSeeds> {
  const question = questionOf(asked.q);
  const { found, notes } = await rankCode(context, question, asked.selection);
  const distances = new Map<string, number>();
  const known = await codeNodes(
    context,
    found.map(({ id }) => id),
  );
  for (const { id, score } of found) {
    const node = known.get(id);
    // Variables and cases of tests are no nodes of a pack.
    if (distances.size === asked.k || !node || !packNode(node, { best_hop: 0, via_seed: id }, 0)) continue;
    distances.set(id, Math.round((1 - score) * 1000) / 1000);
  }
  const { hop, rels } = asked;
  const { reached, isCut } = await expand(context, [...distances.keys()], {
    hop,
    rels,
    most: codebaseReach.max,
  });
  const rows: PackNode[] = [];
  let expanded = 0;
  for (const node of await context.nodes([...reached.keys()])) {
    const way = node && reached.get(node.id);
    const row = way && !node.gone ? packNode(node, way, distances.get(way.via_seed) ?? 1) : null;
    if (!row) continue;
    expanded++;
    if (row.kind !== 'symbol' || asked.include_symbols) rows.push(row);
  }
  return {
    seeds: distances.size,
    expanded,
    nodes: rows.sort(byRank),
    notes: [
      ...question.notes,
      ...notes,
      ...(found.length === 0 ? await noFilesNotes(context) : []),
      ...(isCut
        ? [`Only the nearest ${codebaseReach.max} nodes were reached: a smaller hop or k helps.`]
        : []),
    ],
  };
}

/** The edges between some rows, by their ends. */
export async function edgesAmong(
  context: Pick<ReadContext, 'q'>,
  nodes: readonly PackNode[],
  rels: readonly PackRelation[],
): Promise<CodeEdge[]> {
  const ids = nodes.map(({ id }) => id);
  const found = await edgesWithin(context, ids, rels);
  return found
    .map(({ rel, edge }) => packEdge(rel, edge))
    .sort((a, b) => compareText(a.src, b.src) || compareText(a.rel, b.rel) || compareText(a.dst, b.dst));
}

/** What an answer says of the code around a text (S2-26). */
interface AroundAnswer<N extends PackNode> {
  readonly query: string;
  readonly seeds: number;
  readonly expanded_nodes: number;
  readonly returned_nodes: number;
  readonly hop: number;
  rels: PackRelation[];
  nodes: N[];
  edges: CodeEdge[];
  notes: string[];
}

/**
 * What lies around seeds as an answer with some of its nodes, and the edges between these.
 *
 * @param nodes Those that are shown, the best first.
 */
export async function aroundAnswer<N extends PackNode>(
  context: Pick<ReadContext, 'q'>,
  { q, hop, rels }: Pick<AroundQuery, 'q' | 'hop' | 'rels'>,
  around: AroundSeeds,
  nodes: N[],
): Promise<AroundAnswer<N>> {
  return {
    query: shownQuery(q),
    seeds: around.seeds,
    expanded_nodes: around.expanded,
    returned_nodes: nodes.length,
    hop,
    rels: [...rels],
    nodes,
    edges: await edgesAmong(context, nodes, rels),
    notes: [...around.notes],
  };
}
