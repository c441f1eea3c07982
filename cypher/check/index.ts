import type { Query } from '../ast.js';
import { Names } from './names.js';
import { checkQuery } from './queries.js';
import { refuseTooLarge } from './size.js';

export { isAggregate, partsOf } from './parts.js';

/**
 * Refuses a query that contradicts itself, before it runs: names that nothing binds or that are bound twice, values of
 * the wrong kind where that is known, aggregates where no rows are grouped, columns that do not fit.
 *
 * @param text What the query was parsed from, for the places of errors.
 * @throws CypherError `CYPHER_SYNTAX`; `CYPHER_UNSUPPORTED` for writing clauses, procedures and functions that we lack.
 */
export function check(query: Query, text: string): void {
  refuseTooLarge(query, text);
  checkQuery(query, text, new Names(), 'must return');
}
