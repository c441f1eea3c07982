import type { Expression, Name } from '../ast.js';
import { parseExpression } from './expressions.js';
import { holdsSymbol, isPatternAhead } from './lookahead.js';
import { parsePattern } from './patterns.js';
import type { Reader } from './reader.js';

/** What begins with `[`: a list, a comprehension of a list, or one of a pattern. */
export function parseBracketed(reader: Reader): Expression {
  const named = reader.ahead(1).kind === 'name';
  const { barEnds } = reader;
  let found: Expression;
  // `[x IN a, y]` is a list of truths.
  if (named && reader.isWord('IN', 2) && !holdsSymbol(reader, ',')) found = parseListComprehension(reader);
  else if (isPatternAhead(reader, named && reader.isSymbol('=', 2) ? 3 : 1) && holdsSymbol(reader, '|'))
    found = parsePatternComprehension(reader);
  else found = parseList(reader);
  reader.barEnds = barEnds;
  return found;
}

function parseList(reader: Reader): Expression {
  const start = reader.at;
  reader.needSymbol('[');
  reader.barEnds = false;
  const items: Expression[] = [];
  if (!reader.isSymbol(']')) {
    do items.push(parseExpression(reader));
    while (reader.takeSymbol(','));
  }
  if (!reader.takeSymbol(']')) throw reader.expected('`,` or `]` in a list');
  return { kind: 'list', items, span: reader.spanFrom(start) };
}

function parseListComprehension(reader: Reader): Expression {
  const start = reader.at;
  reader.needSymbol('[');
  reader.barEnds = true;
  const { variable, list, where } = parseFilter(reader);
  reader.barEnds = false;
  const map = reader.takeSymbol('|') ? parseExpression(reader) : null;
  if (!reader.takeSymbol(']')) throw reader.expected(map === null ? 'WHERE, `|` or `]`' : '`]`');
  return { kind: 'list comprehension', variable, list, where, map, span: reader.spanFrom(start) };
}

/** `x IN list WHERE …`: what comprehensions and quantifiers have in common. */
export function parseFilter(reader: Reader): { variable: Name; list: Expression; where: Expression | null } {
  const variable = reader.needVariable('a variable');
  reader.needWord('IN');
  const list = parseExpression(reader);
  return { variable, list, where: reader.takeWord('WHERE') ? parseExpression(reader) : null };
}

function parsePatternComprehension(reader: Reader): Expression {
  const start = reader.at;
  reader.needSymbol('[');
  reader.barEnds = true;
  const pattern = parsePattern(reader);
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : null;
  reader.barEnds = false;
  reader.needSymbol('|');
  const map = parseExpression(reader);
  reader.needSymbol(']');
  return { kind: 'pattern comprehension', pattern, where, map, span: reader.spanFrom(start) };
}
