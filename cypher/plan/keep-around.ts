import type { Clause, ProjectionItem, Query, WithClause } from '../ast.js';
import { isAggregate } from '../check/index.js';
import { NOWHERE, namesInQuery, someOf } from './expression-tree.js';

/**
 * A subquery whose WITHs pass on what it uses of the query around it: there those names stay known behind a WITH that
 * does not list them. A WITH that makes one row of all, whether there are any or not, has no place for them.
 *
 * @param around Names of the query around.
 */
export function keepAround(query: Query, around: Iterable<string>): Query {
  const used = namesInQuery(query);
  const names = [...around].filter((name) => used.has(name));
  if (names.length === 0) return query;
  const parts = query.parts.map((part) => ({
    ...part,
    clauses: part.clauses.map((clause) => passingOn(clause, names)),
  }));
  return { ...query, parts };
}

function passingOn(clause: Clause, names: readonly string[]): Clause {
  if (clause.kind !== 'with' || clause.all || isOneRow(clause)) return clause;
  const listed = new Set(clause.items.map(({ name }) => name));
  const added = names.filter((name) => !listed.has(name)).map(itemOf);
  return { ...clause, items: [...clause.items, ...added] };
}

function isOneRow({ items }: WithClause): boolean {
  return items.length > 0 && items.every(({ expression }) => someOf(expression, isAggregate));
}

function itemOf(name: string): ProjectionItem {
  return { expression: { kind: 'variable', name, span: NOWHERE }, alias: null, name, span: NOWHERE };
}
