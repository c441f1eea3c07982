import type {
  CallProcedureClause,
  CallSubqueryClause,
  Clause,
  Expression,
  MatchClause,
  Projection,
  ProjectionItem,
  Query,
  ReturnClause,
  SingleQuery,
  UnwindClause,
  WithClause,
} from '../ast.js';
import { syntaxError, unsupported } from '../cypher-error.js';
import { typeOf } from './expressions.js';
import { Names } from './names.js';
import { holdsAggregate, isAggregate, localNames, mentions, partsOf, saysSame } from './parts.js';
import { bindPatterns } from './patterns.js';
import { demand, fault, knowing, type Place, undefinedVariable } from './place.js';
import { either, itemOf, type StaticType } from './types.js';

/** Checks WITH or RETURN. @returns what is known behind it: its columns. */
function checkProjection(clause: WithClause | ReturnClause, place: Place): Names {
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

/** Checks a clause. @returns what is known behind it. */
function checkClause(clause: Clause, text: string, names: Names): Names {
  const place: Place = { text, names, aggregates: 'InvalidAggregation' };
  switch (clause.kind) {
    case 'match':
      return checkMatch(clause, place);
    case 'unwind':
      return checkUnwind(clause, place);
    case 'call subquery':
      return checkCall(clause, place);
    case 'call procedure':
      throw noProcedures(clause, text);
    case 'with':
    case 'return':
      return checkProjection(clause, place);
    default:
      throw readOnly(clause, text);
  }
}

function checkMatch({ patterns, where }: MatchClause, place: Place): Names {
  const names = bindPatterns(patterns, place);
  if (where !== null) {
    const behind = { ...place, names };
    demand(behind, where.span, typeOf(where, behind, 'truth'), ['boolean']);
  }
  return names;
}

function checkUnwind({ list, variable }: UnwindClause, place: Place): Names {
  const type = typeOf(list, place);
  if (place.names.has(variable.name))
    throw fault(
      place,
      variable.span,
      'VariableAlreadyBound',
      `the variable ${variable.name} is bound already`,
    );
  // What is no list counts as a list of itself.
  return place.names.and([[variable.name, typeof type === 'object' ? itemOf(type) : 'any']]);
}

function checkCall({ query, imports, scoped }: CallSubqueryClause, place: Place): Names {
  const { text, names } = place;
  const inner = new Names(imported(imports, place));
  if (!scoped) refuseUnevenImports(query, imports, place);
  const columns = checkQuery(query, text, scoped ? inner.within() : inner, 'must return');
  for (const [name] of columns)
    if (names.has(name))
      throw fault(
        place,
        query.span,
        'VariableAlreadyBound',
        `the subquery returns ${name}, which is bound outside of it`,
      );
  return names.and(columns);
}

/** Parts of a UNION begin with the same names here: a part that did not import one would see it all the same. */
function refuseUnevenImports(query: Query, imports: CallSubqueryClause['imports'], place: Place): void {
  if (imports === null || imports === '*') return;
  for (const part of query.parts) {
    const [first] = part.clauses;
    const own = first?.kind === 'with' ? first.items.map(({ name }) => name) : [];
    const missing = imports.find(({ name }) => !own.includes(name) && mentions(part, name));
    if (missing === undefined) continue;
    const what = `a UNION in CALL { … } of which only some parts import ${missing.name}`;
    throw unsupported(place.text, part.span, what, `Begin with CALL (${missing.name}) { … }.`);
  }
}

function imported(imports: CallSubqueryClause['imports'], place: Place): (readonly [string, StaticType])[] {
  const { names } = place;
  if (imports === null) return [];
  if (imports === '*') return names.all().map((name) => [name, names.typeOf(name) ?? 'any']);
  return imports.map(({ name, span }) => {
    const type = names.typeOf(name);
    if (type === undefined) throw undefinedVariable(place, span, name);
    return [name, type];
  });
}

/** What procedures are asked for elsewhere, as queries. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['db.labels', 'MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label'],
  ['db.relationshiptypes', 'MATCH ()-[r]->() RETURN DISTINCT type(r)'],
  ['db.propertykeys', 'MATCH (n) UNWIND keys(n) AS key RETURN DISTINCT key'],
]);

function noProcedures({ name, span }: CallProcedureClause, text: string) {
  const instead = INSTEAD.get(name.toLowerCase());
  const suggestion = instead === undefined ? 'There are no procedures here.' : `Use ${instead}.`;
  return unsupported(text, { start: span.start, end: span.end }, `the procedure ${name}`, suggestion);
}

function readOnly(clause: Clause, text: string) {
  const keyword = { start: clause.span.start, end: clause.span.start + clause.kind.length };
  return unsupported(text, keyword, clause.kind.toUpperCase(), READ_ONLY);
}

const READ_ONLY =
  'Cypher only reads here: `codewalk index` brings the code up to date, the recording tools write what agents did.';

/** What a query gives: its columns, and what is known of them. */
export type Columns = readonly (readonly [string, StaticType])[];

/**
 * Checks a query, and all UNIONs of it.
 *
 * @param names What it begins with.
 * @param end Whether it may end without RETURN: then it has no columns.
 */
export function checkQuery(
  query: Query,
  text: string,
  names: Names,
  end: 'must return' | 'may end anywhere',
): Columns {
  const all = query.parts.map((part) => checkSingle(part, text, names, end));
  const [first = []] = all;
  for (const [at, columns] of all.entries()) {
    const same =
      columns.length === first.length && columns.every(([name], column) => name === first[column]?.[0]);
    if (!same) throw differentColumns(query, at, text);
  }
  if (new Set(query.unionAll).size > 1)
    throw syntaxError(text, query.span, 'InvalidClauseComposition', 'UNION and UNION ALL cannot be mixed');
  return first.map(([name, type], column) => [
    name,
    all.reduce((known, columns) => either(known, columns[column]?.[1] ?? 'any'), type),
  ]);
}

function differentColumns(query: Query, at: number, text: string) {
  const span = query.parts[at]?.clauses.at(-1)?.span ?? query.span;
  return syntaxError(
    text,
    span,
    'DifferentColumnsInUnion',
    'all parts of a UNION have the same columns in the same order',
  );
}

function checkSingle(
  { clauses }: SingleQuery,
  text: string,
  start: Names,
  end: 'must return' | 'may end anywhere',
): Columns {
  let names = start;
  let columns: Columns = [];
  for (const [at, clause] of clauses.entries()) {
    const last = at === clauses.length - 1;
    if (clause.kind === 'return' && !last) throw notLast(clauses[at + 1] ?? clause, text);
    names = checkClause(clause, text, names);
    if (last && clause.kind === 'return') columns = names.own();
    else if (last && end === 'must return') throw noReturn(clause, text);
  }
  return columns;
}

function notLast(clause: Clause, text: string) {
  const said = 'nothing follows RETURN but UNION';
  return syntaxError(text, clause.span, 'InvalidClauseComposition', said, 'Use WITH to go on.');
}

function noReturn(clause: Clause, text: string) {
  const said = `a query cannot end with ${clause.kind.toUpperCase()}`;
  return syntaxError(text, clause.span, 'InvalidClauseComposition', said, 'Add RETURN.');
}
