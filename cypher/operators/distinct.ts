import type { DistinctPlan } from '../plan/index.js';
import { keyOfAll, sizeOf, type ValueKey } from '../values/index.js';
import type { Open } from './rows.js';

/** The first of rows that are alike. */
export function distinct({ slots }: DistinctPlan, input: Open): Open {
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

const KEY_BYTES = 40;
