import type { Query } from '../ast.js';
import { refuseTooDeep } from './height.js';
import { tokenize } from './lexer.js';
import { parseStatement } from './queries.js';
import { Reader } from './reader.js';

/**
 * Reads a query. Says nothing yet about whether it makes sense: `check` does.
 *
 * @param spend Told how many tokens and values were read since; what it throws is thrown. Default: nobody asks.
 * @throws CypherError `CYPHER_SYNTAX` with the place; `CYPHER_UNSUPPORTED` for what is known and not read.
 */
export function parse(text: string, spend: (items: number) => void = () => undefined): Query {
  const reader = new Reader(text, tokenize(text, spend), spend);
  const query = parseStatement(reader);
  refuseTooDeep(query, text, reader.tokens.length);
  return query;
}
