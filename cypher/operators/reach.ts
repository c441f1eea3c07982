import type { VariableExpandPlan } from '../plan/index.js';
import type { CypherNode } from '../value.js';
import { nodeIn } from './expand.js';
import { otherEnd, type Row } from './rows.js';
import type { Run } from './run.js';
import type { Arrival } from './variable-expand.js';
import { hopsCut, type Look, TRAIL_BYTES } from './walk.js';

/** A node that was reached, and by which relationship the way to it left the start. */
interface Reached {
  readonly node: CypherNode;
  readonly branch: number;
  readonly hops: number;
}

/** Nodes that are looked at together. */
const AT_ONCE = 256;

/**
 * Every end once, breadth first: what one node costs is paid once, however many ways lead to it. A way without a
 * relationship twice exists wherever any way does, but back to the start: there it takes a circle, which in both
 * directions is one that leaves and comes back by different relationships.
 */
export function reachOf(plan: VariableExpandPlan, look: Look) {
  const { from, to, into, min } = plan;
  return async function* (run: Run, row: Row): AsyncGenerator<readonly Arrival[]> {
    const max = plan.max ?? run.maxHops;
    const start = nodeIn(row, from);
    const end = into ? nodeIn(row, to).key : null;
    const known = new Map<number, Reached>();
    let kept = 0;
    let isStartReached = false;
    const first: Reached = { node: start, branch: -1, hops: 0 };
    known.set(start.key, first);
    let found: CypherNode[] = [];
    const arrive = (node: CypherNode) => {
      if (end === null || node.key === end) found.push(node);
    };
    const arriveAtStart = () => {
      if (!isStartReached) arrive(start);
      isStartReached = true;
    };
    if (min === 0) arriveAtStart();
    let level: readonly Reached[] = [first];
    for (let hops = 1; hops <= max && level.length > 0; hops++) {
      const next: Reached[] = [];
      for (let at = 0; at < level.length; at += AT_ONCE) {
        const wait = run.turn();
        if (wait !== null) await wait;
        const part = level.slice(at, at + AT_ONCE);
        const looked = look(
          run,
          row,
          part.map(({ node }) => node),
        );
        const lists = looked instanceof Promise ? await looked : looked;
        for (const [index, reached] of part.entries()) {
          for (const relationship of lists[index] ?? []) {
            run.spend(1);
            const node = otherEnd(relationship, reached.node);
            const branch = reached.branch < 0 ? relationship.key : reached.branch;
            const met = known.get(node.key);
            if (met === undefined) {
              const made = { node, branch, hops };
              known.set(node.key, made);
              next.push(made);
              arrive(node);
            } else if (
              closesCircle(plan.direction, { reached, met, relationship: relationship.key, branch, max })
            ) {
              arriveAtStart();
            }
          }
        }
        run.keep(TRAIL_BYTES * (known.size - kept));
        kept = known.size;
        if (found.length > 0) yield found.map((node) => ({ node, list: () => [] }));
        const isDone = end !== null && found.length > 0;
        found = [];
        if (isDone) {
          run.release(TRAIL_BYTES * kept);
          return;
        }
      }
      level = next;
    }
    if (plan.max === null && level.length > 0) await noteCut(run, row, look, level, known);
    run.release(TRAIL_BYTES * kept);
    if (found.length > 0) yield found.map((node) => ({ node, list: () => [] }));
  };
}

/** Whether a relationship between two reached nodes makes a way from the start back to it. */
function closesCircle(
  direction: VariableExpandPlan['direction'],
  at: {
    readonly reached: Reached;
    readonly met: Reached;
    readonly relationship: number;
    readonly branch: number;
    readonly max: number;
  },
): boolean {
  const { reached, met, relationship, branch, max } = at;
  if (direction !== 'both') return met.hops === 0;
  if (reached.hops + met.hops + 1 > max) return false;
  if (reached.hops === 0 && met.hops === 0) return true;
  if (met.hops === 0) return relationship !== branch;
  return reached.hops === 0 ? relationship !== met.branch : met.branch !== branch;
}

async function noteCut(
  run: Run,
  row: Row,
  look: Look,
  level: readonly Reached[],
  known: ReadonlyMap<number, Reached>,
): Promise<void> {
  const cut = hopsCut(run);
  if (run.cuts.has(cut)) return;
  const found = await look(
    run,
    row,
    level.map(({ node }) => node),
  );
  const goesOn = level.some(({ node }, index) =>
    (found[index] ?? []).some((relationship) => !known.has(otherEnd(relationship, node).key)),
  );
  if (goesOn) run.cuts.add(cut);
}
