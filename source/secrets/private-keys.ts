import { type SecretShape, shape } from './token-shapes.js';

/** What stands between the lines of a key: white space, its escapes in a string, the quotes and signs of quoting. */
const BETWEEN = String.raw`(?:\s|\\{1,4}[nrt]|["'+,|>#*\\-])`;
/** `Proc-Type: 4,ENCRYPTED` and the like. */
const HEADER = String.raw`(?:${BETWEEN}{0,20}[A-Za-z-]{3,30}: [^\n\\]{0,100}){0,5}`;
const BEGIN = '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
const END = `(?:${BETWEEN}{0,20}----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?`;

/**
 * Private keys in their armour, also in a string with escaped line ends, and with the end missing. The word alone,
 * without a key behind it, is ordinary code.
 */
export const PRIVATE_KEYS: readonly SecretShape[] = [
  shape(
    'private key',
    new RegExp(
      `${BEGIN}${HEADER}(?<value>${BETWEEN}{1,20}[A-Za-z0-9+/=]{16,}(?:${BETWEEN}+[A-Za-z0-9+/=]+)*)${END}`,
    ),
  ),
  shape('putty key', /Private-Lines: \d{1,4}\r?\n(?<value>(?:[A-Za-z0-9+/=]+\r?\n?)+)/),
];
