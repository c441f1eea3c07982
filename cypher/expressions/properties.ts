import type { Expression, LabelExpression, Span } from '../ast.js';
import type { CypherValue } from '../value.js';
import { isElement, isMap, isNode, isRelationship, wrongKind } from '../values/index.js';
import { type CompilePart, madeOf, type Part, type Scope } from './scope.js';

/** `on.key` of an element or a map; null of null. */
export function propertyOf(on: CypherValue, key: string, span: Span): CypherValue {
  if (on === null) return null;
  if (isElement(on)) return on.property(key);
  if (isMap(on)) return on.get(key) ?? null;
  throw wrongKind(`.${key}`, 'a node, a relationship or a map', on, span);
}

/** `on.key`. */
export function compileProperty(
  expression: Extract<Expression, { kind: 'property' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const { key, span } = expression;
  const on = compilePart(expression.on, scope);
  const { evaluate } = on;
  return madeOf([on], (row, run) => propertyOf(evaluate(row, run), key, span));
}

/** `n:Label`, `r:TYPE`. */
export function compileHasLabels(
  expression: Extract<Expression, { kind: 'has labels' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const { span } = expression;
  const on = compilePart(expression.on, scope);
  const fits = labelTest(expression.labels);
  return madeOf([on], (row, run) => {
    const value = on.evaluate(row, run);
    if (value === null) return null;
    if (isNode(value)) return fits((label) => value.hasLabel(label));
    if (isRelationship(value)) return fits((type) => value.type === type);
    throw wrongKind('A label', 'a node or a relationship', value, span);
  });
}

/** Whether a label expression holds, given which labels there are. `%` asks for any label at all. */
export function labelTest(labels: LabelExpression): (has: (label: string) => boolean) => boolean {
  switch (labels.kind) {
    case 'label': {
      const { name } = labels;
      return (has) => has(name);
    }
    case 'and': {
      const parts = labels.parts.map(labelTest);
      return (has) => parts.every((part) => part(has));
    }
    case 'or': {
      const parts = labels.parts.map(labelTest);
      return (has) => parts.some((part) => part(has));
    }
    case 'not': {
      const part = labelTest(labels.part);
      return (has) => !part(has);
    }
    case 'any':
      return () => true;
  }
}
