import type { EndpointsPlan } from '../plan/index.js';
import type { CypherNode, CypherRelationship, CypherValue } from '../value.js';
import { isList, isNode, isRelationship } from '../values/index.js';
import { isAmong, loadRows, type Open, otherEnd, type Row, testOf } from './rows.js';

type Ends = readonly [CypherNode, CypherNode];

/** The ends of relationships that are bound already. */
export function endpoints(plan: EndpointsPlan, input: Open): Open {
  const test = testOf(plan.predicates);
  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      const wait = run.turn();
      if (wait !== null) await wait;
      const rows = batch.flatMap((row) => endsIn(row, plan).flatMap((ends) => withEnds(row, ends, plan)));
      const loaded = loadRows(run, rows, test.loads);
      if (loaded instanceof Promise) await loaded;
      const kept = rows.filter((row) => test.passes(row, run));
      if (kept.length > 0) yield kept;
    }
  };
}

function withEnds(row: Row, [left, right]: Ends, plan: EndpointsPlan): Row[] {
  const made = row.slice();
  const fits = ({ slot, bound }: EndpointsPlan['left'], node: CypherNode) => {
    const known = made[slot] ?? null;
    if (bound) return known !== null && isNode(known) && known.key === node.key;
    made[slot] = node;
    return true;
  };
  if (!fits(plan.left, left)) return [];
  const isLoop = plan.left.slot === plan.right.slot;
  if (isLoop ? left.key !== right.key : !fits(plan.right, right)) return [];
  return [made];
}

function endsIn(row: Row, plan: EndpointsPlan): Ends[] {
  const value = row[plan.relationship] ?? null;
  if (plan.length === null) {
    return value !== null && isRelationship(value) ? endsOf(row, [value], plan) : [];
  }
  const list = listOf(value);
  const { min, max } = plan.length;
  if (list === null || list.length < min || (max !== null && list.length > max)) return [];
  if (list.length > 0) return endsOf(row, list, plan);
  const known = [plan.left, plan.right].find(({ bound }) => bound);
  const node = known === undefined ? null : (row[known.slot] ?? null);
  return node !== null && isNode(node) ? [[node, node]] : [];
}

function listOf(value: CypherValue): readonly CypherRelationship[] | null {
  if (value === null || !isList(value)) return null;
  const list = value.filter(isRelationship);
  return list.length === value.length ? list : null;
}

function endsOf(row: Row, list: readonly CypherRelationship[], plan: EndpointsPlan): Ends[] {
  const { types, unlike, direction } = plan;
  const keys = new Set(list.map(({ key }) => key));
  if (keys.size < list.length || list.some((item) => isAmong(item, row, unlike))) return [];
  if (types !== null && !list.every(({ type }) => types.includes(type))) return [];
  const [first] = list;
  if (first === undefined) return [];
  const starts = direction === 'out' ? [first.start] : direction === 'in' ? [first.end] : bothEnds(first);
  return starts.flatMap((start): Ends[] => {
    let node = start;
    for (const item of list) {
      const leaves = direction === 'out' ? [item.start] : direction === 'in' ? [item.end] : bothEnds(item);
      if (!leaves.some(({ key }) => key === node.key)) return [];
      node = otherEnd(item, node);
    }
    return [[start, node]];
  });
}

function bothEnds({ start, end }: CypherRelationship): CypherNode[] {
  return start.key === end.key ? [start] : [start, end];
}
