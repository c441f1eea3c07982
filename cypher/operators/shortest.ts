import type { ShortestPlan } from '../plan/index.js';
import type { CypherPath } from '../value.js';
import { isNodeSlot, nodeIn } from './expand.js';
import { pathFrom } from './path.js';
import { collect, type Element, loadRows, type Open, otherEnd, type Row, testOf } from './rows.js';
import type { Run } from './run.js';
import { twoSided } from './two-sided.js';
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

/** The shortest paths between two nodes of each row: of those that pass what must hold of a path. */
export function shortest(plan: ShortestPlan, input: Open): Open {
  const ahead = lookAlong(plan);
  const back = lookAlong(plan, turned(plan.direction));
  const test = testOf(plan.predicates);
  const { from, to, path: slot, list } = plan;

  async function rowsFor(run: Run, row: Row, paths: readonly CypherPath[]): Promise<Row[]> {
    if (paths.length === 0) return [];
    const elements: Element[] = [];
    for (const { slot: of, ends } of test.loads) {
      if (of === slot || of === list) collect(paths, ends, elements);
    }
    if (elements.length > 0) await run.graph.load(elements);
    const rows: Row[] = [];
    for (const path of paths) {
      row[slot] = path;
      row[list] = path.relationships;
      if (!test.passes(row, run)) continue;
      rows.push(row.slice());
      if (!plan.all) break;
    }
    return rows;
  }

  /** Level by level over all ways: for what the two-sided search cannot see. */
  async function searchAll(run: Run, row: Row): Promise<Row[]> {
    const end = nodeIn(row, to).key;
    let level: readonly Trail[] = [trailAt(nodeIn(row, from))];
    const max = plan.max ?? run.maxHops;
    for (let hops = 0; hops <= max && level.length > 0; hops++) {
      if (hops > 0) level = await nextLevel(run, row, level, ahead);
      if (hops < plan.min) continue;
      const arrived = level.filter(({ node }) => node.key === end);
      const paths = arrived.map((trail) => pathFrom(nodeIn(row, from), relationshipsOf(trail)));
      const rows = await rowsFor(run, row, paths);
      if (rows.length > 0) {
        run.release(TRAIL_BYTES * level.length);
        return rows;
      }
    }
    run.release(TRAIL_BYTES * level.length);
    if (plan.max === null && level.length > 0) run.cuts.add(hopsCut(run));
    return [];
  }

  async function search(run: Run, row: Row): Promise<Row[]> {
    const [start, end] = [nodeIn(row, from), nodeIn(row, to)];
    const isCircle = start.key === end.key;
    if (isCircle && plan.min === 0) {
      const rows = await rowsFor(run, row, [pathFrom(start, [])]);
      if (rows.length > 0) return rows;
    }
    if (isCircle || plan.min > 1) return searchAll(run, row);
    const paths = await twoSided(run, row, { start, end, ahead, back, plan });
    if (paths.length === 0) return [];
    const rows = await rowsFor(run, row, paths);
    return rows.length > 0 ? rows : searchAll(run, row);
  }

  const others = test.loads.filter((load) => load.slot !== slot && load.slot !== list);
  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      const loaded = loadRows(run, batch, others);
      if (loaded instanceof Promise) await loaded;
      for (const row of batch) {
        if (!isNodeSlot(row, from) || !isNodeSlot(row, to)) continue;
        const rows = await search(run, row);
        if (rows.length > 0) yield rows;
      }
    }
  };
}

async function nextLevel(run: Run, row: Row, level: readonly Trail[], look: Look): Promise<Trail[]> {
  const next: Trail[] = [];
  for (let at = 0; at < level.length; at += AT_ONCE) {
    const wait = run.turn();
    if (wait !== null) await wait;
    const part = level.slice(at, at + AT_ONCE);
    const found = await look(
      run,
      row,
      part.map(({ node }) => node),
    );
    for (const [index, trail] of part.entries()) {
      for (const relationship of found[index] ?? []) {
        run.spend(1 + trail.hops);
        if (wentOver(trail, relationship)) continue;
        run.keep(TRAIL_BYTES);
        next.push({
          node: otherEnd(relationship, trail.node),
          relationship,
          before: trail,
          hops: trail.hops + 1,
        });
      }
    }
  }
  run.release(TRAIL_BYTES * (level[0]?.hops === 0 ? 0 : level.length));
  return next;
}

const AT_ONCE = 64;

function turned(direction: ShortestPlan['direction']): ShortestPlan['direction'] {
  return direction === 'both' ? 'both' : direction === 'out' ? 'in' : 'out';
}
