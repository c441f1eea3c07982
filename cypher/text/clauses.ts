import type {
  CallProcedureClause,
  CallSubqueryClause,
  Clause,
  Expression,
  Name,
  Projection,
  ProjectionItem,
  Query,
  RemoveItem,
  ReturnClause,
  SetItem,
  SortItem,
  WithClause,
} from '../ast.js';
import { unsupported } from '../cypher-error.js';
import { POWER, parseExpression } from './expressions.js';
import { parsePattern, parsePatterns } from './patterns.js';
import { parseClause, parseQueryUntil } from './queries.js';
import type { Reader } from './reader.js';

/**
 * Clauses that change a graph. The engine never runs them: they are understood so that they are refused by what they
 * are and not by how they look, and so that test graphs can be built from them.
 */
const WRITING: ReadonlyMap<string, (reader: Reader) => Clause> = new Map([
  ['CREATE', parseCreate],
  ['MERGE', parseMerge],
  ['SET', parseSet],
  ['REMOVE', parseRemove],
  ['DELETE', parseDelete],
  ['DETACH', parseDelete],
  ['FOREACH', parseForeach],
  ['LOAD', refuse],
  ['DROP', refuse],
  ['INSERT', refuse],
  ['SHOW', refuse],
  ['USE', refuse],
]);

const READ_ONLY =
  'Cypher only reads here; what changes the graph is `codewalk index` and the recording tools.';

function refuse(reader: Reader): Clause {
  const csv = reader.isWord('LOAD') ? ' CSV' : '';
  throw unsupported(reader.text, reader.token, `${reader.token.word}${csv}`, READ_ONLY);
}

function parseCreate(reader: Reader): Clause {
  const start = reader.at;
  reader.needWord('CREATE');
  const thing = reader.token;
  if (thing.kind === 'name' && !reader.isSymbol('=', 1))
    throw unsupported(reader.text, thing, `CREATE ${thing.text.toUpperCase()}`, READ_ONLY);
  return { kind: 'create', patterns: parsePatterns(reader), span: reader.spanFrom(start) };
}

function parseMerge(reader: Reader): Clause {
  const start = reader.at;
  reader.needWord('MERGE');
  const pattern = parsePattern(reader);
  const actions: { on: 'create' | 'match'; items: SetItem[] }[] = [];
  while (reader.takeWord('ON')) {
    const on = reader.takeWord('CREATE') ? 'create' : 'match';
    if (on === 'match') reader.needWord('MATCH');
    reader.needWord('SET');
    actions.push({ on, items: parseSetItems(reader) });
  }
  return { kind: 'merge', pattern, actions, span: reader.spanFrom(start) };
}

function parseSet(reader: Reader): Clause {
  const start = reader.at;
  reader.needWord('SET');
  return { kind: 'set', items: parseSetItems(reader), span: reader.spanFrom(start) };
}

function parseSetItems(reader: Reader): SetItem[] {
  const items = [parseSetItem(reader)];
  while (reader.takeSymbol(',')) items.push(parseSetItem(reader));
  return items;
}

function parseSetItem(reader: Reader): SetItem {
  const start = reader.at;
  if (reader.token.kind === 'name') {
    if (reader.isSymbol(':', 1))
      return { kind: 'labels', ...parseLabelled(reader), span: reader.spanFrom(start) };
    if (reader.isSymbol('=', 1) || reader.isSymbol('+=', 1)) {
      const variable = reader.needVariable('a variable');
      const kind = reader.takeSymbol('=') ? 'replace' : 'merge';
      if (kind === 'merge') reader.needSymbol('+=');
      return { kind, variable, value: parseExpression(reader), span: reader.spanFrom(start) };
    }
  }
  const target = parseTarget(reader);
  reader.needSymbol('=');
  return { kind: 'property', target, value: parseExpression(reader), span: reader.spanFrom(start) };
}

/** `n.key`, `(n).key`: a comparison would take the `=` behind it. */
function parseTarget(reader: Reader): Expression {
  const target = parseExpression(reader, POWER.sum);
  if (target.kind !== 'property' && target.kind !== 'subscript')
    throw reader.wrong(target.span, 'expected a property');
  return target;
}

function parseLabelled(reader: Reader) {
  const variable = reader.needVariable('a variable');
  const labels: string[] = [];
  while (reader.takeSymbol(':')) labels.push(reader.needName('a label').name);
  return { variable, labels };
}

