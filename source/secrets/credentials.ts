import { type SecretShape, shape } from './token-shapes.js';

/** Credentials that the place in which they stand gives away: URLs, headers, command lines, statements. */
export const CREDENTIALS: readonly SecretShape[] = [
  // `scheme://user:password@host`; a value that is a placeholder is none.
  shape(
    'password in a URL',
    /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/?#"'<>`]{0,200}:(?<value>(?![$<{%*[])[^\s@/?#"'<>`]{1,500})@/i,
  ),
  shape('token in a URL', /\bhttps?:\/\/(?<value>[\w-]{20,})@/i),
  shape(
    'authorization',
    /\bauthorization["'\\]{0,4}\s{0,5}[:=,]\s{0,5}["'\\]{0,4}(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256|hmac)\s{1,5}(?<value>(?![$<{%*[])[^\s"'\\`<>]{4,8000}(?:,\s?\w{1,20}=[^\s"'\\]{1,1000}){0,20})/i,
  ),
  // No scheme: an opaque value that has a digit, so that no type or word is one.
  shape(
    'authorization',
    /\bauthorization["'\\]{0,4}\s{0,5}:\s{0,5}["'\\]{0,4}(?<value>(?=[^\s"'\\]{0,200}\d)[\w.~+/=-]{12,4000})/i,
  ),
  shape('bearer token', /\bbearer\s{1,5}(?<value>(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{16,8000})/i),
  shape(
    'cookie',
    /\b(?:set-)?cookie["'\\]{0,4}\s{0,5}:\s{0,5}["'\\]{0,4}[\w.$%!-]{1,100}=(?<value>[^\s"'\\;][^\n\r"'\\]{2,8000})/i,
  ),
  shape(
    'password of curl',
    /\bcurl\b[^\n]{0,1000}?\s(?:-u|--user|--proxy-user|-U)[ =]?["']?[^\s:"']{1,200}:(?<value>(?![$<{%*])[^\s"']{1,500})/,
  ),
  shape(
    'password of mysql',
    /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,500}?\s-p(?<value>(?![$<{%*])[^\s"'-][^\s"']{2,200})/,
  ),
  shape('password of sshpass', /\bsshpass\s{1,5}-p\s{0,5}["']?(?<value>(?![$<{%*])[^\s"']{1,200})/),
  shape(
    'password of docker',
    /\bdocker\s{1,5}login\b[^\n]{0,300}?\s-p[ =]?["']?(?<value>(?![$<{%*-])[^\s"']{1,200})/,
  ),
  shape(
    'password in SQL',
    /\b(?:identified\s{1,5}by|password)\s{1,5}(?:=\s{0,5})?'(?<value>[^'\n]{1,200})'/i,
  ),
  shape('password of netrc', /\blogin\s{1,5}\S{1,200}\s{1,5}password\s{1,5}(?<value>(?!\[)\S{1,200})/),
];
