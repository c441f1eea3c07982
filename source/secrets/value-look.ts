/**
 * What the spelling of a value says of it, from nothing to surely made by chance.
 * - `none`: a placeholder, a type or code
 * - `word`: could be a name or a word
 * - `numbered`: a word with a number behind it
 * - `mixed`: it has digits or signs that names do not have
 * - `opaque`: no word of any language
 * - `random`: long, and so irregular that hardly anybody wrote it
 */
export type Look = 'none' | 'word' | 'numbered' | 'mixed' | 'opaque' | 'random';

const LOOKS: readonly Look[] = ['none', 'word', 'numbered', 'mixed', 'opaque', 'random'];

/** Longest part of a value that is looked at. */
const MOST = 400;

/** Stands for each unit of an earlier mask: a character that Unicode keeps out of texts. */
export const HIDDEN = '\ufdd0';

/** Words that stand where a value could: types, empty values, what forms, help texts and examples say. */
const ORDINARY =
  /^(?:string|str|text|number|int|integer|float|bool|boolean|bytes|buffer|any|unknown|object|never|void|char|varchar|null|nil|none|undefined|true|false|yes|no|on|off|required|optional|hidden|masked|redacted|removed|filtered|omitted|secret|secrets|password|passwd|passphrase|pass|pwd|token|tokens|apikey|key|keys|value|user|username|test|example|sample|placeholder|changeme|change|default|empty|missing|invalid|incorrect|wrong|expired|include|same-origin|omit|prompt|stdin|file|env|environment|foo|bar|baz|abc|mypassword|mysecret|mytoken|your.{0,60}|my[-_].{0,60}|x+|\*+|\.+|-+|_+|•+|…)$/i;
