import { type Aggregator, makeAggregate } from '../functions/index.js';
import type { SeekValues } from '../graph.js';
import type {
  AggregatePlan,
  DistinctPlan,
  EndpointsPlan,
  FilterPlan,
  Plan,
  SeekPlan,
  SortPlan,
} from '../plan/index.js';
import type { CypherNode, CypherRelationship, CypherValue } from '../value.js';
import {
  isList,
  isNode,
  isRelationship,
  keyOf,
  keyOfAll,
  order,
  sizeOf,
  type ValueKey,
} from '../values/index.js';
import { apply } from './apply.js';
import { expand } from './expand.js';
import { namePath } from './path.js';
import { emptyRow, project } from './project.js';
import {
  BATCH,
  evaluatorOf,
  isAmong,
  loadRows,
  loadsOf,
  type Open,
  otherEnd,
  type Row,
  testOf,
} from './rows.js';
import type { Run } from './run.js';
import { rowsOf, scan, scanRelationships } from './scan.js';
import { shortest } from './shortest.js';
import { countOf, limit, skip } from './slice.js';
import { union } from './union.js';
import { unwind } from './unwind.js';
import { variableExpand } from './variable-expand.js';

interface Sorted {
  readonly row: Row;
  readonly keys: readonly CypherValue[];
  readonly bytes: number;
}

const ROW_BYTES = 64;

const SLOT_BYTES = 8;

/** Values that are looked up once in a run. */
const REMEMBERED = 1000;

type Ends = readonly [CypherNode, CypherNode];

const KEY_BYTES = 40;

interface Group {
  readonly keys: readonly CypherValue[];
  readonly aggregators: readonly Aggregator[];
}

const GROUP_BYTES = 128;

/** A plan, ready to be run any number of times. @param watch Is put around every operator. */
export function build(plan: Plan, watch: (plan: Plan, open: Open) => Open = (_plan, open) => open): Open {
  const built = (inner: Plan) => build(inner, watch);
  return watch(plan, openOf(plan, built));
}

function openOf(plan: Plan, built: (plan: Plan) => Open): Open {
  switch (plan.kind) {
    case 'argument':
      return argument();
    case 'scan':
      return scan(plan, built(plan.input));
    case 'relationship scan':
      return scanRelationships(plan, built(plan.input));
    case 'seek':
      return seek(plan, built(plan.input));
    case 'expand':
      return expand(plan, built(plan.input));
    case 'variable expand':
      return variableExpand(plan, built(plan.input));
    case 'endpoints':
      return endpoints(plan, built(plan.input));
    case 'shortest':
      return shortest(plan, built(plan.input));
    case 'path':
      return namePath(plan, built(plan.input));
    case 'filter':
      return filter(plan, built(plan.input));
    case 'project':
      return project(plan, built(plan.input));
    case 'aggregate':
      return aggregate(plan, built(plan.input));
    case 'distinct':
      return distinct(plan, built(plan.input));
    case 'sort':
      return sort(plan, built(plan.input));
    case 'skip':
      return skip(plan, built(plan.input));
    case 'limit':
      return limit(plan, built(plan.input));
    case 'unwind':
      return unwind(plan, built(plan.input));
    case 'apply':
      return apply(plan, built(plan.input), built(plan.inner));
    case 'union':
      return union(
        plan,
        plan.inputs.map((input) => built(input.plan)),
      );
  }
}

/** One row for each group, in the order in which groups are first seen. */
function aggregate({ keys, items, frame }: AggregatePlan, input: Open): Open {
  const keyValues = keys.map(({ value }) => evaluatorOf(value));
  const arguments_ = items.map((item) => item.arguments.map(evaluatorOf));
  const loads = loadsOf([...keys.map(({ value }) => value), ...items.flatMap((item) => item.arguments)]);
  const makeGroup = (values: readonly CypherValue[]): Group => ({
    keys: values,
    aggregators: items.map(({ name, distinct, span }) => makeAggregate(name, distinct, span)),
  });
  const rowOf = ({ keys: values, aggregators }: Group): Row => {
    const row = emptyRow(frame.width);
    for (const [index, { slot }] of keys.entries()) row[slot] = values[index] ?? null;
    for (const [index, { slot }] of items.entries()) row[slot] = aggregators[index]?.result() ?? null;
    return row;
  };

  return async function* (run, argument) {
    const groups = new Map<ValueKey, Group>();
    let kept = 0;
    if (keys.length === 0) groups.set(null, makeGroup([]));
    for await (const batch of input(run, argument)) {
      const wait = run.turn();
      if (wait !== null) await wait;
      const loaded = loadRows(run, batch, loads);
      if (loaded instanceof Promise) await loaded;
      for (const row of batch) {
        run.spend(1);
        let grown = 0;
        const values = keyValues.map((value) => value(row, run));
        const key = keys.length === 0 ? null : keyOfAll(values);
        let group = groups.get(key);
        if (group === undefined) {
          group = makeGroup(values);
          groups.set(key, group);
          grown += GROUP_BYTES + sizeOf(values);
        }
        for (const [index, aggregator] of group.aggregators.entries()) {
          const [value, parameter] = arguments_[index] ?? [];
          grown -= aggregator.bytes;
          aggregator.add(value === undefined ? true : value(row, run), parameter?.(row, run) ?? null);
          grown += aggregator.bytes;
        }
        if (grown === 0) continue;
        kept += grown;
        run.keep(grown);
      }
    }
    let out: Row[] = [];
    for (const group of groups.values()) {
      run.spend(1);
      out.push(rowOf(group));
      if (out.length < BATCH) continue;
      yield out;
      out = [];
    }
    if (out.length > 0) yield out;
    run.release(kept);
  };
}

