import { MAYBE_SECRET, type NameStrength, secretName } from './secret-names.js';

/** A part of a text that is a secret. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** `name = "value"`, `name: value`, `"name" => 'value'`, `--name value`; names and values have bounded lengths. */
const ASSIGNMENT =
  /(?<![\w$-])(?<dashes>--?)?(?<name>[$\w][\w.$-]{0,100}?)(?<closing>\\{0,3}["'`\]]{0,2})(?<sign>\s{0,5}(?::=|=>|==?|:|,(?=\s{0,2}\\{0,3}["']))\s{0,5}|(?<=--[\w-]{1,100})\s{1,3})(?:(?<quote>\\{0,3}["'`])(?<quoted>(?:(?!\k<quote>)[^\n]){1,2000})|(?<bare>[^\s"'`,;()[\]{}<>&|\\]{1,2000})(?<next>.?))/dgu;

/** Words that stand where a value could: types, empty values, what forms and help texts say. */
const ORDINARY =
  /^(?:string|str|text|number|int|integer|float|bool|boolean|bytes|buffer|any|unknown|object|never|void|char|varchar|null|nil|none|undefined|true|false|yes|no|required|optional|hidden|masked|redacted|removed|secret|password|passwd|token|key|value|test|example|placeholder|changeme|default|empty|missing|invalid|expired|x+|\*+|\.+|-+|_+)$/iu;
/** `${NAME}`, `<name>`, `%s`, `{{ name }}`, `process.env.NAME`, `$NAME`. */
const PLACEHOLDER =
  /^(?:[$%<{[*]|process\.env|os\.(?:environ|getenv)|import\.meta|env[.(]|ENV\[|secrets\.|vars\.|var\.)/u;

/** Values that a name like `password`, `api_key` or `--token` gives away, in code, JSON, YAML, env files, flags. */
export function assignedSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const pattern = new RegExp(ASSIGNMENT);
  const hint = new RegExp(MAYBE_SECRET);
  // A name ends on the line it begins on: lines that hold none of a secret are most, and passed over.
  for (let found = hint.exec(text); found !== null; found = hint.exec(text)) {
    const end = endOfLine(text, found.index);
    let from = Math.max(pattern.lastIndex, text.lastIndexOf('\n', found.index) + 1);
    while (from < end) {
      pattern.lastIndex = from;
      const match = pattern.exec(text);
      if (match === null) return spans;
      if (match.index >= end) break;
      const span = secretIn(match);
      if (span) spans.push(span);
      // What is assigned to another name may itself hold assignments.
      from = span?.end ?? assignedAt(match)[0];
    }
    pattern.lastIndex = from;
    hint.lastIndex = end;
  }
  return spans;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function assignedAt(match: RegExpExecArray): [start: number, end: number] {
  const { quoted, bare } = match.indices?.groups ?? {};
  return quoted ?? bare ?? [match.index + 1, match.index + 1];
}

function secretIn(match: RegExpExecArray): SecretSpan | null {
  const { name = '', quoted, bare = '' } = match.groups ?? {};
  const strength = secretName(name);
  if (strength === null) return null;
  const isSecret =
    quoted === undefined ? isBareSecret(bare, strength, match) : isQuotedSecret(quoted, strength);
  const [start, end] = assignedAt(match);
  return isSecret ? { start, end, name: strength } : null;
}

function isQuotedSecret(value: string, strength: NameStrength): boolean {
  if (ORDINARY.test(value) || PLACEHOLDER.test(value)) return false;
  if (strength === 'password') return value.length >= 3 && !isProse(value);
  return value.length >= 8 && !/\s/u.test(value) && isMixed(value);
}

/** Unquoted, a value may be code: a type, a name, a call. */
function isBareSecret(value: string, strength: NameStrength, match: RegExpMatchArray): boolean {
  const { name = '', dashes = '', sign = '', next = '' } = match.groups ?? {};
  if (value.length < 3 || ORDINARY.test(value) || PLACEHOLDER.test(value)) return false;
  if (/[([]/u.test(next) || /^[A-Z][A-Z_-]*$/u.test(value) || /^[-/]/u.test(value)) return false;
  const isPath = /^[\w$]+(?:\??\.[A-Za-z_$][\w$]*)+[;!]?$/u.test(value) && !/\d{3}/u.test(value);
  if (isPath) return false;
  if (dashes === '--') return true;
  const tight = sign.trim() === sign && sign.startsWith('=') && sign.length === 1;
  if (tight && /^[A-Z][A-Z0-9_]*$/u.test(name)) return true;
  const before = match.input?.[(match.index ?? 0) - 1] ?? '\n';
  if (tight && /[?&;\n]/u.test(before)) return isMixed(value) || strength === 'password';
  if (isMixed(value))
    return !/^[A-Za-z_$][\w$]*$/u.test(value) || /\d/u.test(value) ? hasRoom(value, strength, next) : false;
  return false;
}

/** Digits, or signs that names do not have: no word of a language. */
function isMixed(value: string): boolean {
  return (
    /\d/u.test(value) ||
    (/[a-z]/u.test(value) && /[A-Z]/u.test(value) && value.length >= 16) ||
    /[!@#^*+=~/]/u.test(value)
  );
}

/** A short name with a number behind it (`token1`) is a variable where code goes on. */
function hasRoom(value: string, strength: NameStrength, next: string): boolean {
  const isName = /^[a-z_$]+\d{1,2}$/iu.test(value);
  if (isName && (next !== '' || strength === 'key')) return strength === 'password' && !/[;,)=.]/u.test(next);
  return /^\d{1,6}(?:\.\d+)?$/u.test(value)
    ? strength === 'password' && value.length >= 4
    : value.length >= (strength === 'password' ? 3 : 8);
}

/** Sentences about a password are none. */
function isProse(value: string): boolean {
  return /^[\p{L}'’.,!?-]+(?:\s+[\p{L}'’.,!?:-]+){1,}$/u.test(value);
}
