import type { Clause, Query, SingleQuery } from '../ast.js';
import { syntaxError } from '../cypher-error.js';
import { checkClause } from './clauses.js';
import type { Names } from './names.js';
import { either, type StaticType } from './types.js';

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
