import type { Expression, LabelExpression, Span } from '../ast.js';
import { componentOf } from '../temporal/index.js';
import type { CypherNode, CypherValue } from '../value.js';
import {
  isDuration,
  isElement,
  isInstant,
  isMap,
  isNode,
  isRelationship,
  valueFault,
  wrongKind,
} from '../values/index.js';
import { type CompilePart, madeOf, type Part, type Scope } from './scope.js';

/** `on.key` of an element or a map; null of null. */
export function propertyOf(on: CypherValue, key: string, span: Span): CypherValue {
  if (on === null) return null;
  if (isElement(on)) return on.property(key);
  if (isMap(on)) return on.get(key) ?? null;
  if (isInstant(on) || isDuration(on)) {
    const part = componentOf(on, key);
    if (part !== undefined) return part;
    throw valueFault('ArgumentError', 'InvalidArgumentValue', `A ${on.kind} has no .${key}.`, span);
  }
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
  const { evaluate, slot } = on;
  if (slot === undefined) return madeOf([on], (row, run) => propertyOf(evaluate(row, run), key, span));
  return madeOf([on], (row) => propertyOf(row[slot] ?? null, key, span));
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
    if (isNode(value)) return fits(value);
    if (isRelationship(value)) return fits(typeAsLabel(value.type));
    throw wrongKind('A label', 'a node or a relationship', value, span);
  });
}

/** What label expressions look at: a node is one. */
export type Labelled = Pick<CypherNode, 'hasLabel' | 'labels'>;

function typeAsLabel(type: string): Labelled {
  return { hasLabel: (label) => label === type, labels: () => [type] };
}

/** Whether a label expression holds for a node. `%` asks for any label at all. */
export function labelTest(labels: LabelExpression): (of: Labelled) => boolean {
  switch (labels.kind) {
    case 'label': {
      const { name } = labels;
      return (of) => of.hasLabel(name);
    }
    case 'and': {
      const parts = labels.parts.map(labelTest);
      return (of) => parts.every((part) => part(of));
    }
    case 'or': {
      const parts = labels.parts.map(labelTest);
      return (of) => parts.some((part) => part(of));
    }
    case 'not': {
      const part = labelTest(labels.part);
      return (of) => !part(of);
    }
    case 'any':
      return (of) => of.labels().length > 0;
  }
}
