import { type Aggregator, makeAggregate } from '../functions/index.js';
import type { AggregatePlan } from '../plan/index.js';
import type { CypherValue } from '../value.js';
import { keyOfAll, sizeOf, type ValueKey } from '../values/index.js';
import { emptyRow } from './project.js';
import { BATCH, evaluatorOf, loadRows, loadsOf, type Open, type Row } from './rows.js';

interface Group {
  readonly keys: readonly CypherValue[];
  readonly aggregators: readonly Aggregator[];
}

const GROUP_BYTES = 128;

/** One row for each group, in the order in which groups are first seen. */
export function aggregate({ keys, items, frame }: AggregatePlan, input: Open): Open {
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
