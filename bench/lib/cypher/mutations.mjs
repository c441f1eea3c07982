// Breaks queries: a token less, twice, elsewhere or another; signs that have no place; an end in the middle.
import { chance } from './chance.mjs';

const TOKEN = /[A-Za-z_]\w*|\d+|'[^']*'|\s+|./gsu;
const INTRUDERS = [
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    '.',
    '..',
    ':',
    ';',
    '|',
    '=',
    '<>',
    '-',
    '->',
    '<-',
    '*',
    '$',
    '`',
    "'",
    '"',
    '\\',
  ],
  ...[
    'MATCH',
    'RETURN',
    'WITH',
    'WHERE',
    'UNION',
    'NOT',
    'IN',
    'CASE',
    'END',
    'CALL {',
    'EXISTS {',
    'CREATE',
    'DELETE',
  ],
  ...[
    '9223372036854775808',
    '1e999',
    '0x',
    '1a',
    '-',
    '$',
    '/*',
    '//',
    '\0',
    '\ud800',
    '\u00a0',
    '\u{1f600}',
    'é',
  ],
  ...['count(*)', 'null', '[x IN ', 'shortestPath(', '*0..', '*..99999999999', '9'.repeat(30)],
];

/** A maker of broken queries out of whole ones. */
export function mutations(seed) {
  const { below, oneOf } = chance(seed);
  const ways = [
    (tokens, at) => tokens.splice(at, 1),
    (tokens, at) => tokens.splice(at, 0, tokens[at]),
    (tokens, at) => tokens.splice(at, 0, tokens[below(tokens.length)]),
    (tokens, at) => tokens.splice(at, 1, oneOf(INTRUDERS)),
    (tokens, at) => tokens.splice(at, 0, oneOf(INTRUDERS)),
    (tokens, at) => tokens.splice(at),
    (tokens, at) => tokens.splice(0, at),
    (tokens, at) => tokens.splice(at, below(6)),
  ];
  return {
    /** The query with one to three things wrong; by chance it may still be right. */
    mutated(text) {
      const tokens = text.match(TOKEN) ?? [];
      for (let times = 0; times <= below(3) && tokens.length > 0; times++)
        oneOf(ways)(tokens, below(tokens.length));
      return tokens.join('');
    },
  };
}
