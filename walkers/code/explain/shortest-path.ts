import type { ReadContext } from '../../../runtime/index.js';
import { type EdgeType, exportEdgeKind, FileImports, SymbolCallsSymbol } from '../../../schema/index.js';
import { EdgeProps, type StepRow } from './explain-rows.js';

/** Nodes that are looked at on the way: a search that finds nothing ends here. */
const MOST_NODES = 5000;

/** A way from one set of nodes to another; null where there is none within reach. */
export type Way = { readonly steps: readonly StepRow[] | null; readonly exhausted: boolean };

/**
 * The shortest way by calls; of several the one whose steps come first. `exhausted` is false where the search ended
 * before everything within `depth` was seen.
 */
export function callPath(
  context: Pick<ReadContext, 'q'>,
  from: readonly string[],
  to: ReadonlySet<string>,
  depth: number,
): Promise<Way> {
  return shortestPath(context, SymbolCallsSymbol, from, to, depth);
}

/** The shortest way by imports, from file to file. */
export function importPath(
  context: Pick<ReadContext, 'q'>,
  from: readonly string[],
  to: ReadonlySet<string>,
  depth: number,
): Promise<Way> {
  return shortestPath(context, FileImports, from, to, depth);
}

async function shortestPath(
  { q }: Pick<ReadContext, 'q'>,
  type: EdgeType,
  from: readonly string[],
  to: ReadonlySet<string>,
  depth: number,
): Promise<Way> {
  const reached = new Map<string, StepRow | null>(from.map((id) => [id, null]));
  let frontier = [...from];
  for (let hop = 0; hop < depth && frontier.length > 0; hop++) {
    const next: string[] = [];
    for (const edge of await q(frontier).out(type).edges()) {
      if (reached.has(edge.to)) continue;
      const { line } = EdgeProps.parse(edge);
      reached.set(edge.to, {
        kind: exportEdgeKind(type.name) ?? type.name,
        from: edge.from,
        to: edge.to,
        line,
      });
      if (to.has(edge.to)) return { steps: stepsTo(edge.to, reached), exhausted: true };
      next.push(edge.to);
    }
    if (reached.size > MOST_NODES) return { steps: null, exhausted: false };
    frontier = next;
  }
  return { steps: null, exhausted: frontier.length === 0 };
}

function stepsTo(end: string, reached: ReadonlyMap<string, StepRow | null>): StepRow[] {
  const steps: StepRow[] = [];
  for (let step = reached.get(end); step; step = reached.get(step.from)) steps.unshift(step);
  return steps;
}
