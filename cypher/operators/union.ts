import type { UnionPlan } from '../plan/index.js';
import { emptyRow } from './project.js';
import type { Open } from './rows.js';

/** Rows of several plans, one after the other. */
export function union({ inputs, frame, slots }: UnionPlan, opens: readonly Open[]): Open {
  return async function* (run, argument) {
    for (const [index, open] of opens.entries()) {
      const from = inputs[index]?.slots ?? [];
      const own = argument.map((row) => row.slice());
      for await (const batch of open(run, own)) {
        yield batch.map((row) => {
          const made = emptyRow(frame.width);
          for (const [column, slot] of slots.entries()) made[slot] = row[from[column] ?? -1] ?? null;
          return made;
        });
      }
    }
  };
}