function parseRemove(reader: Reader): Clause {
  const start = reader.at;
  reader.needWord('REMOVE');
  const items: RemoveItem[] = [];
  do {
    const from = reader.at;
    if (reader.token.kind === 'name' && reader.isSymbol(':', 1))
      items.push({ kind: 'labels', ...parseLabelled(reader), span: reader.spanFrom(from) });
    else items.push({ kind: 'property', target: parseTarget(reader), span: reader.spanFrom(from) });
  } while (reader.takeSymbol(','));
  return { kind: 'remove', items, span: reader.spanFrom(start) };
}

function parseDelete(reader: Reader): Clause {
  const start = reader.at;
  const detach = reader.takeWord('DETACH');
  reader.needWord('DELETE');
  const expressions = [parseExpression(reader)];
  while (reader.takeSymbol(',')) expressions.push(parseExpression(reader));
  return { kind: 'delete', detach, expressions, span: reader.spanFrom(start) };
}

function parseForeach(reader: Reader): Clause {
  const start = reader.at;
  reader.needWord('FOREACH');
  reader.needSymbol('(');
  const variable = reader.needVariable('a variable');
  reader.needWord('IN');
  reader.barEnds = true;
  const list = parseExpression(reader);
  reader.barEnds = false;
  reader.needSymbol('|');
  reader.enter();
  const clauses: Clause[] = [];
  while (!reader.isSymbol(')')) clauses.push(parseClause(reader));
  reader.leave();
  reader.needSymbol(')');
  return { kind: 'foreach', variable, list, clauses, span: reader.spanFrom(start) };
}

/** Reads one clause, which begins at the next token. */
export type ParseClause = (reader: Reader) => Clause;

/** Who reads what begins at the next token; undefined: no clause begins there. */
export function clauseParser(reader: Reader): ParseClause | undefined {
  const { word } = reader.token;
  return READING.get(word) ?? WRITING.get(word);
}

const READING: ReadonlyMap<string, ParseClause> = new Map<string, ParseClause>([
  ['MATCH', parseMatch],
  ['OPTIONAL', parseMatch],
  ['UNWIND', parseUnwind],
  ['WITH', parseWith],
  ['RETURN', parseReturn],
  ['CALL', parseCallClause],
]);

function parseMatch(reader: Reader): Clause {
  const start = reader.at;
  const optional = reader.takeWord('OPTIONAL');
  if (optional && reader.isWord('CALL'))
    throw unsupported(reader.text, reader.token, 'OPTIONAL CALL', 'Use OPTIONAL MATCH, or CALL { … }.');
  reader.needWord('MATCH');
  const patterns = parsePatterns(reader);
  if (reader.isWord('USING'))
    throw unsupported(reader.text, reader.token, 'USING', 'Leave it out: the planner chooses.');
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : null;
  return { kind: 'match', optional, patterns, where, span: reader.spanFrom(start) };
}

function parseUnwind(reader: Reader): Clause {
  const start = reader.at;
  reader.needWord('UNWIND');
  const list = parseExpression(reader);
  reader.needWord('AS');
  const variable = reader.needVariable('a variable');
  return { kind: 'unwind', list, variable, span: reader.spanFrom(start) };
}

function parseCallClause(reader: Reader): Clause {
  const start = reader.at;
  reader.needWord('CALL');
  return reader.isSymbol('{') || reader.isSymbol('(')
    ? parseCallSubquery(reader, start)
    : parseCallProcedure(reader, start);
}

function parseCallSubquery(reader: Reader, start: number): CallSubqueryClause {
  const scope = reader.isSymbol('(') ? parseScopeClause(reader) : null;
  reader.needSymbol('{');
  reader.enter();
  const query = parseQueryUntil(reader, '}');
  reader.leave();
  reader.needSymbol('}');
  if (reader.isWord('IN'))
    throw unsupported(reader.text, reader.token, 'CALL { … } IN TRANSACTIONS', 'Leave it out.');
  return {
    kind: 'call subquery',
    query,
    imports: scope ?? importsOf(query),
    scoped: scope !== null,
    span: reader.spanFrom(start),
  };
}

function parseScopeClause(reader: Reader): Name[] | '*' {
  reader.needSymbol('(');
  const names: Name[] = [];
  const all = reader.takeSymbol('*');
  if (!all && !reader.isSymbol(')')) {
    do names.push(reader.needVariable('a variable'));
    while (reader.takeSymbol(','));
  }
  reader.needSymbol(')');
  return all ? '*' : names;
}

