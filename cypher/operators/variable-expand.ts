import type { VariableExpandPlan } from '../plan/index.js';
import type { CypherNode, CypherRelationship } from '../value.js';
import { isNodeSlot, nodeIn } from './expand.js';
import { reachOf } from './reach.js';
import {
  BATCH,
  collect,
  type Element,
  isAmong,
  loadRows,
  type Open,
  otherEnd,
  type Row,
  testOf,
} from './rows.js';
import type { Run } from './run.js';
import {
  hopsCut,
  type Look,
  lookAlong,
  relationshipsOf,
  TRAIL_BYTES,
  type Trail,
  trailAt,
  wentOver,
} from './walk.js';

/** Ways that are followed together: graphs that must be waited for are asked once for all of them. */
const WAYS_AT_ONCE = 16;

/** An end of a walk. The list of relationships is made only where somebody wants it. */
export interface Arrival {
  readonly node: CypherNode;
  list(): readonly CypherRelationship[];
}

/** Several hops from a node of each row. */
export function variableExpand(plan: VariableExpandPlan, input: Open): Open {
  const look = lookAlong(plan);
  const test = testOf(plan.predicates);
  const arrive = plan.mode === 'reach' ? reachOf(plan, look) : trailsOf(plan, look);
  const { from, to, into, list } = plan;
  const toLoad = into ? undefined : test.loads.find(({ slot }) => slot === to);
  const listLoad = list === null ? undefined : test.loads.find(({ slot }) => slot === list);
  const others = test.loads.filter((load) => load !== toLoad && load !== listLoad);

  async function accepted(run: Run, row: Row, arrivals: readonly Arrival[]): Promise<Row[]> {
    const lists = list === null ? null : arrivals.map((arrival) => inOrder(arrival, plan.reversed));
    const elements: Element[] = [];
    if (toLoad !== undefined) for (const { node } of arrivals) elements.push(node);
    if (listLoad !== undefined) collect(lists, listLoad.ends, elements);
    if (elements.length > 0) await run.graph.load(elements);
    const rows: Row[] = [];
    for (const [index, { node }] of arrivals.entries()) {
      if (!into) row[to] = node;
      if (list !== null) row[list] = lists?.[index] ?? null;
      if (test.passes(row, run)) rows.push(row.slice());
    }
    return rows;
  }

  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      const loaded = loadRows(run, batch, others);
      if (loaded instanceof Promise) await loaded;
      let out: Row[] = [];
      for (const row of batch) {
        if (!isNodeSlot(row, from) || (into && !isNodeSlot(row, to))) continue;
        for await (const arrivals of arrive(run, row)) {
          const rows = await accepted(run, row, arrivals);
          out = out.length === 0 ? rows : out.concat(rows);
          if (out.length < BATCH) continue;
          yield out;
          out = [];
        }
      }
      if (out.length > 0) yield out;
    }
  };
}

function inOrder(arrival: Arrival, reversed: boolean): readonly CypherRelationship[] {
  return reversed ? arrival.list().toReversed() : arrival.list();
}

/** Every way on which no relationship comes twice, depth first. */
function trailsOf(plan: VariableExpandPlan, look: Look) {
  const { from, to, into, min, unlike } = plan;
  return async function* (run: Run, row: Row): AsyncGenerator<readonly Arrival[]> {
    const max = plan.max ?? run.maxHops;
    const start = nodeIn(row, from);
    const end = into ? nodeIn(row, to).key : null;
    const arrival = (trail: Trail): Arrival => ({ node: trail.node, list: () => relationshipsOf(trail) });
    const arrives = (trail: Trail) => trail.hops >= min && (end === null || trail.node.key === end);
    const first = trailAt(start);
    if (arrives(first)) yield [arrival(first)];
    const waiting: (readonly Trail[])[] = max > 0 ? [[first]] : [];
    for (let trails = waiting.pop(); trails !== undefined; trails = waiting.pop()) {
      run.release(TRAIL_BYTES * trails.length);
      const wait = run.turn();
      if (wait !== null) await wait;
      const looked = look(
        run,
        row,
        trails.map(({ node }) => node),
      );
      const found = looked instanceof Promise ? await looked : looked;
      const next: Trail[] = [];
      for (const [index, trail] of trails.entries()) {
        for (const relationship of found[index] ?? []) {
          run.spend(1 + trail.hops);
          if (wentOver(trail, relationship) || isAmong(relationship, row, unlike)) continue;
          const node = otherEnd(relationship, trail.node);
          next.push({ node, relationship, before: trail, hops: trail.hops + 1 });
        }
      }
      const arrived = next.filter(arrives);
      for (let at = 0; at < arrived.length; at += BATCH) yield arrived.slice(at, at + BATCH).map(arrival);
      const onward = next.filter(({ hops }) => hops < max);
      if (plan.max === null && onward.length < next.length) {
        await noteCut(
          run,
          row,
          look,
          next.filter(({ hops }) => hops >= max),
        );
      }
      run.keep(TRAIL_BYTES * (onward.length + trails.length));
      run.release(TRAIL_BYTES * trails.length);
      for (let at = onward.length; at > 0; at -= WAYS_AT_ONCE) {
        waiting.push(onward.slice(Math.max(0, at - WAYS_AT_ONCE), at));
      }
    }
  };
}

/** Says that ways were cut short, if one of them could go on. */
async function noteCut(run: Run, row: Row, look: Look, trails: readonly Trail[]): Promise<void> {
  const cut = hopsCut(run);
  if (run.cuts.has(cut)) return;
  const found = await look(
    run,
    row,
    trails.map(({ node }) => node),
  );
  const goesOn = trails.some((trail, index) =>
    (found[index] ?? []).some((relationship) => !wentOver(trail, relationship)),
  );
  if (goesOn) run.cuts.add(cut);
}
