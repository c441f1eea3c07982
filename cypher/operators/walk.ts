import type { Awaitable, ExpandDirection } from '../graph.js';
import type { Computation } from '../plan/index.js';
import type { CypherNode, CypherRelationship } from '../value.js';
import { collect, type Element, loadRows, type Row, testOf } from './rows.js';
import type { Run } from './run.js';

/** What walks of several hops have in common. */
export interface WalkPlan {
  readonly direction: ExpandDirection;
  readonly types: readonly string[] | null;
  /** Holds the relationship that `each` looks at. */
  readonly relationship: number;
  readonly each: readonly Computation[];
}

/** Looks one hop further from nodes: their relationships that pass what must hold of each. */
export type Look = (
  run: Run,
  row: Row,
  nodes: readonly CypherNode[],
) => Awaitable<readonly (readonly CypherRelationship[])[]>;

/** A look along a pattern, or against it. */
export function lookAlong(plan: WalkPlan, direction = plan.direction): Look {
  const test = testOf(plan.each);
  const own = test.loads.find(({ slot }) => slot === plan.relationship);
  const others = test.loads.filter((load) => load !== own);

  function passing(run: Run, row: Row, lists: readonly (readonly CypherRelationship[])[]) {
    return lists.map((list) =>
      list.filter((relationship) => {
        row[plan.relationship] = relationship;
        return test.passes(row, run);
      }),
    );
  }

  function tried(
    run: Run,
    row: Row,
    lists: readonly (readonly CypherRelationship[])[],
  ): Awaitable<readonly (readonly CypherRelationship[])[]> {
    if (plan.each.length === 0) return lists;
    const elements: Element[] = [];
    if (own !== undefined) {
      for (const list of lists) for (const relationship of list) collect(relationship, own.ends, elements);
    }
    const rest = loadRows(run, [row], others);
    const loaded = elements.length > 0 ? run.graph.load(elements) : undefined;
    if (rest instanceof Promise || loaded instanceof Promise) {
      return Promise.all([rest, loaded]).then(() => passing(run, row, lists));
    }
    return passing(run, row, lists);
  }

  return (run, row, nodes) => {
    const found = run.graph.expand(nodes, direction, plan.types, SEVERAL);
    return found instanceof Promise ? found.then((lists) => tried(run, row, lists)) : tried(run, row, found);
  };
}

const SEVERAL = { single: false, near: [], far: [] };

/** One way through the graph, from its last step back. */
export interface Trail {
  readonly node: CypherNode;
  readonly relationship: CypherRelationship | null;
  readonly before: Trail | null;
  readonly hops: number;
}

/** A way of no hops. */
export function trailAt(node: CypherNode): Trail {
  return { node, relationship: null, before: null, hops: 0 };
}

/** Whether a way went over a relationship. */
export function wentOver(trail: Trail, relationship: CypherRelationship): boolean {
  const { key } = relationship;
  for (let at: Trail | null = trail; at !== null; at = at.before)
    if (at.relationship?.key === key) return true;
  return false;
}

/** The relationships of a way, first to last. */
export function relationshipsOf(trail: Trail): CypherRelationship[] {
  const list: CypherRelationship[] = [];
  for (let at: Trail | null = trail; at !== null; at = at.before) {
    if (at.relationship !== null) list.push(at.relationship);
  }
  return list.reverse();
}

/** Bytes that one step of a way takes, about. */
export const TRAIL_BYTES = 64;

/** What is told where a pattern without an upper bound could have gone on. */
export function hopsCut(run: Run): string {
  return `patterns without an upper bound were followed for ${run.maxHops} hops: name a bound, such as *1..${2 * run.maxHops}, to go further`;
}
