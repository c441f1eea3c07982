import type { Clause, Expression, MapEntry, MapProjectionItem, Name, Query } from '../ast.js';
import { parseExpression } from './expressions.js';
import { holdsSymbol, isPatternAhead } from './lookahead.js';
import { floatValue, integerValue } from './numbers.js';
import { parsePattern, parsePatterns, parseShortest } from './patterns.js';
import { beginsClause, parseQueryUntil } from './queries.js';
import type { Reader } from './reader.js';

/** What begins with `[`: a list, a comprehension of a list, or one of a pattern. */
function parseBracketed(reader: Reader): Expression {
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
function parseFilter(reader: Reader): { variable: Name; list: Expression; where: Expression | null } {
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

const KINDS: ReadonlyMap<string, 'exists' | 'count' | 'collect'> = new Map([
  ['EXISTS', 'exists'],
  ['COUNT', 'count'],
  ['COLLECT', 'collect'],
]);

/** `EXISTS { … }`, `COUNT { … }`, `COLLECT { … }`, if one stands here. */
function parseSubquery(reader: Reader): Expression | null {
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
function parseBarePattern(reader: Reader): Query {
  const start = reader.at;
  const patterns = parsePatterns(reader);
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : null;
  const span = reader.spanFrom(start);
  const clause: Clause = { kind: 'match', optional: false, patterns, where, span };
  return { kind: 'query', mode: 'run', parts: [{ clauses: [clause], span }], unionAll: [], span };
}

const QUANTIFIERS: ReadonlyMap<string, 'all' | 'any' | 'none' | 'single'> = new Map([
  ['ALL', 'all'],
  ['ANY', 'any'],
  ['NONE', 'none'],
  ['SINGLE', 'single'],
]);

/** A function and what it is given, or what only looks like one: `count(*)`, quantifiers, reduce; null: no call. */
function parseCall(reader: Reader): Expression | null {
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

/** What operators stand between: literals, names, calls, and whatever brackets hold together. */
export function parseAtom(reader: Reader): Expression {
  const { token } = reader;
  reader.spend(1);
  switch (token.kind) {
    case 'string':
      reader.at++;
      return { kind: 'literal', value: token.text, span: { start: token.start, end: token.end } };
    case 'integer': {
      reader.at++;
      const span = { start: token.start, end: token.end };
      return { kind: 'literal', value: integerValue(reader.text, span, token.text, false), span };
    }
    case 'float': {
      reader.at++;
      const span = { start: token.start, end: token.end };
      return { kind: 'literal', value: floatValue(reader.text, span, token.text), span };
    }
    case 'name':
      return parseNamed(reader);
    case 'symbol':
      return parseEnclosed(reader);
    case 'end':
      throw reader.expected('an expression');
  }
}

const CONSTANTS: ReadonlyMap<string, null | boolean> = new Map([
  ['NULL', null],
  ['TRUE', true],
  ['FALSE', false],
]);

function parseNamed(reader: Reader): Expression {
  const { token } = reader;
  const constant = CONSTANTS.get(token.word);
  if (constant !== undefined) {
    reader.at++;
    return { kind: 'literal', value: constant, span: { start: token.start, end: token.end } };
  }
  if (token.word === 'CASE') return parseCase(reader);
  const special = token.word === '' ? null : (parseSubquery(reader) ?? parseShortestValue(reader));
  if (special !== null) return special;
  const call = parseCall(reader);
  if (call !== null) return call;
  const { name, span } = reader.needVariable('an expression');
  const variable: Expression = { kind: 'variable', name, span };
  return reader.isSymbol('{') ? parseMapProjection(reader, variable) : variable;
}

function parseShortestValue(reader: Reader): Expression | null {
  const pattern = parseShortest(reader);
  return pattern === null ? null : { kind: 'pattern', pattern, span: pattern.span };
}

function parseEnclosed(reader: Reader): Expression {
  switch (reader.token.text) {
    case '(':
      return isPatternAhead(reader) ? parsePatternValue(reader) : parseParenthesized(reader);
    case '[':
      return parseBracketed(reader);
    case '{':
      return parseMap(reader);
    case '$':
      return parseParameter(reader);
    default:
      throw reader.expected('an expression');
  }
}

/** `(a)-->(b)` where a truth is asked for. */
function parsePatternValue(reader: Reader): Expression {
  const pattern = parsePattern(reader);
  return { kind: 'pattern', pattern, span: pattern.span };
}

function parseParenthesized(reader: Reader): Expression {
  reader.needSymbol('(');
  const { barEnds } = reader;
  reader.barEnds = false;
  const found = parseExpression(reader);
  reader.needSymbol(')');
  reader.barEnds = barEnds;
  return found;
}

/** `$name`, `$0`, `` $`a name` ``. */
export function parseParameter(reader: Reader): Expression {
  const start = reader.at;
  reader.needSymbol('$');
  const { token } = reader;
  if (token.kind !== 'name' && token.kind !== 'integer') throw reader.expected('the name of a parameter');
  reader.at++;
  return { kind: 'parameter', name: token.text, span: reader.spanFrom(start) };
}

/** `{key: value}`. */
export function parseMap(reader: Reader): Expression {
  const start = reader.at;
  reader.needSymbol('{');
  const { barEnds } = reader;
  reader.barEnds = false;
  const entries: MapEntry[] = [];
  if (!reader.isSymbol('}')) {
    do {
      const from = reader.at;
      const key = reader.needName('a key').name;
      reader.needSymbol(':');
      const value = parseExpression(reader);
      entries.push({ key, value, span: reader.spanFrom(from) });
    } while (reader.takeSymbol(','));
  }
  if (!reader.takeSymbol('}')) throw reader.expected('`,` or `}` in a map');
  reader.barEnds = barEnds;
  return { kind: 'map', entries, span: reader.spanFrom(start) };
}

function parseMapProjection(reader: Reader, on: Expression): Expression {
  reader.needSymbol('{');
  const { barEnds } = reader;
  reader.barEnds = false;
  const items: MapProjectionItem[] = [];
  if (!reader.isSymbol('}')) {
    do items.push(parseMapProjectionItem(reader));
    while (reader.takeSymbol(','));
  }
  if (!reader.takeSymbol('}')) throw reader.expected('`,` or `}` in a map projection');
  reader.barEnds = barEnds;
  const end = reader.tokens[reader.at - 1]?.end ?? on.span.end;
  return { kind: 'map projection', on, items, span: { start: on.span.start, end } };
}

function parseMapProjectionItem(reader: Reader): MapProjectionItem {
  const start = reader.at;
  if (reader.takeSymbol('.')) {
    if (reader.takeSymbol('*')) return { kind: 'all', span: reader.spanFrom(start) };
    return { kind: 'property', key: reader.needName('a property key').name, span: reader.spanFrom(start) };
  }
  if (reader.isSymbol(':', 1)) {
    const key = reader.needName('a key').name;
    reader.needSymbol(':');
    return { kind: 'entry', key, value: parseExpression(reader), span: reader.spanFrom(start) };
  }
  const { name, span } = reader.needVariable('`.key`, `.*`, `key: value` or a variable');
  return { kind: 'variable', name, span };
}

function parseCase(reader: Reader): Expression {
  const start = reader.at;
  reader.needWord('CASE');
  const operand = reader.isWord('WHEN') ? null : parseExpression(reader);
  const branches: { when: Expression; then: Expression }[] = [];
  do {
    reader.needWord('WHEN');
    const when = parseExpression(reader);
    if (reader.isSymbol(','))
      throw reader.wrong(
        reader.token,
        'a WHEN has one value here',
        'Write `WHEN a OR b`, or a WHEN for each value.',
      );
    reader.needWord('THEN');
    branches.push({ when, then: parseExpression(reader) });
  } while (reader.isWord('WHEN'));
  const otherwise = reader.takeWord('ELSE') ? parseExpression(reader) : null;
  reader.needWord('END');
  return { kind: 'case', operand, branches, otherwise, span: reader.spanFrom(start) };
}
