import type { NodeHop } from '../graph.js';
import type { RelationshipScanPlan, ScanPlan } from '../plan/index.js';
import type { CypherNode, CypherRelationship } from '../value.js';
import { isAmong, loadRows, type Open, otherEnd, type Row, type Test, testOf } from './rows.js';
import type { Run } from './run.js';

/** For each row every node of some labels, once. */
export function scan({ labels, slot, hops, predicates }: ScanPlan, input: Open): Open {
  const test = testOf(predicates);
  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      for (const row of batch) {
        for await (const nodes of labelled(run, labels, hops)) {
          const kept = await rowsOf(run, row, nodes, slot, test);
          if (kept.length > 0) yield kept;
        }
      }
    }
  };
}

/** Nodes of any of several labels; all for null. */
async function* labelled(
  { graph }: Run,
  labels: readonly string[] | null,
  hops: readonly NodeHop[],
): AsyncGenerator<readonly CypherNode[]> {
  const [first, ...others] = labels ?? [null];
  if (others.length === 0) {
    yield* graph.nodes(first ?? null, hops);
    return;
  }
  const seen = new Set<number>();
  for (const label of labels ?? [])
    for await (const nodes of graph.nodes(label, hops))
      yield nodes.filter(({ key }) => !seen.has(key) && seen.add(key));
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
        for await (const hops of listedHops(run, plan) ?? hopsOfAll(run, plan)) {
          const wait = run.turn();
          if (wait !== null) await wait;
          const rows = hops
            .filter(({ relationship }) => !isAmong(relationship, row, plan.unlike))
            .map((hop) => rowOfHop(row, hop, plan));
          const kept = await passing(run, rows, test);
          if (kept.length > 0) yield kept;
        }
      }
    }
  };
}

/** A relationship as one pattern reads it. */
interface ReadHop {
  readonly relationship: CypherRelationship;
  readonly from: CypherNode;
  readonly to: CypherNode;
}

function rowOfHop(row: Row, { relationship, from, to }: ReadHop, plan: RelationshipScanPlan): Row {
  const made = row.slice();
  made[plan.slot] = relationship;
  made[plan.start] = from;
  made[plan.end] = to;
  return made;
}

function listedHops({ graph }: Run, { type, both }: RelationshipScanPlan): AsyncIterable<ReadHop[]> | null {
  const pages = graph.relationships(type);
  return pages === null ? null : readEitherWay(pages, both);
}

async function* readEitherWay(
  pages: AsyncIterable<readonly CypherRelationship[]>,
  both: boolean,
): AsyncGenerator<ReadHop[]> {
  for await (const page of pages)
    yield page.flatMap((relationship) => {
      const { start, end } = relationship;
      const forward = { relationship, from: start, to: end };
      return both && start.key !== end.key ? [forward, { relationship, from: end, to: start }] : [forward];
    });
}

const NO_LABELS = { single: true, near: [], far: [] };

/** From every node: one that has no direction of its own counts once from either end, as it does in any other hop. */
async function* hopsOfAll({ graph }: Run, { type, both }: RelationshipScanPlan): AsyncGenerator<ReadHop[]> {
  const hop: NodeHop = { direction: both ? 'both' : 'out', types: type === null ? null : [type] };
  for await (const nodes of graph.nodes(null, [hop])) {
    const found = await graph.expand(nodes, hop.direction, hop.types, NO_LABELS);
    yield nodes.flatMap((from, at) =>
      (found[at] ?? []).map((relationship) => ({ relationship, from, to: otherEnd(relationship, from) })),
    );
  }
}
