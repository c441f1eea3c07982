import type { Clause, Expression, RemoveItem, SetItem } from '../ast.js';
import { unsupported } from '../cypher-error.js';
import { POWER, parseExpression } from './expressions.js';
import { parsePattern, parsePatterns } from './patterns.js';
import { parseClause } from './queries.js';
import type { Reader } from './reader.js';

/**
 * Clauses that change a graph. The engine never runs them: they are understood so that they are refused by what they
 * are and not by how they look, and so that test graphs can be built from them.
 */
export const WRITING: ReadonlyMap<string, (reader: Reader) => Clause> = new Map([
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
