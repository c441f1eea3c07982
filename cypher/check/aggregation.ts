import type { Expression, Projection, ProjectionItem } from '../ast.js';
import type { Names } from './names.js';
import { holdsAggregate, isAggregate, localNames, partsOf, saysSame } from './parts.js';
import { fault, type Place, undefinedVariable } from './place.js';

/**
 * Checks columns that hold aggregates: what stands beside the aggregate must be the same for a whole group, so it is a
 * constant, a variable or a property that is a column itself.
 *
 * @throws CypherError `AmbiguousAggregationExpression`.
 */
export function checkGrouping(items: readonly ProjectionItem[], place: Place): void {
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
export function checkGroupedOrder(
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
