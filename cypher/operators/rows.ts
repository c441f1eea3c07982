import { compile, type Evaluate, type Row } from '../expressions/index.js';
import type { Awaitable } from '../graph.js';
import type { Computation, Load } from '../plan/index.js';
import type { CypherNode, CypherRelationship, CypherValue } from '../value.js';
import { isElement, isList, isMap, isNode, isPath, isRelationship } from '../values/index.js';
import type { Run } from './run.js';

export type { Row };

/** Rows that come in batches, made for the rows of an argument. */
export type Rows = AsyncIterable<readonly Row[]>;

/** An operator with those below it, ready to be run. Rows that it is given are its own: it may write into free slots. */
export type Open = (run: Run, argument: readonly Row[]) => Rows;

/** Rows that an operator hands on at once, about. */
export const BATCH = 256;

/** An expression, ready. */
export function evaluatorOf({ expression, scope }: Computation): Evaluate {
  return compile(expression, scope);
}

/** Conditions, ready. */
export interface Test {
  readonly loads: readonly Load[];
  passes(row: Row, run: Run): boolean;
}

/** Conditions that must all be true. */
export function testOf(computations: readonly Computation[]): Test {
  const conditions = computations.map(evaluatorOf);
  const [only] = conditions;
  const loads = loadsOf(computations);
  if (only === undefined) return { loads, passes: () => true };
  if (conditions.length === 1) return { loads, passes: (row, run) => only(row, run) === true };
  return {
    loads,
    passes: (row, run) => {
      for (const condition of conditions) if (condition(row, run) !== true) return false;
      return true;
    },
  };
}

/** What must be loaded for several expressions. */
export function loadsOf(computations: readonly Computation[]): Load[] {
  const bySlot = new Map<number, Load>();
  for (const load of computations.flatMap(({ loads }) => loads)) {
    const known = bySlot.get(load.slot);
    bySlot.set(load.slot, known === undefined ? load : joined(known, load));
  }
  return [...bySlot.values()];
}

function joined(left: Load, right: Load): Load {
  const properties =
    left.properties === null || right.properties === null
      ? null
      : [...new Set([...left.properties, ...right.properties])];
  return { slot: left.slot, ends: left.ends || right.ends, properties };
}

/** Makes elements readable in slots of rows; null: nothing to wait for. */
export function loadRows(run: Run, rows: readonly Row[], loads: readonly Load[]): Awaitable<void> | null {
  if (loads.length === 0) return null;
  const elements: Element[] = [];
  for (const { slot, ends, properties } of loads) {
    const isAtHand = properties?.every((name) => run.graph.atHand.has(name)) === true;
    for (const row of rows) {
      const value = row[slot] ?? null;
      if (!isAtHand || value === null || !isNode(value)) collect(value, ends, elements);
    }
  }
  return elements.length === 0 ? null : run.graph.load(elements);
}

/** Something of a graph. */
export type Element = CypherNode | CypherRelationship;

/** Nodes and relationships anywhere in a value. @param ends Whether those that relationships lead between are of it. */
export function collect(value: CypherValue, ends: boolean, into: Element[]): void {
  if (value === null || typeof value !== 'object') return;
  if (isList(value)) for (const item of value) collect(item, ends, into);
  else if (isMap(value)) for (const item of value.values()) collect(item, ends, into);
  else if (isElement(value)) {
    into.push(value);
    if (ends && isRelationship(value)) into.push(value.start, value.end);
  } else if (isPath(value)) {
    for (const node of value.nodes) into.push(node);
    for (const relationship of value.relationships) into.push(relationship);
  }
}

/** Whether a relationship is, or is in, one of these slots. */
export function isAmong(relationship: CypherRelationship, row: Row, slots: readonly number[]): boolean {
  for (const slot of slots) {
    const value = row[slot] ?? null;
    if (value === null || typeof value !== 'object') continue;
    if (isList(value)) {
      for (const item of value) if (isSame(item, relationship)) return true;
    } else if (isSame(value, relationship)) return true;
  }
  return false;
}

function isSame(value: CypherValue, relationship: CypherRelationship): boolean {
  return value !== null && isRelationship(value) && value.key === relationship.key;
}

/** The end of a relationship that is not the node at hand; the node itself for a loop. */
export function otherEnd(relationship: CypherRelationship, node: CypherNode): CypherNode {
  return relationship.start.key === node.key ? relationship.end : relationship.start;
}
