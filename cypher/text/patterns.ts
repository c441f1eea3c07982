import type { Expression, Name, NodePattern, PathPattern, RelationshipPattern } from '../ast.js';
import { syntaxError, unsupported } from '../cypher-error.js';
import { parseMap, parseParameter } from './atoms.js';
import { parseExpression } from './expressions.js';
import { parseLabels } from './labels.js';
import type { Reader } from './reader.js';

const SHORTEST: ReadonlyMap<string, 'one' | 'all'> = new Map([
  ['SHORTESTPATH', 'one'],
  ['ALLSHORTESTPATHS', 'all'],
]);
const SELECTORS = new Set(['SHORTEST', 'ANY', 'ALL']);

/** `p = (a)-->(b), (c)`: patterns with commas between. */
export function parsePatterns(reader: Reader): PathPattern[] {
  const patterns = [parsePattern(reader)];
  while (reader.takeSymbol(',')) patterns.push(parsePattern(reader));
  return patterns;
}

/** `p = (a)-[r]->(b)`, `shortestPath((a)-[*]->(b))`, with or without parentheses around. */
export function parsePattern(reader: Reader): PathPattern {
  const start = reader.at;
  let variable: Name | null = null;
  if (reader.token.kind === 'name' && reader.isSymbol('=', 1)) {
    variable = reader.needVariable('a variable');
    reader.needSymbol('=');
  }
  if (SELECTORS.has(reader.token.word))
    throw unsupported(
      reader.text,
      reader.token,
      `${reader.token.word} in front of a pattern`,
      SHORTEST_INSTEAD,
    );
  const found = parseShortest(reader) ?? { shortest: null, ...parseElement(reader) };
  return { ...found, variable, span: reader.spanFrom(start) };
}

const SHORTEST_INSTEAD = 'Write shortestPath((a)-[*]->(b)) or allShortestPaths((a)-[*]->(b)).';

/** `shortestPath(…)` or `allShortestPaths(…)`, if it stands here. */
export function parseShortest(reader: Reader): PathPattern | null {
  const shortest = SHORTEST.get(reader.token.word);
  if (shortest === undefined || !reader.isSymbol('(', 1)) return null;
  const start = reader.at++;
  reader.needSymbol('(');
  const element = parseElement(reader);
  reader.needSymbol(')');
  const span = reader.spanFrom(start);
  if (element.relationships.length !== 1)
    throw syntaxError(
      reader.text,
      span,
      'UnexpectedSyntax',
      'the pattern of a shortest path is one relationship between two nodes',
    );
  return { ...element, shortest, variable: null, span };
}

type Element = Pick<PathPattern, 'nodes' | 'relationships'>;

/** Nodes with relationships between. */
export function parseElement(reader: Reader): Element {
  if (reader.isSymbol('(') && reader.isSymbol('(', 1)) return parseParenthesized(reader);
  const nodes = [parseNode(reader)];
  const relationships: RelationshipPattern[] = [];
  while (reader.isSymbol('-') || reader.isSymbol('<')) {
    relationships.push(parseRelationship(reader));
    nodes.push(parseNode(reader));
  }
  return { nodes, relationships };
}

function parseParenthesized(reader: Reader): Element {
  const { token } = reader;
  reader.needSymbol('(');
  reader.enter();
  const element = parseElement(reader);
  reader.leave();
  const quantified =
    reader.isWord('WHERE') || ['+', '*', '{', '('].some((symbol) => reader.isSymbol(symbol, 1));
  if (quantified)
    throw unsupported(
      reader.text,
      token,
      'a quantified path pattern',
      'Write a relationship of variable length: -[:TYPE*1..3]->.',
    );
  reader.needSymbol(')');
  return element;
}

function parseNode(reader: Reader): NodePattern {
  const start = reader.at;
  reader.needSymbol('(');
  const { barEnds } = reader;
  reader.barEnds = false;
  const named = reader.token.kind === 'name' && !reader.isWord('WHERE');
  const variable = named ? reader.needVariable('a variable') : null;
  const labels = reader.takeSymbol(':') ? parseLabels(reader) : null;
  const properties = parseProperties(reader);
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : null;
  if (!reader.isSymbol(')')) throw reader.expected(expectedInNode({ labels, properties, where }));
  reader.at++;
  reader.barEnds = barEnds;
  return { variable, labels, properties, where, span: reader.spanFrom(start) };
}

