import { LIMITS } from '../../schema/index.js';
import type { Query, Span } from '../ast.js';
import { tooDeep } from './reader.js';

/**
 * Refuses a query whose parts hold each other deeper than whoever reads it can follow: `1 + 1 + 1…` is a tree as high
 * as it is long, though nothing in it is nested.
 *
 * @param tokens How many the text has: a query of few cannot be high.
 * @throws CypherError `CYPHER_SYNTAX`.
 */
export function refuseTooDeep(query: Query, text: string, tokens: number): void {
  const { max } = LIMITS.cypherHeight;
  if (tokens <= max) return;
  const waiting: { value: object; height: number }[] = [{ value: query, height: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, height } = next;
    if (height > max) throw tooDeep(text, spanOf(value));
    const deeper = Array.isArray(value) ? height : height + 1;
    for (const part of Object.values(value))
      if (typeof part === 'object' && part !== null) waiting.push({ value: part, height: deeper });
  }
}

function spanOf(value: object): Span {
  if ('span' in value) return value.span as Span;
  return { start: 0, end: 0 };
}
