import type { ProjectPlan } from '../plan/index.js';
import type { CypherValue } from '../value.js';
import { evaluatorOf, loadRows, loadsOf, type Open, type Row } from './rows.js';

/** Values put into slots: of the same rows, or of new ones. */
export function project({ items, frame }: ProjectPlan, input: Open): Open {
  const values = items.map(({ slot, value }) => ({ slot, value: evaluatorOf(value) }));
  const loads = loadsOf(items.map(({ value }) => value));
  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      const wait = run.turn();
      if (wait !== null) await wait;
      const loaded = loadRows(run, batch, loads);
      if (loaded instanceof Promise) await loaded;
      const made: Row[] = [];
      for (const row of batch) {
        run.spend(1);
        const target = frame === null ? row : emptyRow(frame.width);
        for (const { slot, value } of values) target[slot] = value(row, run);
        made.push(target);
      }
      yield made;
    }
  };
}

/** A row that holds nothing. */
export function emptyRow(width: number): Row {
  return new Array<CypherValue>(width).fill(null);
}
