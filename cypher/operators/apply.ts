import type { ApplyPlan } from '../plan/index.js';
import type { CypherValue } from '../value.js';
import { sizeOf } from '../values/index.js';
import { BATCH, type Open, type Row } from './rows.js';
import type { Run } from './run.js';

/** Outer rows whose inner rows are looked for together. */
const OUTER_AT_ONCE = 32;

/** A plan that is run for each row. */
export function apply(plan: ApplyPlan, input: Open, inner: Open): Open {
  const { mode } = plan;
  switch (mode.kind) {
    case 'optional':
      return joined(plan, input, inner, (_outer, found) => found, true);
    case 'join':
      return joined(plan, input, inner, (outer, found) => {
        const row = outer.slice();
        for (const { from, to } of mode.values) row[to] = found[from] ?? null;
        return row;
      });
    case 'exists':
      return summed(plan, input, inner, {
        slot: mode.slot,
        start: () => false,
        add: () => true,
        isDone: (value) => value === true,
      });
    case 'count':
      return summed(plan, input, inner, {
        slot: mode.slot,
        start: () => 0n,
        add: (value) => (typeof value === 'bigint' ? value + 1n : value),
        isDone: () => false,
      });
    case 'collect':
      return collected(plan, input, inner, mode);
  }
}

/** Inner rows of some outer ones, and which of them each belongs to; those of one outer row come together, in order. */
async function* innerRows(
  { ordinal }: ApplyPlan,
  inner: Open,
  run: Run,
  outer: readonly Row[],
): AsyncGenerator<{ readonly rows: readonly Row[]; ownerOf(row: Row): number }> {
  if (ordinal !== null) {
    const argument = outer.map((row, index) => {
      const own = row.slice();
      own[ordinal] = index;
      return own;
    });
    const ownerOf = (row: Row) => {
      const owner = row[ordinal];
      return typeof owner === 'number' ? owner : -1;
    };
    for await (const rows of inner(run, argument)) yield { rows, ownerOf };
    return;
  }
  for (const [index, row] of outer.entries()) {
    const ownerOf = () => index;
    for await (const rows of inner(run, [row.slice()])) yield { rows, ownerOf };
  }
}

function* partsOf(batch: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < batch.length; at += OUTER_AT_ONCE) yield batch.slice(at, at + OUTER_AT_ONCE);
}

/** @param keepsLonely Whether outer rows without inner ones stay. */
function joined(
  plan: ApplyPlan,
  input: Open,
  inner: Open,
  join: (outer: Row, found: Row) => Row,
  keepsLonely = false,
): Open {
  const open = plan.constant ? once(inner) : inner;
  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      for (const outer of partsOf(batch)) {
        let next = 0;
        const lonely = (before: number) => {
          const rows = keepsLonely ? outer.slice(next, before) : [];
          next = Math.max(next, before);
          return rows;
        };
        for await (const { rows, ownerOf } of innerRows(plan, open, run, outer)) {
          const out: Row[] = [];
          for (const row of rows) {
            run.spend(1);
            const owner = ownerOf(row);
            out.push(...lonely(owner));
            next = owner + 1;
            const of = outer[owner];
            if (of !== undefined) out.push(join(of, row));
          }
          for (let at = 0; at < out.length; at += BATCH) yield out.slice(at, at + BATCH);
        }
        const rest = lonely(outer.length);
        if (rest.length > 0) yield rest;
      }
    }
  };
}

/** An inner plan that looks at nothing outside is run once. */
function once(inner: Open): Open {
  return async function* (run, argument) {
    const known = run.remembered.get(inner);
    if (known !== undefined) {
      for (let at = 0; at < known.length; at += BATCH)
        yield known.slice(at, at + BATCH).map((row) => [...row]);
      return;
    }
    const all: Row[] = [];
    for await (const rows of inner(run, argument)) {
      for (const row of rows) {
        run.keep(sizeOf(row));
        all.push(row);
      }
      yield rows;
    }
    run.remembered.set(inner, all);
  };
}

interface Summing {
  readonly slot: number;
  start(): CypherValue;
  add(value: CypherValue): CypherValue;
  /** Whether more rows change nothing. */
  isDone(value: CypherValue): boolean;
}

function summed(plan: ApplyPlan, input: Open, inner: Open, { slot, start, add, isDone }: Summing): Open {
  async function sumOf(run: Run, outer: Row): Promise<CypherValue> {
    let value = start();
    for await (const rows of inner(run, [outer.slice()])) {
      for (const _row of rows) value = add(value);
      if (isDone(value)) break;
    }
    return value;
  }

  async function sumsOf(run: Run, outer: readonly Row[]): Promise<readonly CypherValue[]> {
    const values = outer.map(start);
    let open = outer.length;
    for await (const { rows, ownerOf } of innerRows(plan, inner, run, outer)) {
      for (const row of rows) {
        const owner = ownerOf(row);
        const value = values[owner] ?? null;
        if (isDone(value)) continue;
        const sum = add(value);
        values[owner] = sum;
        if (isDone(sum)) open--;
      }
      if (open === 0) break;
    }
    return values;
  }

  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      for (const outer of partsOf(batch)) {
        if (plan.ordinal === null) for (const row of outer) row[slot] = await sumOf(run, row);
        else {
          const values = await sumsOf(run, outer);
          for (const [index, row] of outer.entries()) row[slot] = values[index] ?? null;
        }
        yield outer;
      }
    }
  };
}

function collected(
  plan: ApplyPlan,
  input: Open,
  inner: Open,
  { from, slot }: { readonly from: number; readonly slot: number },
): Open {
  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      for (const outer of partsOf(batch)) {
        const lists: CypherValue[][] = outer.map(() => []);
        let kept = 0;
        for await (const { rows, ownerOf } of innerRows(plan, inner, run, outer)) {
          for (const row of rows) {
            const value = row[from] ?? null;
            const bytes = 8 + sizeOf(value);
            kept += bytes;
            run.keep(bytes);
            lists[ownerOf(row)]?.push(value);
          }
        }
        for (const [index, row] of outer.entries()) row[slot] = lists[index] ?? null;
        yield outer;
        run.release(kept);
      }
    }
  };
}
