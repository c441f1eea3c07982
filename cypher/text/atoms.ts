import type { Expression, MapEntry, MapProjectionItem } from '../ast.js';
import { parseCall } from './calls.js';
import { parseExpression } from './expressions.js';
import { parseBracketed } from './lists.js';
import { isPatternAhead } from './lookahead.js';
import { floatValue, integerValue } from './numbers.js';
import { parsePattern, parseShortest } from './patterns.js';
import type { Reader } from './reader.js';
import { parseSubquery } from './subqueries.js';

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