function expectedInNode(found: Pick<NodePattern, 'labels' | 'properties' | 'where'>): string {
  if (found.where !== null) return '`)` behind the node';
  if (found.properties !== null) return 'WHERE or `)`';
  return found.labels === null ? '`:`, `{`, WHERE or `)`' : '`{`, WHERE or `)`';
}

function parseProperties(reader: Reader): Expression | null {
  if (reader.isSymbol('{')) return parseMap(reader);
  return reader.isSymbol('$') ? parseParameter(reader) : null;
}

function parseRelationship(reader: Reader): RelationshipPattern {
  const start = reader.at;
  const left = reader.takeSymbol('<');
  reader.needSymbol('-');
  const detail = reader.isSymbol('[') ? parseDetail(reader) : NO_DETAIL;
  reader.needSymbol('-');
  const right = reader.takeSymbol('>');
  if (!reader.isSymbol('(')) {
    if (reader.isSymbol('+') || reader.isSymbol('*') || reader.isSymbol('{'))
      throw unsupported(
        reader.text,
        reader.token,
        'a quantifier behind a relationship',
        'Write it inside: -[:TYPE*1..3]->.',
      );
    throw reader.expected('a node: `(`');
  }
  const direction = left === right ? 'both' : left ? 'in' : 'out';
  return { ...detail, direction, span: reader.spanFrom(start) };
}

type Detail = Omit<RelationshipPattern, 'direction' | 'span'>;

const NO_DETAIL: Detail = { variable: null, types: [], length: null, properties: null, where: null };

function parseDetail(reader: Reader): Detail {
  reader.needSymbol('[');
  const { barEnds } = reader;
  reader.barEnds = false;
  const named = reader.token.kind === 'name' && !reader.isWord('WHERE');
  const variable = named ? reader.needVariable('a variable') : null;
  const types = reader.takeSymbol(':') ? parseTypes(reader) : [];
  const length = reader.takeSymbol('*') ? parseLength(reader) : null;
  const properties = parseProperties(reader);
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : null;
  reader.barEnds = barEnds;
  if (!reader.takeSymbol(']')) throw reader.expected('`]` behind the relationship');
  return { variable, types, length, properties, where };
}

function parseTypes(reader: Reader): string[] {
  const types: string[] = [];
  do {
    reader.takeSymbol(':');
    if (['!', '%', '(', '&'].some((symbol) => reader.isSymbol(symbol))) throw noTypeExpression(reader);
    types.push(reader.needName('a relationship type').name);
  } while (reader.takeSymbol('|'));
  if (reader.isSymbol('&') || reader.isSymbol(':')) throw noTypeExpression(reader);
  return types;
}

function noTypeExpression(reader: Reader) {
  const what = 'anything but `|` between relationship types';
  return unsupported(reader.text, reader.token, what, "Compare in WHERE: type(r) <> 'CALLS'.");
}

function parseLength(reader: Reader): RelationshipPattern['length'] {
  const min = parseBound(reader);
  if (!reader.takeSymbol('..')) return { min, max: min };
  return { min, max: parseBound(reader) };
}

function parseBound(reader: Reader): number | null {
  const { token } = reader;
  if (token.kind === 'integer') {
    reader.at++;
    return Number(token.text);
  }
  if (token.kind === 'float' || reader.isSymbol('-') || reader.isSymbol('+')) {
    // `-[*]-` closes with `]` first, so a sign here stands in front of a bound.
    const said = 'the length of a relationship is a whole number, 0 or more';
    throw syntaxError(reader.text, token, 'InvalidRelationshipPattern', said);
  }
  if (reader.isSymbol('$'))
    throw unsupported(
      reader.text,
      token,
      'a parameter as the length of a relationship',
      'Write the number itself.',
    );
  return null;
}
