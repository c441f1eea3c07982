import type { Projection, ProjectionItem, ReturnClause, SortItem, WithClause } from '../ast.js';
import { parseExpression } from './expressions.js';
import type { Reader } from './reader.js';

/** `WITH … [WHERE …]`. */
export function parseWith(reader: Reader): WithClause {
  const start = reader.at;
  reader.needWord('WITH');
  const projection = parseProjection(reader);
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : null;
  return { kind: 'with', ...projection, where, span: reader.spanFrom(start) };
}

/** `RETURN …`. */
export function parseReturn(reader: Reader): ReturnClause {
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
