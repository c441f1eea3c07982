import type { SortPlan } from '../plan/index.js';
import type { CypherValue } from '../value.js';
import { order, sizeOf } from '../values/index.js';
import { BATCH, evaluatorOf, loadRows, loadsOf, type Open, type Row } from './rows.js';
import type { Run } from './run.js';
import { countOf } from './slice.js';

interface Sorted {
  readonly row: Row;
  readonly keys: readonly CypherValue[];
  readonly bytes: number;
}

const ROW_BYTES = 64;
const SLOT_BYTES = 8;

/**
 * Rows in order; those that are alike stay as they came. Where only the first are wanted, never more than twice as many
 * are held.
 */
export function sort({ keys, first }: SortPlan, input: Open): Open {
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
