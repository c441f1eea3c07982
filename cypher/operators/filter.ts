import type { FilterPlan } from '../plan/index.js';
import { loadRows, type Open, testOf } from './rows.js';

/** Rows for which all conditions are true. */
export function filter({ predicates }: FilterPlan, input: Open): Open {
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
