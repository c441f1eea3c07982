import type { Clause, Query, SingleQuery } from '../ast.js';
import { clauseParser } from './clauses.js';
import type { Reader } from './reader.js';

const MODES: ReadonlyMap<string, 'explain' | 'profile'> = new Map([
  ['EXPLAIN', 'explain'],
  ['PROFILE', 'profile'],
]);

/** A whole text: a query, EXPLAIN or PROFILE in front of it, a `;` behind it. */
export function parseStatement(reader: Reader): Query {
  const mode = MODES.get(reader.token.word) ?? 'run';
  if (mode !== 'run') reader.at++;
  const query = parseQueryUntil(reader, 'end');
  reader.takeSymbol(';');
  if (reader.token.kind !== 'end') throw reader.expected('a clause or the end of the query');
  return { ...query, mode };
}

/** Clauses and UNIONs, up to the end of the text or a `}`, which stays. */
export function parseQueryUntil(reader: Reader, end: '}' | 'end'): Query {
  const start = reader.at;
  const parts = [parseSingle(reader, end)];
  const unionAll: boolean[] = [];
  while (reader.takeWord('UNION')) {
    const all = reader.takeWord('ALL');
    if (!all) reader.takeWord('DISTINCT');
    unionAll.push(all);
    parts.push(parseSingle(reader, end));
  }
  return { kind: 'query', mode: 'run', parts, unionAll, span: reader.spanFrom(start) };
}

function parseSingle(reader: Reader, end: '}' | 'end'): SingleQuery {
  const start = reader.at;
  const clauses: Clause[] = [];
  do clauses.push(parseClause(reader));
  while (!isOver(reader, end));
  return { clauses, span: reader.spanFrom(start) };
}

function isOver(reader: Reader, end: '}' | 'end'): boolean {
  if (reader.isWord('UNION')) return true;
  return end === '}' ? reader.isSymbol('}') : reader.token.kind === 'end' || reader.isSymbol(';');
}

/** Whether a clause begins here. */
export function beginsClause(reader: Reader): boolean {
  return clauseParser(reader) !== undefined;
}

/** One clause. */
export function parseClause(reader: Reader): Clause {
  const parse = clauseParser(reader);
  if (parse === undefined) throw noClause(reader);
  return parse(reader);
}

function noClause(reader: Reader) {
  const { token } = reader;
  // Behind a clause something of it may be missing or too much, so neither is promised.
  if (reader.at === 0) return reader.expected('a query: MATCH, RETURN, WITH, UNWIND or CALL');
  return token.kind === 'name'
    ? reader.expected('a clause')
    : reader.expected('a clause, or more of this one');
}
