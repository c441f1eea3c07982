import { BATCH, type Open } from './rows.js';

/** The rows that a plan is run with. */
export function argument(): Open {
  return async function* (run, rows) {
    for (let at = 0; at < rows.length; at += BATCH) {
      const wait = run.turn();
      if (wait !== null) await wait;
      yield rows.length <= BATCH ? rows : rows.slice(at, at + BATCH);
    }
  };
}
