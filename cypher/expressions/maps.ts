import type { Expression, MapProjectionItem } from '../ast.js';
import type { CypherMap, CypherValue } from '../value.js';
import { isElement, isMap, wrongKind } from '../values/index.js';
import { propertyOf } from './properties.js';
import { always, type CompilePart, madeOf, type Part, type Scope } from './scope.js';

/** `{key: value}`; a key that is written twice has its last value. */
export function compileMap(
  expression: Extract<Expression, { kind: 'map' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const entries = expression.entries.map(({ key, value }) => ({ key, value: compilePart(value, scope) }));
  return madeOf(
    entries.map(({ value }) => value),
    (row, run) => {
      const map = new Map<string, CypherValue>();
      for (const { key, value } of entries) map.set(key, value.evaluate(row, run));
      run.made(map);
      return map;
    },
  );
}

/** `n {.name, .*, key: value, other}`; null of null. */
export function compileMapProjection(
  expression: Extract<Expression, { kind: 'map projection' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const on = compilePart(expression.on, scope);
  const items = expression.items.map((item) => projected(item, scope, compilePart));
  const { span } = expression;
  return madeOf([on, ...items.map(({ part }) => part)], (row, run) => {
    const value = on.evaluate(row, run);
    if (value === null) return null;
    if (!isMap(value) && !isElement(value)) {
      throw wrongKind('A map projection', 'a node, a relationship or a map', value, span);
    }
    const map = new Map<string, CypherValue>();
    for (const { item, part } of items) {
      if (item.kind === 'all') for (const [key, each] of allOf(value)) map.set(key, each);
      else if (item.kind === 'property') map.set(item.key, propertyOf(value, item.key, span));
      else map.set(item.kind === 'entry' ? item.key : item.name, part.evaluate(row, run));
    }
    run.made(map);
    return map;
  });
}

function allOf(value: CypherValue): CypherMap {
  return isMap(value) ? value : isElement(value) ? value.properties() : new Map();
}

/** An item, and the part that gives its value where that is an expression of its own. */
function projected(item: MapProjectionItem, scope: Scope, compilePart: CompilePart) {
  if (item.kind === 'entry') return { item, part: compilePart(item.value, scope) };
  if (item.kind !== 'variable') return { item, part: always(null) };
  return { item, part: compilePart({ kind: 'variable', name: item.name, span: item.span }, scope) };
}