/** `${NAME}`, `<name>`, `%s`, `{{ name }}`, `process.env.NAME`, `$NAME`, `&name`. */
const PLACEHOLDER =
  /^(?:[$<{[*\\]|%[sdv({]|%[A-Za-z_]{1,40}%|#\{|@[A-Za-z{(]|process\.env|os\.(?:environ|getenv)|import\.meta|env[.(]|ENV\[|secrets\.|vars?\.|!(?:ref|sub|vault|getatt|secret)|arn:|file:|op:\/\/|vault:|ref\+|ssm:|data:|&&|\|\|)/i;
/** `a.b.c`, `a?.b`, `A::b`, `$a->b`, with what ends a statement. */
const CODE_PATH = /^[$\w]{1,100}(?:(?:\??\.|::|->)[A-Za-z_$][\w$]{0,100}){1,20}[;!,)]{0,4}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Names of types. */
const CAMEL = /^(?:[A-Z]?[a-z]{2,}|[A-Z]{2,4})(?:[A-Z][a-z]{2,}){0,8}$/;
/** Words that say what they stand for: `hono-password`, `invalid_token`, `a secret`. */
const SAMPLE =
  /^(?=[a-z_.: -]*(?:pass|secret|token|key|cookie|credential|pwd))[a-z]{1,20}(?:[_.: -][a-z]{1,20}){1,6}$/i;
/** Dates, times, versions, sizes, numbers. */
const MEASURE = /^v?[\d.,:+TZ_/-]{1,40}(?:ms|s|m|h|d|px|em|rem|vh|vw|%|kb|mb|gb|k|rc\d|alpha|beta)?$/i;

/** Whether a value looks at least so much like a secret. */
export function looks(value: string, least: Look): boolean {
  return LOOKS.indexOf(lookOf(value)) >= LOOKS.indexOf(least);
}

/** Whether a value stands for another, or is what everybody writes in its place; also where an earlier mask is in it. */
export function isPlaceholder(value: string): boolean {
  return ORDINARY.test(value) || PLACEHOLDER.test(value) || value.includes('${') || value.includes(HIDDEN);
}

/** See {@link Look}. */
export function lookOf(whole: string): Look {
  const value = whole.slice(0, MOST);
  // `{…}` of ODBC; in a placeholder of the same form stand words.
  const inner = /^(?:\{([^{}$%<>\s]{8,})\}|<([^<>\s/]{8,})>)$/.exec(value);
  if (inner) return lookOf(inner[1] ?? inner[2] ?? '') === 'opaque' ? 'opaque' : 'none';
  if (!/[\p{L}\p{N}]/u.test(value) || isPlaceholder(value)) return 'none';
  if (UUID.test(value)) return 'opaque';
  if (SAMPLE.test(value)) return 'none';
  const { digits, lower, upper, changes, longest } = countsOf(value);
  if (CODE_PATH.test(value) && digits < 2 && !isUnspeakable(value.replace(/\W/g, ''))) return 'none';
  if (/^\d{6,}$/.test(value)) return value.length >= 10 ? 'mixed' : 'numbered';
  if (MEASURE.test(value)) return 'word';
  const hex = /^[0-9a-f]{32,}$/i.test(value) && digits >= 4 && digits < value.length - 2;
  if (hex || isRandom(value, digits, lower, upper, changes, longest)) return 'random';
  if (value.length >= 8 && isUnspeakable(value)) return 'opaque';
  if (CAMEL.test(value)) return 'word';
  const pace = changes / Math.max(1, value.length - 1);
  const isName = /^[A-Za-z_$][\w$-]*$/.test(value);
  if (
    value.length >= 8 &&
    !isPathLike(value) &&
    (pace >= 0.34 || (digits >= 2 && pace >= 0.2 && !isNumbered(value)))
  )
    return 'opaque';
  if (isName && digits > 0 && !isNumbered(value)) return 'mixed';
  if (!isName && (digits > 0 || /[!@#^*+=~%?]/.test(value)) && !isPathLike(value)) return 'mixed';
  if (lower >= 4 && upper >= 4 && pace >= 0.2) return 'mixed';
  return digits > 0 && (isNumbered(value) || /[a-z]\d{2,4}$/.test(value)) ? 'numbered' : 'word';
}

/** The letters that hardly ever follow a, b, c and so on: counted over the words of hono, flask, vue and this project. */
const RARELY_NEXT =
  'hjoqz ghjknpqvwxz gjnpqvwxz hjkmpqvwxz kz ghjkmnpqvwxz bcdfjkpqvwxyz bcdfghjklpqvwxz hijquwy bcdfghijklmnpqrtvwxyz bcdfghjklmopqrtuvwxyz ghjmnqrwxz cfghjknqrvwxz jqxz hqyz bfjkmnqvwxz abcdefghijklmnopqrstvwxyz hjqxz bdjqz bgjknqvxz hjkquvwxyz bcdfghjklmnpqrstuvwxyz bcdfgjklmpqtuvwxyz abdfghjklmnoqrsuvwyz abcdfghjkqruvwxyz bcdfghjklmnpqrstuvwxyz'.split(
    ' ',
  );
/** Hardly a word has more such pairs; most runs of ten letters by chance have. */
const MOST_RARE = 2;

/** Letters and digits that no language puts side by side. */
function isUnspeakable(value: string): boolean {
  if (!/^[A-Za-z0-9]+$/.test(value)) return false;
  let rare = 0;
  for (let i = 1; i < value.length; i++) {
    const next = value[i] ?? '';
    // Words of capitals alone abbreviate, and a capital begins a word.
    if (next < 'a') continue;
    const before = (value.charCodeAt(i - 1) | 32) - 97;
    if (RARELY_NEXT[before]?.includes(next)) rare++;
  }
  return rare > MOST_RARE;
}

/** `token1`, `utf8`, `password_2`: a name with a number behind it. */
function isNumbered(value: string): boolean {
  return /^[A-Za-z_$-]{1,200}\d{1,4}$/.test(value) && !/[a-z][A-Z][A-Z]|[A-Z]{2}[a-z][A-Z]/.test(value);
}

/** Paths, globs, addresses, names in kebab case, calls. */
function isPathLike(value: string): boolean {
  return (
    /^(?:\.{0,2}\/|\.[a-z]|[A-Za-z]:\\|~\/|@[\w-]+\/|https?:\/\/|[\w-]{1,60}\/[\w-]{1,60}\/)/.test(value) ||
    /^[A-Za-z]+(?:[-_.:/][A-Za-z]{2,}){1,20}\d{0,3}$/.test(value) ||
    /\(\)?$|^\w{1,60}\(/.test(value) ||
    /^[\w./*-]{1,200}\.(?:[cm]?[jt]sx?|json|ya?ml|py|go|rs|java|rb|php|txt|md|pem|key|crt|html|css|vue|toml|lock|env|cfg|ini|com|org|net|io|dev)$/i.test(
      value,
    )
  );
}

function isRandom(
  value: string,
  digits: number,
  lower: number,
  upper: number,
  changes: number,
  longest: number,
): boolean {
  if (value.length < 20 || !/^[\w+/=.~-]*$/.test(value)) return false;
  const pace = changes / (value.length - 1);
  if (longest < 8) return false;
  return (
    pace >= 0.38 &&
    ((digits >= 1 && lower >= 2 && upper >= 2) || (digits >= 3 && lower + upper >= 3) || pace >= 0.45)
  );
}

/** @returns `changes`: between letters in lower case, in upper case and digits; `longest`: run of these alone. */
function countsOf(value: string) {
  let [digits, lower, upper, changes, longest, run, last] = [0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    const kind =
      unit >= 97 && unit <= 122 ? 1 : unit >= 65 && unit <= 90 ? 2 : unit >= 48 && unit <= 57 ? 3 : 4;
    if (kind === 1) lower++;
    else if (kind === 2) upper++;
    else if (kind === 3) digits++;
    const isSeparator = unit === 45 || unit === 95 || unit === 46 || unit === 47;
    if (kind !== last && last !== 0 && !(kind === 4 && isSeparator) && last !== 5) changes++;
    last = kind === 4 && isSeparator ? 5 : kind;
    run = kind === 4 ? 0 : run + 1;
    longest = Math.max(longest, run);
  }
  return { digits, lower, upper, changes, longest };
}

/** A member of what has a name: `secret, Algorithms.HS256`. */
const MEMBER = /^(?:this|self|[A-Z]\w{0,60}|[a-z]{1,40}[A-Z]\w{0,60})(?:\.[A-Za-z_$][\w$]{0,60}){1,5}$/;

/** Whether a value is one of code: by its form, and since each of its parts could be a name. */
export function isMember(value: string): boolean {
  return MEMBER.test(value) && value.split('.').every((part) => !looks(part, 'mixed'));
}
