import { CypherError } from '../cypher-error.js';
import type { Computation, LimitPlan, SkipPlan } from '../plan/index.js';
import { shortText } from '../values/index.js';
import { evaluatorOf, type Open } from './rows.js';
import type { Run } from './run.js';

/** Rows but the first ones. */
export function skip({ count }: SkipPlan, input: Open): Open {
  const countIn = countOf(count, 'SKIP');
  return async function* (run, argument) {
    let left = countIn(run);
    for await (const batch of input(run, argument)) {
      const rest = left === 0 ? batch : batch.slice(left);
      left = Math.max(0, left - batch.length);
      if (rest.length > 0) yield rest;
    }
  };
}

/** The first rows; what makes them is then stopped. */
export function limit({ count }: LimitPlan, input: Open): Open {
  const countIn = countOf(count, 'LIMIT');
  return async function* (run, argument) {
    let left = countIn(run);
    if (left === 0) return;
    for await (const batch of input(run, argument)) {
      const rows = batch.length <= left ? batch : batch.slice(0, left);
      left -= rows.length;
      yield rows;
      if (left === 0) return;
    }
  };
}

/** What SKIP or LIMIT says in a run. */
export function countOf(count: Computation, clause: 'SKIP' | 'LIMIT'): (run: Run) => number {
  const value = evaluatorOf(count);
  const { span } = count.expression;
  return (run) => {
    const found = value([], run);
    if (typeof found === 'bigint' && found >= 0n) {
      return Number(found > MOST ? MOST : found);
    }
    const isNegative = typeof found === 'bigint';
    const message = `${clause} takes a whole number from 0 up, and was given ${shortText(found)}.`;
    throw new CypherError('CYPHER_RUNTIME', message, {
      fault: {
        kind: 'SyntaxError',
        phase: 'runtime',
        detail: isNegative ? 'NegativeIntegerArgument' : 'InvalidArgumentType',
      },
      span,
    });
  };
}

const MOST = 2n ** 40n;
