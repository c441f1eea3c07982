import type { Expression, Projection, ReturnClause, WithClause } from '../ast.js';
import { checkGroupedOrder, checkGrouping } from './aggregation.js';
import { typeOf } from './expressions.js';
import type { Names } from './names.js';
import { holdsAggregate, partsOf } from './parts.js';
import { demand, fault, knowing, type Place } from './place.js';
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
