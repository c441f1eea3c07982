import type { Clause, Expression, Query } from '../ast.js';
import { parseExpression } from './expressions.js';
import { parsePatterns } from './patterns.js';
import { beginsClause, parseQueryUntil } from './queries.js';
import type { Reader } from './reader.js';

const KINDS: ReadonlyMap<string, 'exists' | 'count' | 'collect'> = new Map([
  ['EXISTS', 'exists'],
  ['COUNT', 'count'],
  ['COLLECT', 'collect'],
]);

/** `EXISTS { … }`, `COUNT { … }`, `COLLECT { … }`, if one stands here. */
export function parseSubquery(reader: Reader): Expression | null {
  const which = KINDS.get(reader.token.word);
  // `count {.name}` is a projection of a variable of that name.
  if (which === undefined || !reader.isSymbol('{', 1) || reader.isSymbol('.', 2)) return null;
  const start = reader.at++;
  const query = parseBraced(reader);
  return { kind: 'subquery', which, query, span: reader.spanFrom(start) };
}

function parseBraced(reader: Reader): Query {
  const { barEnds } = reader;
  reader.needSymbol('{');
  reader.barEnds = false;
  reader.enter();
  const query = beginsClause(reader) ? parseQueryUntil(reader, '}') : parseBarePattern(reader);
  reader.leave();
  if (!reader.takeSymbol('}')) throw reader.expected('`}`');
  reader.barEnds = barEnds;
  return query;
}

/** Patterns and a WHERE, as the query that they stand for. */
export function parseBarePattern(reader: Reader): Query {
  const start = reader.at;
  const patterns = parsePatterns(reader);
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : null;
  const span = reader.spanFrom(start);
  const clause: Clause = { kind: 'match', optional: false, patterns, where, span };
  return { kind: 'query', mode: 'run', parts: [{ clauses: [clause], span }], unionAll: [], span };
}
