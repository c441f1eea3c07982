/** What a piece of a query's text can be; `end` stands behind the last one. */
export type TokenKind = 'name' | 'string' | 'integer' | 'float' | 'symbol' | 'end';

/** One piece of a query's text, between white space and comments. */
export interface Token {
  readonly kind: TokenKind;
  /** Offsets into the text, in UTF-16 units; `end` is behind the last one. */
  readonly start: number;
  readonly end: number;
  /** What it says: a name without its backticks, a string without quotes and escapes, all else as written. */
  readonly text: string;
  /** A name in capitals where it could be a keyword; empty for all else, and for names in backticks. */
  readonly word: string;
  /** Of a bracket that opens: where in the list of tokens the one that closes it is; -1: nowhere, or no bracket. */
  closedBy: number;
}

/** Words that name nothing unless they stand in backticks, or behind a dot or a colon. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...[
    'MATCH',
    'OPTIONAL',
    'WHERE',
    'WITH',
    'RETURN',
    'UNWIND',
    'UNION',
    'ORDER',
    'SKIP',
    'LIMIT',
    'DISTINCT',
  ],
  ...['CREATE', 'MERGE', 'SET', 'DELETE', 'DETACH', 'REMOVE', 'FOREACH', 'AS', 'CALL', 'YIELD'],
  ...['AND', 'OR', 'XOR', 'NOT', 'IN', 'IS', 'STARTS', 'ENDS', 'CONTAINS', 'NULL', 'TRUE', 'FALSE'],
  ...['CASE', 'WHEN', 'THEN', 'ELSE', 'END'],
]);
