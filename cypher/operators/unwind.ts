import type { Expression } from '../ast.js';
import type { Evaluate } from '../expressions/index.js';
import { type Computation, computation, type UnwindPlan } from '../plan/index.js';
import type { CypherValue } from '../value.js';
import { isList } from '../values/index.js';
import { BATCH, evaluatorOf, loadRows, type Open, type Row } from './rows.js';
import type { Run } from './run.js';

/** For each row one for each item of a list. A range is counted out, not made. */
export function unwind({ list, slot }: UnwindPlan, input: Open): Open {
  const items = itemsOf(list);
  return async function* (run, argument) {
    let out: Row[] = [];
    for await (const batch of input(run, argument)) {
      const loaded = loadRows(run, batch, list.loads);
      if (loaded instanceof Promise) await loaded;
      for (const row of batch) {
        for (const item of items(row, run)) {
          run.spend(1);
          const made = row.slice();
          made[slot] = item;
          out.push(made);
          if (out.length < BATCH) continue;
          const wait = run.turn();
          if (wait !== null) await wait;
          yield out;
          out = [];
        }
      }
      if (out.length > 0) yield out;
      out = [];
    }
  };
}

type Items = (row: Row, run: Run) => Iterable<CypherValue>;

function itemsOf(list: Computation): Items {
  const whole = evaluatorOf(list);
  const range = rangeOf(list);
  return (row, run) => {
    const counted = range?.(row, run) ?? null;
    if (counted !== null) return counted;
    const value = whole(row, run);
    if (value === null) return [];
    return isList(value) ? value : [value];
  };
}

/** Null: not a call of range() with whole numbers. */
function rangeOf({
  expression,
  scope,
}: Computation): ((row: Row, run: Run) => Iterable<CypherValue> | null) | null {
  if (expression.kind !== 'call' || expression.name.toLowerCase() !== 'range') return null;
  const [first, last, step] = expression.arguments.map(
    (part: Expression): Evaluate => evaluatorOf(computation(part, scope)),
  );
  if (first === undefined || last === undefined) return null;
  return (row, run) => {
    const [from, to, by] = [first(row, run), last(row, run), step === undefined ? 1n : step(row, run)];
    const areWhole = typeof from === 'bigint' && typeof to === 'bigint' && typeof by === 'bigint';
    return areWhole && by !== 0n ? counting(from, to, by) : null;
  };
}

function* counting(from: bigint, to: bigint, by: bigint): Generator<bigint> {
  for (let at = from; by > 0n ? at <= to : at >= to; at += by) yield at;
}
