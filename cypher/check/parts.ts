import type { Expression } from '../ast.js';
import { FUNCTIONS } from '../functions/index.js';

/** The expressions that an expression is made of directly; not those inside of patterns and subqueries. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'parameter':
    case 'variable':
    case 'count star':
    case 'pattern':
    case 'subquery':
      return [];
    case 'property':
    case 'has labels':
      return [expression.on];
    case 'not':
    case 'minus':
    case 'plus':
    case 'is null':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'comparison':
      return expression.operands;
    case 'list':
      return expression.items;
    case 'map':
      return expression.entries.map(({ value }) => value);
    case 'map projection':
      return [
        expression.on,
        ...expression.items.flatMap((item) => (item.kind === 'entry' ? [item.value] : [])),
      ];
    case 'subscript':
      return [expression.on, expression.index];
    case 'slice':
      return present([expression.on, expression.from, expression.to]);
    case 'list comprehension':
      return present([expression.list, expression.where, expression.map]);
    case 'pattern comprehension':
      return present([expression.where, expression.map]);
    case 'quantifier':
      return present([expression.list, expression.where]);
    case 'reduce':
      return [expression.initial, expression.list, expression.expression];
    case 'case':
      return present([
        expression.operand,
        ...expression.branches.flatMap(({ when, then }) => [when, then]),
        expression.otherwise,
      ]);
    case 'call':
      return expression.arguments;
  }
}

function present(parts: readonly (Expression | null)[]): Expression[] {
  return parts.filter((part) => part !== null);
}

/** The names that an expression makes for its own parts. */
export function localNames(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case 'list comprehension':
    case 'quantifier':
      return [expression.variable.name];
    case 'reduce':
      return [expression.accumulator.name, expression.variable.name];
    case 'pattern comprehension': {
      const { variable, nodes, relationships } = expression.pattern;
      const named = [{ variable }, ...nodes, ...relationships];
      return named.flatMap((part) => (part.variable === null ? [] : [part.variable.name]));
    }
    default:
      return [];
  }
}

/** Whether it is an aggregate itself. */
export function isAggregate(expression: Expression): boolean {
  if (expression.kind === 'count star') return true;
  return expression.kind === 'call' && FUNCTIONS.get(expression.name.toLowerCase())?.aggregate === true;
}

/** Whether it is or holds an aggregate. */
export function holdsAggregate(expression: Expression): boolean {
  return isAggregate(expression) || partsOf(expression).some(holdsAggregate);
}

/** Whether a name stands anywhere in a part of a query, whatever it means there. */
export function mentions(part: unknown, name: string): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return ('name' in part && part.name === name) || Object.values(part).some((inner) => mentions(inner, name));
}

/** Whether two expressions say the same, wherever they stand and however they are spaced. */
export function saysSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const [first, second] = [entriesOf(a), entriesOf(b)];
  return (
    first.length === second.length &&
    first.every(([key, value], at) => key === second[at]?.[0] && saysSame(value, second[at]?.[1]))
  );
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([key]) => key !== 'span');
}
