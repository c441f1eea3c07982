import type { Expression, MapProjectionItem, NodePattern, PathPattern, Query, Span } from '../ast.js';

/** Where expressions without a place of their own stand: what a plan makes itself. */
export const NOWHERE: Span = { start: 0, end: 0 };

/** Puts another expression in place of a part. */
export type Replace = (part: Expression) => Expression;

/**
 * An expression with its direct parts replaced; the same one where it has none. Patterns and subqueries stay as they
 * are: they are not computed but planned.
 */
export function mapParts(whole: Expression, replace: Replace): Expression {
  switch (whole.kind) {
    case 'literal':
    case 'parameter':
    case 'variable':
    case 'count star':
    case 'pattern':
    case 'subquery':
    case 'pattern comprehension':
      return whole;
    case 'property':
    case 'has labels':
      return { ...whole, on: replace(whole.on) };
    case 'not':
    case 'minus':
    case 'plus':
    case 'is null':
      return { ...whole, operand: replace(whole.operand) };
    case 'binary':
      return { ...whole, left: replace(whole.left), right: replace(whole.right) };
    case 'comparison':
      return { ...whole, operands: whole.operands.map(replace) };
    case 'list':
      return { ...whole, items: whole.items.map(replace) };
    case 'map':
      return {
        ...whole,
        entries: whole.entries.map((entry) => ({ ...entry, value: replace(entry.value) })),
      };
    case 'map projection':
      return {
        ...whole,
        on: replace(whole.on),
        items: whole.items.map((item) => mapProjectionItem(item, replace)),
      };
    case 'subscript':
      return { ...whole, on: replace(whole.on), index: replace(whole.index) };
    case 'slice':
      return {
        ...whole,
        on: replace(whole.on),
        from: whole.from && replace(whole.from),
        to: whole.to && replace(whole.to),
      };
    case 'list comprehension':
      return {
        ...whole,
        list: replace(whole.list),
        where: whole.where && replace(whole.where),
        map: whole.map && replace(whole.map),
      };
    case 'quantifier':
      return { ...whole, list: replace(whole.list), where: whole.where && replace(whole.where) };
    case 'reduce':
      return {
        ...whole,
        initial: replace(whole.initial),
        list: replace(whole.list),
        expression: replace(whole.expression),
      };
    case 'case':
      return {
        ...whole,
        operand: whole.operand && replace(whole.operand),
        branches: whole.branches.map(({ when, then }) => ({ when: replace(when), then: replace(then) })),
        otherwise: whole.otherwise && replace(whole.otherwise),
      };
    case 'call':
      return { ...whole, arguments: whole.arguments.map(replace) };
  }
}

function mapProjectionItem(item: MapProjectionItem, replace: Replace): MapProjectionItem {
  return item.kind === 'entry' ? { ...item, value: replace(item.value) } : item;
}

/** The direct parts of an expression, as {@link mapParts} sees them. */
export function partsOf(whole: Expression): Expression[] {
  const parts: Expression[] = [];
  mapParts(whole, (part) => {
    parts.push(part);
    return part;
  });
  return parts;
}

/** Whether an expression or a part of it is as asked. */
export function someOf(whole: Expression, is: (part: Expression) => boolean): boolean {
  return is(whole) || partsOf(whole).some((part) => someOf(part, is));
}

/** Whether an expression looks into the graph beyond what a row holds: it cannot be computed from the row alone. */
export function needsGraph(whole: Expression): boolean {
  return someOf(
    whole,
    ({ kind }) => kind === 'pattern' || kind === 'subquery' || kind === 'pattern comprehension',
  );
}

/** The names that an expression takes from around it. Those of subqueries are told too, also what they bind themselves. */
export function namesIn(whole: Expression): Set<string> {
  const names = new Set<string>();
  collectNames(whole, names);
  return names;
}

function collectNames(whole: Expression, into: Set<string>): void {
  switch (whole.kind) {
    case 'variable':
      into.add(whole.name);
      return;
    case 'pattern':
      collectPathNames(whole.pattern, into);
      return;
    case 'pattern comprehension':
      collectPathNames(whole.pattern, into);
      if (whole.where) collectNames(whole.where, into);
      collectNames(whole.map, into);
      return;
    case 'subquery':
      for (const name of namesInQuery(whole.query)) into.add(name);
      return;
    case 'list comprehension':
    case 'quantifier':
    case 'reduce':
      collectLocalNames(whole, into);
      return;
    case 'map projection':
      for (const item of whole.items) if (item.kind === 'variable') into.add(item.name);
  }
  for (const part of partsOf(whole)) collectNames(part, into);
}

type WithLocals = Extract<Expression, { kind: 'list comprehension' | 'quantifier' | 'reduce' }>;

function collectLocalNames(whole: WithLocals, into: Set<string>): void {
  collectNames(whole.list, into);
  const inner = new Set<string>();
  for (const part of partsOf(whole)) if (part !== whole.list) collectNames(part, inner);
  inner.delete(whole.variable.name);
  if (whole.kind === 'reduce') inner.delete(whole.accumulator.name);
  for (const name of inner) into.add(name);
}

function collectPathNames(path: PathPattern, into: Set<string>): void {
  if (path.variable) into.add(path.variable.name);
  for (const node of path.nodes) collectElementNames(node, into);
  for (const relationship of path.relationships) collectElementNames(relationship, into);
}

function collectElementNames(
  { variable, properties, where }: Pick<NodePattern, 'variable' | 'properties' | 'where'>,
  into: Set<string>,
): void {
  if (variable) into.add(variable.name);
  if (properties) collectNames(properties, into);
  if (where) collectNames(where, into);
}

/** All names that a query mentions: a bound from above of what it takes from around it. */
export function namesInQuery(query: Query): Set<string> {
  const names = new Set<string>();
  const take = (part: Expression | null) => {
    if (part) collectNames(part, names);
  };
  for (const clause of query.parts.flatMap((part) => part.clauses)) {
    switch (clause.kind) {
      case 'match':
        for (const path of clause.patterns) collectPathNames(path, names);
        take(clause.where);
        break;
      case 'unwind':
        take(clause.list);
        break;
      case 'call subquery':
        for (const name of namesInQuery(clause.query)) names.add(name);
        if (clause.imports !== null && clause.imports !== '*') {
          for (const { name } of clause.imports) names.add(name);
        }
        break;
      case 'with':
      case 'return':
        for (const { expression } of [...clause.items, ...clause.orderBy]) take(expression);
        take(clause.skip);
        take(clause.limit);
        if (clause.kind === 'with') take(clause.where);
        break;
    }
  }
  return names;
}

/** What two expressions share exactly where they say the same, wherever they stand. */
export function shapeOf(expression: Expression): string {
  return JSON.stringify(expression, (key, value: unknown) => {
    if (key === 'span') return undefined;
    if (typeof value === 'bigint') return { integer: String(value) };
    return value;
  });
}

/** The conditions that must all hold for a condition to hold. */
export function conjuncts(condition: Expression | null): Expression[] {
  if (condition === null) return [];
  if (condition.kind === 'binary' && condition.operator === 'and') {
    return [...conjuncts(condition.left), ...conjuncts(condition.right)];
  }
  return [condition];
}
