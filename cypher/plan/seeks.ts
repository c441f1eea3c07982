import type { Expression } from '../ast.js';
import { namesIn, needsGraph } from './expression-tree.js';
import type { SeekPlan } from './plan.js';

/** A condition that an index on a property may answer. */
export interface Seekable {
  readonly property: string;
  readonly kind: SeekPlan['wanted']['kind'];
  readonly value: Expression;
  /** Nodes that it finds, about. */
  readonly rows: number;
}

/** Nodes that one value of an indexed property leads to, about. */
const PER_VALUE = 2;
const PER_PREFIX = 50;

/** How a condition finds nodes called `name`, once names that it takes values from are bound; null: it does not. */
export function seekableOf(
  condition: Expression,
  name: string,
  isBound: (name: string) => boolean,
): Seekable | null {
  const found = shapeOfSeek(condition, name);
  if (found === null || needsGraph(found.value) || ![...namesIn(found.value)].every(isBound)) return null;
  return found;
}

function shapeOfSeek(condition: Expression, name: string): Seekable | null {
  if (condition.kind === 'comparison' && condition.operators.length === 1 && condition.operators[0] === '=') {
    const [left, right] = condition.operands;
    if (left === undefined || right === undefined) return null;
    return seekOf(left, right, name, 'one', PER_VALUE) ?? seekOf(right, left, name, 'one', PER_VALUE);
  }
  if (condition.kind !== 'binary') return null;
  const { operator, left, right } = condition;
  if (operator === 'starts with') return seekOf(left, right, name, 'prefix', PER_PREFIX);
  if (operator !== 'in') return null;
  const values = right.kind === 'list' ? right.items.length : PER_PREFIX;
  return seekOf(left, right, name, 'any of', PER_VALUE * values);
}

function seekOf(
  property: Expression,
  value: Expression,
  name: string,
  kind: Seekable['kind'],
  rows: number,
): Seekable | null {
  if (property.kind !== 'property' || property.on.kind !== 'variable' || property.on.name !== name)
    return null;
  return { property: property.key, kind, value, rows };
}
