import type { Expression } from '../ast.js';
import { parseExpression } from './expressions.js';
import { parseFilter } from './lists.js';
import { isPatternAhead } from './lookahead.js';
import type { Reader } from './reader.js';
import { parseBarePattern } from './subqueries.js';

const QUANTIFIERS: ReadonlyMap<string, 'all' | 'any' | 'none' | 'single'> = new Map([
  ['ALL', 'all'],
  ['ANY', 'any'],
  ['NONE', 'none'],
  ['SINGLE', 'single'],
]);

/** A function and what it is given, or what only looks like one: `count(*)`, quantifiers, reduce; null: no call. */
export function parseCall(reader: Reader): Expression | null {
  let names = 1;
  while (reader.isSymbol('.', 2 * names - 1) && reader.ahead(2 * names).kind === 'name') names++;
  if (!reader.isSymbol('(', 2 * names - 1)) return null;
  const special = names === 1 ? parseSpecial(reader) : null;
  return special ?? parseFunction(reader, names);
}

function parseSpecial(reader: Reader): Expression | null {
  const { word } = reader.token;
  const which = QUANTIFIERS.get(word);
  if (which !== undefined && reader.isWord('IN', 3)) return parseQuantifier(reader, which);
  if (word === 'REDUCE') return parseReduce(reader);
  if (word === 'EXISTS') return parseExists(reader);
  if (word !== 'COUNT' || !reader.isSymbol('*', 2)) return null;
  const start = reader.at;
  reader.at += 3;
  reader.needSymbol(')');
  return { kind: 'count star', span: reader.spanFrom(start) };
}

function parseFunction(reader: Reader, names: number): Expression {
  const start = reader.at;
  const parts: string[] = [];
  for (let index = 0; index < names; index++) {
    if (index > 0) reader.needSymbol('.');
    parts.push(names === 1 ? reader.needVariable('an expression').name : reader.needName('a function').name);
  }
  const { barEnds } = reader;
  reader.needSymbol('(');
  reader.barEnds = false;
  const distinct = reader.takeWord('DISTINCT');
  const given: Expression[] = [];
  if (distinct || !reader.isSymbol(')')) {
    do given.push(parseExpression(reader));
    while (reader.takeSymbol(','));
  }
  if (!reader.takeSymbol(')')) throw reader.expected('`,` or `)`');
  reader.barEnds = barEnds;
  return { kind: 'call', name: parts.join('.'), distinct, arguments: given, span: reader.spanFrom(start) };
}

function parseQuantifier(reader: Reader, which: 'all' | 'any' | 'none' | 'single'): Expression {
  const start = reader.at++;
  const { barEnds } = reader;
  reader.needSymbol('(');
  reader.barEnds = false;
  const { variable, list, where } = parseFilter(reader);
  if (!reader.takeSymbol(')')) throw reader.expected(where === null ? 'WHERE' : '`)`');
  reader.barEnds = barEnds;
  return { kind: 'quantifier', which, variable, list, where, span: reader.spanFrom(start) };
}

function parseReduce(reader: Reader): Expression {
  const start = reader.at++;
  const { barEnds } = reader;
  reader.needSymbol('(');
  reader.barEnds = true;
  const accumulator = reader.needVariable('the variable that is built up');
  reader.needSymbol('=');
  const initial = parseExpression(reader);
  reader.needSymbol(',');
  const variable = reader.needVariable('a variable');
  reader.needWord('IN');
  const list = parseExpression(reader);
  reader.barEnds = false;
  reader.needSymbol('|');
  const expression = parseExpression(reader);
  reader.needSymbol(')');
  reader.barEnds = barEnds;
  return { kind: 'reduce', accumulator, initial, variable, list, expression, span: reader.spanFrom(start) };
}

/** `exists(n.name)` says IS NOT NULL, `exists((a)-->(b))` what `EXISTS { (a)-->(b) }` says. */
function parseExists(reader: Reader): Expression {
  const start = reader.at++;
  const { barEnds } = reader;
  reader.needSymbol('(');
  reader.barEnds = false;
  const query = isPatternAhead(reader) ? parseBarePattern(reader) : null;
  const operand = query === null ? parseExpression(reader) : null;
  reader.needSymbol(')');
  reader.barEnds = barEnds;
  const span = reader.spanFrom(start);
  if (query !== null) return { kind: 'subquery', which: 'exists', query, span };
  if (operand === null) throw reader.expected('an expression');
  return { kind: 'is null', operand, negated: true, span };
}
