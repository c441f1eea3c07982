import type { RelationshipScanPlan, ScanPlan } from '../plan/index.js';
import type { CypherNode, CypherRelationship } from '../value.js';
import { isAmong, loadRows, type Open, type Row, type Test, testOf } from './rows.js';
import type { Run } from './run.js';

/** For each row every node of a label. */
export function scan({ label, slot, predicates }: ScanPlan, input: Open): Open {
  const test = testOf(predicates);
  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      for (const row of batch) {
        for await (const nodes of run.graph.nodes(label)) {
          const kept = await rowsOf(run, row, nodes, slot, test);
          if (kept.length > 0) yield kept;
        }
      }
    }
  };
}

/** A row for each of these nodes that passes. */
export async function rowsOf(
  run: Run,
  row: Row,
  nodes: readonly CypherNode[],
  slot: number,
  test: Test,
): Promise<Row[]> {
  const wait = run.turn();
  if (wait !== null) await wait;
  const rows = nodes.map((node) => {
    const made = row.slice();
    made[slot] = node;
    return made;
  });
  return passing(run, rows, test);
}

async function passing(run: Run, rows: Row[], test: Test): Promise<Row[]> {
  const loaded = loadRows(run, rows, test.loads);
  if (loaded instanceof Promise) await loaded;
  return rows.filter((row) => {
    run.spend(1);
    return test.passes(row, run);
  });
}

/** For each row every relationship of a type; where the graph cannot list them, by way of all nodes. */
export function scanRelationships(plan: RelationshipScanPlan, input: Open): Open {
  const test = testOf(plan.predicates);
  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      for (const row of batch) {
        for await (const page of run.graph.relationships(plan.type) ?? allRelationships(run, plan.type)) {
          const wait = run.turn();
          if (wait !== null) await wait;
          const rows = page.flatMap((relationship) => rowsOfRelationship(row, relationship, plan));
          const kept = await passing(run, rows, test);
          if (kept.length > 0) yield kept;
        }
      }
    }
  };
}

function rowsOfRelationship(row: Row, relationship: CypherRelationship, plan: RelationshipScanPlan): Row[] {
  if (isAmong(relationship, row, plan.unlike)) return [];
  const { start, end } = relationship;
  const between = (from: CypherNode, to: CypherNode) => {
    const made = row.slice();
    made[plan.slot] = relationship;
    made[plan.start] = from;
    made[plan.end] = to;
    return made;
  };
  const forward = between(start, end);
  return plan.both && start.key !== end.key ? [forward, between(end, start)] : [forward];
}

const NO_LABELS = { single: true, near: [], far: [] };

async function* allRelationships(
  { graph }: Run,
  type: string | null,
): AsyncGenerator<readonly CypherRelationship[]> {
  for await (const nodes of graph.nodes(null)) {
    const found = await graph.expand(nodes, 'out', type === null ? null : [type], NO_LABELS);
    yield found.flat();
  }
}