/** The names that a leading `WITH a, b` of any part brings in, if it does nothing else. */
function importsOf(query: Query): Name[] | '*' | null {
  const names = new Map<string, Name>();
  let found = false;
  for (const { clauses } of query.parts) {
    const [first] = clauses;
    if (first?.kind !== 'with') continue;
    const { items, all, distinct, orderBy, skip, limit, where } = first;
    const more = distinct || orderBy.length > 0 || skip !== null || limit !== null || where !== null;
    if (more || items.some(({ expression, alias }) => expression.kind !== 'variable' || alias !== null))
      continue;
    if (all) return '*';
    found = true;
    for (const { name, span } of items) names.set(name, { name, span });
  }
  return found ? [...names.values()] : null;
}

function parseCallProcedure(reader: Reader, start: number): CallProcedureClause {
  const parts = [reader.needName('a procedure, `{` or `(`').name];
  while (reader.takeSymbol('.')) parts.push(reader.needName('a procedure').name);
  const given = reader.isSymbol('(') ? parseArguments(reader) : null;
  const yields = reader.takeWord('YIELD') ? parseYields(reader) : null;
  const where = yields !== null && reader.takeWord('WHERE') ? parseExpression(reader) : null;
  const span = reader.spanFrom(start);
  return { kind: 'call procedure', name: parts.join('.'), arguments: given, yields, where, span };
}

function parseArguments(reader: Reader): Expression[] {
  const given: Expression[] = [];
  reader.needSymbol('(');
  if (!reader.isSymbol(')')) {
    do given.push(parseExpression(reader));
    while (reader.takeSymbol(','));
  }
  reader.needSymbol(')');
  return given;
}

function parseYields(reader: Reader): CallProcedureClause['yields'] {
  // `YIELD -` says that nothing is wanted.
  if (reader.takeSymbol('-')) return [];
  if (reader.takeSymbol('*')) return '*';
  const yields: { field: Name; alias: Name | null }[] = [];
  do {
    const field = reader.needVariable('a field');
    yields.push({ field, alias: reader.takeWord('AS') ? reader.needVariable('a name') : null });
  } while (reader.takeSymbol(','));
  return yields;
}

/** `WITH … [WHERE …]`. */
function parseWith(reader: Reader): WithClause {
  const start = reader.at;
  reader.needWord('WITH');
  const projection = parseProjection(reader);
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : null;
  return { kind: 'with', ...projection, where, span: reader.spanFrom(start) };
}

/** `RETURN …`. */
function parseReturn(reader: Reader): ReturnClause {
  const start = reader.at;
  reader.needWord('RETURN');
  return { kind: 'return', ...parseProjection(reader), span: reader.spanFrom(start) };
}

function parseProjection(reader: Reader): Omit<Projection, 'span'> {
  const distinct = reader.takeWord('DISTINCT');
  const all = reader.takeSymbol('*');
  const items: ProjectionItem[] = [];
  if (!all || reader.takeSymbol(',')) {
    do items.push(parseItem(reader));
    while (reader.takeSymbol(','));
  }
  const orderBy = parseOrder(reader);
  const skip = reader.takeWord('SKIP') || reader.takeWord('OFFSET') ? parseExpression(reader) : null;
  const limit = reader.takeWord('LIMIT') ? parseExpression(reader) : null;
  if (reader.isWord('SKIP') || reader.isWord('ORDER'))
    throw reader.wrong(
      reader.token,
      `${reader.token.word} stands too late`,
      'The order is ORDER BY, SKIP, LIMIT.',
    );
  return { distinct, all, items, orderBy, skip, limit };
}

/** What a column without AS is called: the text of its expression, parentheses and all. */
function parseItem(reader: Reader): ProjectionItem {
  const start = reader.at;
  const expression = parseExpression(reader);
  const written = reader.spanFrom(start);
  const alias = reader.takeWord('AS') ? reader.needVariable('a name') : null;
  const name =
    alias?.name ??
    (expression.kind === 'variable' ? expression.name : reader.text.slice(written.start, written.end));
  return { expression, alias, name, span: reader.spanFrom(start) };
}

function parseOrder(reader: Reader): SortItem[] {
  const items: SortItem[] = [];
  if (!reader.takeWord('ORDER')) return items;
  reader.needWord('BY');
  do {
    const start = reader.at;
    const expression = parseExpression(reader);
    const descending = reader.takeWord('DESC') || reader.takeWord('DESCENDING');
    if (!descending && !reader.takeWord('ASC')) reader.takeWord('ASCENDING');
    items.push({ expression, descending, span: reader.spanFrom(start) });
  } while (reader.takeSymbol(','));
  return items;
}
