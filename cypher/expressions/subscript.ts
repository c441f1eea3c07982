import type { Expression, Span } from '../ast.js';
import type { CypherValue } from '../value.js';
import { isElement, isList, isMap, shown, valueFault, wrongKind } from '../values/index.js';
import { type CompilePart, madeOf, type Part, type Scope } from './scope.js';

/** `list[0]`, `list[-1]`, `map['key']`, `n['name']`; null where a side is null or nothing is there. */
export function compileSubscript(
  expression: Extract<Expression, { kind: 'subscript' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const on = compilePart(expression.on, scope);
  const index = compilePart(expression.index, scope);
  const spans = [expression.on.span, expression.index.span] as const;
  return madeOf([on, index], (row, run) => itemAt(on.evaluate(row, run), index.evaluate(row, run), ...spans));
}

function itemAt(on: CypherValue, index: CypherValue, onSpan: Span, indexSpan: Span): CypherValue {
  if (on === null || index === null) return null;
  if (isList(on)) {
    if (typeof index !== 'bigint') throw wrongKind('The index of a list', 'an INTEGER', index, indexSpan);
    return on.at(Number(index)) ?? null;
  }
  if (!isMap(on) && !isElement(on))
    throw wrongKind('[…]', 'a list, a map, a node or a relationship', on, onSpan);
  if (typeof index !== 'string') {
    const message = `A map, node or relationship has text keys, and was asked for ${shown(index)}.`;
    throw valueFault('TypeError', 'MapElementAccessByNonString', message, indexSpan);
  }
  return isMap(on) ? (on.get(index) ?? null) : on.property(index);
}

/** `list[1..3]`: from the first place on, up to and without the second; below 0 counts from the end. */
export function compileSlice(
  expression: Extract<Expression, { kind: 'slice' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const on = compilePart(expression.on, scope);
  const ends = [expression.from, expression.to].map((end) => end && compilePart(end, scope));
  const [from, to] = ends;
  const { span } = expression;
  return madeOf([on, ...ends.filter((end) => end !== null)], (row, run) => {
    const list = on.evaluate(row, run);
    const start = from ? from.evaluate(row, run) : 0n;
    const end = to ? to.evaluate(row, run) : undefined;
    if (list === null || start === null || end === null) return null;
    if (!isList(list)) throw wrongKind('[…..…]', 'a list', list, span);
    const items = list.slice(place(start, span), end === undefined ? undefined : place(end, span));
    run.hold(8 * items.length);
    return items;
  });
}

function place(value: CypherValue, span: Span): number {
  if (typeof value === 'bigint') return Number(value);
  throw wrongKind('A slice', 'INTEGERs', value, span);
}
