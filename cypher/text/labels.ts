import type { LabelExpression } from '../ast.js';
import type { Reader } from './reader.js';

/**
 * What follows the colon behind a node: `A:B`, `A&B`, `A|B`, `!A`, `%` and parentheses. A second colon means `&`.
 */
export function parseLabels(reader: Reader): LabelExpression {
  const start = reader.at;
  const parts = [parseAll(reader)];
  while (!reader.barEnds && reader.takeSymbol('|')) {
    reader.takeSymbol(':');
    parts.push(parseAll(reader));
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined
    ? only
    : { kind: 'or', parts, span: reader.spanFrom(start) };
}

function parseAll(reader: Reader): LabelExpression {
  const start = reader.at;
  const parts = [parseOne(reader)];
  while (reader.takeSymbol('&') || reader.takeSymbol(':')) parts.push(parseOne(reader));
  const [only] = parts;
  return parts.length === 1 && only !== undefined
    ? only
    : { kind: 'and', parts, span: reader.spanFrom(start) };
}

function parseOne(reader: Reader): LabelExpression {
  const start = reader.at;
  reader.enter();
  let found: LabelExpression;
  if (reader.takeSymbol('!')) found = { kind: 'not', part: parseOne(reader), span: reader.spanFrom(start) };
  else if (reader.takeSymbol('%')) found = { kind: 'any', span: reader.spanFrom(start) };
  else if (reader.isSymbol('(')) {
    reader.needSymbol('(');
    const { barEnds } = reader;
    reader.barEnds = false;
    found = parseLabels(reader);
    reader.barEnds = barEnds;
    reader.needSymbol(')');
  } else found = { kind: 'label', ...reader.needName('a label') };
  reader.leave();
  return found;
}
