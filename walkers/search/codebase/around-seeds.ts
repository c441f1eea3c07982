import { compareText, type ReadContext } from '../../../runtime/index.js';
import { LIMITS } from '../../../schema/index.js';
import { chosenBy } from '../filter/chosen.js';
import { codeNodes } from '../hits/found-nodes.js';
import { questionOf } from '../question/question.js';
import { noFilesNotes } from '../ranking/no-files-notes.js';
import { rankCode } from '../ranking/rank-code.js';
import type { CodeEdge } from './code-records.js';
import { edgesWithin, expand } from './expand.js';
import { byRank, type PackNode, packEdge, packNode } from './pack-rows.js';
import type { PackRelation } from './relations.js';

const { codebaseReach } = LIMITS;

/** What is asked of the code around a text. */
export interface AroundQuery {
  readonly q: string;
  readonly k: number;
  readonly hop: number;
  readonly rels: readonly PackRelation[];
  /** Stubs too (S2-28). */
  readonly include_symbols: boolean;
  readonly scope: string | undefined;
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

type Look = Parameters<typeof rankCode>[0] & Parameters<typeof chosenBy>[0];

/** Seeds that a text finds, and what is around them in the graph (S2-25). */
export async function aroundSeeds(context: Look, asked: AroundQuery): Promise<AroundSeeds> {
  const question = questionOf(asked.q);
  const chosen = await chosenBy(context, question.text, { scope: asked.scope });
  const { found, notes } = await rankCode(context, question, chosen?.selection ?? null);
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
