import type { Expression } from '../ast.js';
import type { RunValues } from '../run-values.js';
import type { CypherValue } from '../value.js';

/** A row of values by slot. Expressions write only into slots that their scope made for them. */
export type Row = CypherValue[];

/** An expression, ready: synchronous, throws a CypherError of code CYPHER_RUNTIME. */
export type Evaluate = (row: Row, run: RunValues) => CypherValue;

/** Where an expression finds its names. */
export interface Scope {
  slotOf(name: string): number | undefined;
  /** Where the planner put the value of a whole expression: aggregates, subqueries, patterns. */
  computed(expression: Expression): number | undefined;
  /** A fresh slot for a name that is only known inside an expression, and the scope that knows it. */
  local(name: string): { readonly slot: number; readonly scope: Scope };
}

/** A compiled part, and whether it says the same in every row and run. */
export interface Part {
  readonly evaluate: Evaluate;
  readonly constant: boolean;
  /** Where it only reads a slot: which one. */
  readonly slot?: number;
}

/** Compiles a part of an expression. */
export type CompilePart = (expression: Expression, scope: Scope) => Part;

/** A part that is as constant as what it is made of. */
export function madeOf(parts: readonly Part[], evaluate: Evaluate): Part {
  return { evaluate, constant: parts.every((part) => part.constant) };
}

/** A part that is always the same. */
export function always(value: CypherValue): Part {
  return { evaluate: () => value, constant: true };
}

/** The value of a constant part; undefined for others. */
export function constantOf(part: Part): CypherValue | undefined {
  return part.constant ? part.evaluate([], NO_RUN) : undefined;
}

/** For constants: they ask nothing of a run. */
export const NO_RUN: RunValues = {
  parameters: new Map(),
  random: () => 0,
  now: () => 0,
  spend: () => {},
  hold: () => {},
  made: () => {},
};
