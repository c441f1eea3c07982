import type { SeekValues } from '../graph.js';
import type { SeekPlan } from '../plan/index.js';
import type { CypherNode, CypherValue } from '../value.js';
import { isList, keyOf, type ValueKey } from '../values/index.js';
import { evaluatorOf, loadRows, loadsOf, type Open, testOf } from './rows.js';
import { rowsOf } from './scan.js';

/** For each row the nodes with certain values in a property. */
export function seek({ label, property, slot, wanted, hops, predicates }: SeekPlan, input: Open): Open {
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

/** Values that are looked up once in a run. */
const REMEMBERED = 1000;

function valuesOf(kind: SeekPlan['wanted']['kind'], sought: CypherValue): SeekValues | null {
  if (kind === 'one') return { kind: 'in', values: [sought] };
  if (kind === 'prefix') return typeof sought === 'string' ? { kind: 'prefix', prefix: sought } : null;
  if (!isList(sought)) return null;
  return { kind: 'in', values: sought.filter((value) => value !== null) };
}
