import type { Expression, Projection, ProjectionItem, ReturnClause, WithClause } from '../ast.js';
import { typeOf } from './expressions.js';
import type { Names } from './names.js';
import { holdsAggregate, isAggregate, localNames, partsOf, saysSame } from './parts.js';
import { demand, fault, knowing, type Place, undefinedVariable } from './place.js';
import type { StaticType } from './types.js';

/** Checks WITH or RETURN. @returns what is known behind it: its columns. */
export function checkProjection(clause: WithClause | ReturnClause, place: Place): Names {
  const columns = columnsOf(clause, place);
  const behind = place.names.only(columns);
  const grouped = clause.distinct || clause.items.some(({ expression }) => holdsAggregate(expression));
  checkGrouping(clause.items, place);
  // Behind grouping and DISTINCT the rows from before are gone.
  const sorting = knowing(place, place.names.and(columns));
  for (const { expression } of clause.orderBy) {
    if (grouped) checkGroupedOrder(expression, clause, behind, place);
    const aggregates = grouped ? 'allowed' : 'InvalidAggregation';
    typeOf(expression, { ...sorting, aggregates });
  }
  checkCount(clause.skip, 'SKIP', place);
  checkCount(clause.limit, 'LIMIT', place);
  if (clause.kind === 'with' && clause.where !== null) {
    const filtering = grouped ? knowing(place, behind) : sorting;
    demand(place, clause.where.span, typeOf(clause.where, filtering, 'truth'), ['boolean']);
  }
  return behind;
}

function columnsOf(clause: WithClause | ReturnClause, place: Place): (readonly [string, StaticType])[] {
  const columns: (readonly [string, StaticType])[] = clause.all ? [...place.names.own()] : [];
  if (clause.kind === 'return' && clause.all && columns.length === 0 && clause.items.length === 0)
    throw fault(place, clause.span, 'NoVariablesInScope', 'RETURN * has nothing to return');
  const taken = new Set(columns.map(([name]) => name));
  for (const { expression, alias, name, span } of clause.items) {
    const type = typeOf(expression, { ...place, aggregates: 'allowed' });
    if (clause.kind === 'with' && alias === null && expression.kind !== 'variable')
      throw fault(place, span, 'NoExpressionAlias', 'an expression in WITH needs a name', 'Add AS name.');
    const same = expression.kind === 'variable' && expression.name === name;
    if (clause.kind === 'with' && place.names.isOfAround(name) && !same)
      throw fault(
        place,
        span,
        'VariableAlreadyBound',
        `the variable ${name} is bound outside of this subquery`,
      );
    if (taken.has(name)) throw fault(place, span, 'ColumnNameConflict', `two columns are called ${name}`);
    taken.add(name);
    columns.push([name, type]);
  }
  return columns;
}

/** SKIP and LIMIT are whole numbers that no row changes. */
function checkCount(count: Projection['skip'], word: string, place: Place): void {
  if (count === null) return;
  refuseNames(count, word, place);
  const type = typeOf(count, place);
  const negative = count.kind === 'minus' && count.operand.kind === 'literal' && type === 'integer';
  if (negative && count.operand.kind === 'literal' && count.operand.value !== 0n)
    throw fault(place, count.span, 'NegativeIntegerArgument', `${word} cannot be negative`);
  demand(place, count.span, type, ['integer']);
}

function refuseNames(expression: Expression, word: string, place: Place): void {
  const { kind, span } = expression;
  if (kind === 'variable' || kind === 'pattern' || kind === 'subquery' || kind === 'pattern comprehension')
    throw fault(place, span, 'NonConstantExpression', `${word} cannot depend on what the query finds`);
  for (const part of partsOf(expression)) refuseNames(part, word, place);
}

/**
 * Checks columns that hold aggregates: what stands beside the aggregate must be the same for a whole group, so it is a
 * constant, a variable or a property that is a column itself.
 *
 * @throws CypherError `AmbiguousAggregationExpression`.
 */
function checkGrouping(items: readonly ProjectionItem[], place: Place): void {
  const expressions = items.map(({ expression }) => expression);
  const keys = expressions.filter((expression) => !holdsAggregate(expression));
  for (const expression of expressions)
    if (holdsAggregate(expression)) checkBeside(expression, keys, [], place);
}

function checkBeside(
  expression: Expression,
  keys: readonly Expression[],
  locals: readonly string[],
  place: Place,
): void {
  if (isAggregate(expression) || isKey(expression, keys)) return;
  if (expression.kind === 'variable' && !locals.includes(expression.name)) throw ambiguous(expression, place);
  const known = [...locals, ...localNames(expression)];
  for (const part of partsOf(expression)) checkBeside(part, keys, known, place);
}

/** Variables and properties of them only: openCypher takes nothing larger for the same. */
function isKey(expression: Expression, keys: readonly Expression[]): boolean {
  return (
    (expression.kind === 'variable' || expression.kind === 'property') &&
    keys.some((key) => saysSame(key, expression))
  );
}

function ambiguous(expression: Extract<Expression, { kind: 'variable' }>, place: Place) {
  const said = `${expression.name} differs within a group: beside an aggregate only columns may stand`;
  const instead = 'Make what stands beside the aggregate a column of WITH first.';
  return fault(place, expression.span, 'AmbiguousAggregationExpression', said, instead);
}

/**
 * Checks what rows are sorted by behind DISTINCT or aggregates: it is made of columns.
 *
 * @param behind What is known behind the clause.
 * @throws CypherError `UndefinedVariable`, `AmbiguousAggregationExpression`, `InvalidAggregation`.
 */
function checkGroupedOrder(
  expression: Expression,
  { items }: Pick<Projection, 'items'>,
  behind: Names,
  place: Place,
): void {
  const columns = items.map((item) => item.expression);
  const keys = columns.filter((column) => !holdsAggregate(column));
  const aggregated = holdsAggregate(expression);
  const walk = (part: Expression, locals: readonly string[]): void => {
    const small = part.kind === 'variable' || part.kind === 'property' || holdsAggregate(part);
    if ((small || !aggregated) && columns.some((column) => saysSame(column, part))) return;
    if (part.kind === 'variable' && !locals.includes(part.name) && !behind.has(part.name))
      throw aggregated && keys.some((key) => uses(key, part.name))
        ? ambiguous(part, place)
        : undefinedVariable({ ...place, names: behind }, part.span, part.name);
    const known = [...locals, ...localNames(part)];
    for (const inner of partsOf(part)) walk(inner, known);
    if (isAggregate(part))
      throw fault(place, part.span, 'InvalidAggregation', 'an aggregate in ORDER BY is one of the columns');
  };
  walk(expression, []);
}

function uses(expression: Expression, name: string): boolean {
  if (expression.kind === 'variable') return expression.name === name;
  return partsOf(expression).some((part) => uses(part, name));
}
