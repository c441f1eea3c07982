import type { Reader } from './reader.js';

/**
 * Whether a pattern of at least one relationship begins at a `(`, rather than an expression in parentheses: told by
 * its first two nodes and what is between, whatever is inside of them.
 */
export function isPatternAhead(reader: Reader, count = 0): boolean {
  if (!isNodeAhead(reader, count)) return false;
  let at = reader.ahead(count).closedBy + 1 - reader.at;
  if (reader.isSymbol('<', at)) at++;
  if (!reader.isSymbol('-', at)) return false;
  at++;
  if (reader.isSymbol('[', at)) {
    const { closedBy } = reader.ahead(at);
    if (closedBy < 0) return false;
    at = closedBy + 1 - reader.at;
  }
  if (!reader.isSymbol('-', at)) return false;
  at++;
  if (reader.isSymbol('>', at)) at++;
  return isNodeAhead(reader, at);
}

function isNodeAhead(reader: Reader, count: number): boolean {
  if (!reader.isSymbol('(', count) || reader.ahead(count).closedBy < 0) return false;
  const named = reader.ahead(count + 1).kind === 'name' && !reader.isWord('WHERE', count + 1);
  const at = count + (named ? 2 : 1);
  if (named && reader.isSymbol('$', at)) return true;
  return [')', ':', '{'].some((symbol) => reader.isSymbol(symbol, at)) || reader.isWord('WHERE', at);
}

/** Whether a symbol stands inside of the bracket that opens at the next token, and in no bracket within it. */
export function holdsSymbol(reader: Reader, symbol: string): boolean {
  const close = reader.token.closedBy - reader.at;
  let at = 1;
  while (at < close) {
    if (reader.isSymbol(symbol, at)) return true;
    const { closedBy } = reader.ahead(at);
    at = closedBy < 0 ? at + 1 : closedBy + 1 - reader.at;
  }
  return false;
}
