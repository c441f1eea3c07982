import type { ExpandPlan } from '../plan/index.js';
import type { CypherNode, CypherRelationship } from '../value.js';
import { isElement, isNode } from '../values/index.js';
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

/** Hops that are loaded and tried together. */
const AT_ONCE = 1024;

/** One hop from a node of each row. */
export function expand(plan: ExpandPlan, input: Open): Open {
  const test = testOf(plan.predicates);
  const { from, to, relationship: slot, into, unlike } = plan;
  const before = test.loads.filter((load) => load.slot !== to && load.slot !== slot);
  const loadsOther = !into && test.loads.some((load) => load.slot === to);
  const loadsHop = test.loads.find((load) => load.slot === slot);

  function load(run: Run, hops: readonly CypherRelationship[], others: readonly CypherNode[]) {
    if (!loadsOther && loadsHop === undefined) return null;
    const elements: Element[] = [];
    if (loadsOther) for (const other of others) elements.push(other);
    if (loadsHop) for (const hop of hops) collect(hop, loadsHop.ends, elements);
    return run.graph.load(elements);
  }

  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      const wait = run.turn();
      if (wait !== null) await wait;
      const rows = batch.filter((row) => isNodeSlot(row, from) && (!into || isNodeSlot(row, to)));
      if (rows.length === 0) continue;
      const loaded = loadRows(run, rows, into ? test.loads.filter(({ slot: of }) => of !== slot) : before);
      if (loaded instanceof Promise) await loaded;
      const nodes = rows.map((row) => nodeIn(row, from));
      const expanded = run.graph.expand(nodes, plan.direction, plan.types, plan.pattern);
      const found = expanded instanceof Promise ? await expanded : expanded;
      let at = 0;
      let next = 0;
      while (at < rows.length) {
        const owners: Row[] = [];
        const hops: CypherRelationship[] = [];
        const others: CypherNode[] = [];
        for (; at < rows.length && hops.length < AT_ONCE; at++, next = 0) {
          const row = rows[at];
          const node = nodes[at];
          const list = found[at] ?? [];
          if (row === undefined || node === undefined) continue;
          const end = into ? nodeIn(row, to) : null;
          for (; next < list.length && hops.length < AT_ONCE; next++) {
            run.spend(1);
            const hop = list[next];
            if (hop === undefined || (unlike.length > 0 && isAmong(hop, row, unlike))) continue;
            const other = otherEnd(hop, node);
            if (end !== null && end.key !== other.key) continue;
            owners.push(row);
            hops.push(hop);
            others.push(other);
          }
          if (next < list.length) break;
        }
        const ready = load(run, hops, others);
        if (ready instanceof Promise) await ready;
        yield* kept(run, owners, hops, others);
      }
    }
  };

  function* kept(
    run: Run,
    owners: readonly Row[],
    hops: readonly CypherRelationship[],
    others: readonly CypherNode[],
  ): Generator<Row[]> {
    let out: Row[] = [];
    for (const [index, row] of owners.entries()) {
      row[slot] = hops[index] ?? null;
      if (!into) row[to] = others[index] ?? null;
      if (!test.passes(row, run)) continue;
      out.push(row.slice());
      if (out.length < BATCH) continue;
      yield out;
      out = [];
    }
    if (out.length > 0) yield out;
  }
}

/** Whether a slot of a row holds a node. */
export function isNodeSlot(row: Row, slot: number): boolean {
  return isNode(row[slot] ?? null);
}

/** The node in a slot that holds one. */
export function nodeIn(row: Row, slot: number): CypherNode {
  const value = row[slot] ?? null;
  if (value !== null && isElement(value) && value.kind === 'node') return value;
  throw new TypeError(`slot ${slot} holds no node`);
}
