import type {
  CallProcedureClause,
  CallSubqueryClause,
  Clause,
  MatchClause,
  Query,
  UnwindClause,
} from '../ast.js';
import { unsupported } from '../cypher-error.js';
import { typeOf } from './expressions.js';
import { Names } from './names.js';
import { mentions } from './parts.js';
import { bindPatterns } from './patterns.js';
import { demand, fault, type Place, undefinedVariable } from './place.js';
import { checkProjection } from './projections.js';
import { checkQuery } from './queries.js';
import { itemOf, type StaticType } from './types.js';

/** Checks a clause. @returns what is known behind it. */
export function checkClause(clause: Clause, text: string, names: Names): Names {
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