/** The rows that a plan is run with. */
function argument(): Open {
  return async function* (run, rows) {
    for (let at = 0; at < rows.length; at += BATCH) {
      const wait = run.turn();
      if (wait !== null) await wait;
      yield rows.length <= BATCH ? rows : rows.slice(at, at + BATCH);
    }
  };
}

/** The first of rows that are alike. */
function distinct({ slots }: DistinctPlan, input: Open): Open {
  return async function* (run, argument) {
    const known = new Set<ValueKey>();
    let kept = 0;
    for await (const batch of input(run, argument)) {
      const wait = run.turn();
      if (wait !== null) await wait;
      const fresh = batch.filter((row) => {
        run.spend(1);
        const key = keyOfAll(slots.map((slot) => row[slot] ?? null));
        if (known.has(key)) return false;
        known.add(key);
        const bytes = KEY_BYTES + sizeOf(typeof key === 'string' ? key : null);
        kept += bytes;
        run.keep(bytes);
        return true;
      });
      if (fresh.length > 0) yield fresh;
    }
    run.release(kept);
  };
}

/** The ends of relationships that are bound already. */
function endpoints(plan: EndpointsPlan, input: Open): Open {
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

/** Rows for which all conditions are true. */
function filter({ predicates }: FilterPlan, input: Open): Open {
  const test = testOf(predicates);
  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      const wait = run.turn();
      if (wait !== null) await wait;
      const loaded = loadRows(run, batch, test.loads);
      if (loaded instanceof Promise) await loaded;
      const kept = batch.filter((row) => {
        run.spend(1);
        return test.passes(row, run);
      });
      if (kept.length > 0) yield kept;
    }
  };
}

/** For each row the nodes with certain values in a property. */
function seek({ label, property, slot, wanted, hops, predicates }: SeekPlan, input: Open): Open {
  const test = testOf(predicates);
  const value = evaluatorOf(wanted.value);
  const loads = loadsOf([wanted.value]);
  return async function* (run, argument) {
    const known = new Map<ValueKey, readonly CypherNode[]>();
    for await (const batch of input(run, argument)) {
      const loaded = loadRows(run, batch, loads);
      if (loaded instanceof Promise) await loaded;
      for (const row of batch) {
        const sought = value(row, run);
        const values = sought === null ? null : valuesOf(wanted.kind, sought);
        if (values === null) continue;
        const key = keyOf(sought);
        const found = known.get(key) ?? (await run.graph.seek(label, property, values, hops));
        if (found === null) {
          for await (const nodes of run.graph.nodes(label, hops)) {
            const kept = await rowsOf(run, row, nodes, slot, test);
            if (kept.length > 0) yield kept;
          }
          continue;
        }
        if (known.size < REMEMBERED) known.set(key, found);
        const kept = await rowsOf(run, row, found, slot, test);
        if (kept.length > 0) yield kept;
      }
    }
  };
}

function valuesOf(kind: SeekPlan['wanted']['kind'], sought: CypherValue): SeekValues | null {
  if (kind === 'one') return { kind: 'in', values: [sought] };
  if (kind === 'prefix') return typeof sought === 'string' ? { kind: 'prefix', prefix: sought } : null;
  if (!isList(sought)) return null;
  return { kind: 'in', values: sought.filter((value) => value !== null) };
}

/**
 * Rows in order; those that are alike stay as they came. Where only the first are wanted, never more than twice as many
 * are held.
 */
function sort({ keys, first }: SortPlan, input: Open): Open {
  const values = keys.map(({ value }) => evaluatorOf(value));
  const loads = loadsOf(keys.map(({ value }) => value));
  const wanted = first && {
    skip: first.skip && countOf(first.skip, 'SKIP'),
    limit: countOf(first.limit, 'LIMIT'),
  };

  const compare = (run: Run) => (left: Sorted, right: Sorted) => {
    run.spend(1);
    for (const [index, { descending }] of keys.entries()) {
      const way = order(left.keys[index] ?? null, right.keys[index] ?? null);
      if (way !== 0) return descending ? -way : way;
    }
    return 0;
  };

  return async function* (run, argument) {
    const most = wanted === null ? Number.POSITIVE_INFINITY : (wanted.skip?.(run) ?? 0) + wanted.limit(run);
    const byKeys = compare(run);
    let held: Sorted[] = [];
    let last: Sorted | undefined;
    const cut = () => {
      held.sort(byKeys);
      for (const { bytes } of held.splice(most)) run.release(bytes);
      last = held.at(-1);
    };
    for await (const batch of most === 0 ? [] : input(run, argument)) {
      const wait = run.turn();
      if (wait !== null) await wait;
      const loaded = loadRows(run, batch, loads);
      if (loaded instanceof Promise) await loaded;
      for (const row of batch) {
        const sorted = { row, keys: values.map((value) => value(row, run)), bytes: 0 };
        if (last !== undefined && byKeys(sorted, last) >= 0) continue;
        const bytes = ROW_BYTES + SLOT_BYTES * row.length + sizeOf(sorted.keys);
        run.keep(bytes);
        held.push({ ...sorted, bytes });
      }
      if (held.length >= 2 * most) cut();
    }
    held.sort(byKeys);
    if (held.length > most) held = held.slice(0, most);
    for (let at = 0; at < held.length; at += BATCH) {
      const part = held.slice(at, at + BATCH);
      for (const { bytes } of part) run.release(bytes);
      yield part.map(({ row }) => row);
    }
  };
}
