import { LIMITS } from '../../schema/index.js';
import type { Query, Span } from '../ast.js';
import { syntaxError } from '../cypher-error.js';

/** What plans grow with; lists of values, in contrast, may be as long as they like. */
const COUNTED = new Set(['clauses', 'nodes', 'relationships', 'items', 'orderBy']);

/**
 * Refuses a query of more clauses, nodes, relationships and columns than can be checked and planned in good time.
 *
 * @throws CypherError `CYPHER_SYNTAX`.
 */
export function refuseTooLarge(query: Query, text: string): void {
  const { max } = LIMITS.cypherParts;
  // Each takes more than one character.
  if (text.length <= max) return;
  const waiting: object[] = [query];
  let count = 0;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const isList = 'kind' in part && part.kind === 'list';
    for (const [key, value] of Object.entries(part)) {
      if (typeof value !== 'object' || value === null || key === 'span') continue;
      if (Array.isArray(value) && COUNTED.has(key) && !isList) count += value.length;
      waiting.push(value);
    }
    if (count > max) throw tooLarge(query.span, text);
  }
}

function tooLarge({ start }: Span, text: string) {
  const said = `the query has more than ${LIMITS.cypherParts.max} clauses, nodes, relationships and columns`;
  const instead = 'Give many values as one list, in a parameter or behind IN.';
  return syntaxError(text, { start, end: start + 1 }, 'QueryTooLarge', said, instead);
}
