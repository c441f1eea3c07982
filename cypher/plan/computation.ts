import type { Expression } from '../ast.js';
import { NOWHERE, namesIn, partsOf, someOf } from './expression-tree.js';
import { hiddenName, type Scope } from './scope.js';

/** A slot whose nodes and relationships an expression reads: they must be loaded before. */
export interface Load {
  readonly slot: number;
  /** Whether it may ask for the ends of relationships and read those. */
  readonly ends: boolean;
  /** All that is read, properties of the slot's own value; null: more than that, or who knows what. */
  readonly properties: readonly string[] | null;
}

/** An expression and the scope that it is computed in, with what must be loaded before. */
export interface Computation {
  readonly expression: Expression;
  readonly scope: Scope;
  readonly loads: readonly Load[];
}

/** An expression in a scope. */
export function computation(expression: Expression, scope: Scope): Computation {
  return { expression, scope, loads: loadsOf(expression, scope) };
}

/** A slot's value as an expression, and the scope in which it is one. */
export function slotExpression(slot: number): Expression {
  return { kind: 'variable', name: hiddenName(slot), span: NOWHERE };
}

/** A scope that knows slots by their hidden names. */
export function withSlots(scope: Scope, slots: readonly number[]): Scope {
  return slots.length === 0 ? scope : scope.with(slots.map((slot) => [hiddenName(slot), slot] as const));
}

/** Functions that look into a node, relationship or map. */
const READING = new Set(['labels', 'keys', 'properties', 'tostring', 'tostringornull']);
const ENDS = new Set(['startnode', 'endnode']);

function loadsOf(whole: Expression, scope: Scope): Load[] {
  const read = new Map<string, string[] | null>();
  collectRead(whole, read);
  const ends = someOf(whole, (part) => part.kind === 'call' && ENDS.has(part.name.toLowerCase()));
  return [...read].flatMap(([name, properties]) => {
    const slot = scope.slotOf(name);
    return slot === undefined ? [] : [{ slot, ends, properties }];
  });
}

/** Names whose values are looked into, or may be, and which properties are read of them: null where more is. */
function collectRead(whole: Expression, into: Map<string, string[] | null>): void {
  if (whole.kind === 'list comprehension' || whole.kind === 'quantifier' || whole.kind === 'reduce') {
    if (partsOf(whole).some((part) => part !== whole.list && someOf(part, isReading))) {
      for (const name of namesIn(whole)) into.set(name, null);
      return;
    }
  }
  if (whole.kind === 'property' && whole.on.kind === 'variable') {
    const { name } = whole.on;
    const known = into.get(name);
    if (known !== null) into.set(name, [...(known ?? []), whole.key]);
  } else if (isReading(whole)) {
    const looked = whole.kind === 'call' ? whole.arguments : 'on' in whole ? [whole.on] : [];
    for (const on of looked) for (const name of namesIn(on)) into.set(name, null);
  }
  for (const part of partsOf(whole)) collectRead(part, into);
}

function isReading(part: Expression): boolean {
  if (part.kind === 'call') return READING.has(part.name.toLowerCase());
  return (
    part.kind === 'property' ||
    part.kind === 'has labels' ||
    part.kind === 'map projection' ||
    part.kind === 'subscript'
  );
}
