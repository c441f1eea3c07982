import type { Name } from './names.js';
import type { NextPlaces } from './span.js';
import { after, blockValues, elementValue, type Tie, type Value, valueAt } from './value-at.js';

/** A type between name and value: `password: string = "…"`, `let key: &str = "…"`, `var key string = "…"`. */
const TYPED =
  /[ \t]{0,4}(?::[ \t]{0,4}|[ \t])[&*?]?(?:'\w{1,10} )?[A-Za-z_][\w.<>[\]|?]{0,40}[ \t]{0,10}:?=[ \t]{0,10}(?=[@$bBfFrRuUN]{0,2}["'`])/y;
/** `:=`, `=>`, `=`, `:` and so on, behind what closes a name. */
const SIGN =
  /(?:["'`]{0,3}[\])}]{0,2}["'`*_]{0,3}|\[\])(?:[ \t]\((?:string|hex|\d{1,3} words)\))?[ \t]{0,40}(?:\.{2,60}[ \t]?)?(?:={2,4}>|→|–|<-|：|\|\|(?=[ \t]*["'`])|\?\?(?=[ \t]*["'`])|\{ get; (?:set|init); \} =|:=|\?\?=|\|\|=|\?=|\+=|=>|->|={1,3}|!={1,2}|::(?=[ \t])|:)(?![:=>]|\/[/*])(?:[*_]{1,3}|<\/\w{1,10}>)?[ \t]{0,40}(?:<(?:code|b|i|em|strong|tt|kbd|span)>|\*{1,3}|!!\w{1,10}[ \t]|&\w{1,20}[ \t]|string\(\d{1,4}\)[ \t])?/y;
/** `, "` of arguments and pairs; `("` of a call. */
const ARGUMENT =
  /["'`][ \t]{0,4},[ \t\n]{0,40}(?=[@$bBfFrRuUN]{0,2}["'`])|\([ \t\n]{0,8}(?=[@$bBfFrRuUN]{0,2}["'`])/y;
/** A value that begins on the next line: a block of YAML, or what a formatter broke. */
const NEXT_LINE = /(?:[|>][+-]?\d?)?[ \t]{0,8}\r?\n(?:[ \t]{1,60}|(?=- ))|[|>][+-]?[ \t]{1,60}/y;
/** `</key><string>`, `>`, `" encrypted="no">`, `<![CDATA[`. */
const ELEMENT =
  /(?:["'][ \t]{0,4})?(?:[ \t][^<>\n]{0,119}[^<>\n/])?>(?:\s{0,40}<\/?\w{1,20}>){0,2}\s{0,60}(?:<!\[CDATA\[)?/y;
/** The other half of a pair: `"name": "DB_PASSWORD", "value": "…"`, `key="Password" value="…"`, `- name: X` and a line on. */
const PAIRED =
  /["'`]?[ \t]{0,4}[,;]?[ \t\r\n]{0,60}(?:\{[ \t\r\n]{0,60})?(?:["']?[A-Za-z_]{1,20}["']?[ \t]{0,4}[:=][ \t]{0,4}["']?[\w -]{1,40}["']?[ \t]{0,4}[,;]?[ \t\r\n]{0,60}){0,2}?["']?(?:value|val|v|old|new|data|default|defaultValue|default_value|content|text|string|secretString|ParameterValue)["']?[ \t]{0,10}(?::|=)[ \t]{0,10}/iy;
/** What stands before a name that is a value itself. */
const IS_VALUE =
  /(?:^|[^\w])(?:(?:name|key|k|id|field|var|env|property|header|label|option|parameter_?key|username|selector)["']?[ \t]{0,8}[:=][ \t]{0,8}["'`]?|variable[ \t]{1,4}["'])[\w/.#-]{0,60}$/i;
/** A value before a name: `{"value": "…", "name": "DB_PASSWORD"}`. */
const VALUE_BEFORE =
  /["']?(?:value|val|v|default|content)["']?[ \t]{0,8}[:=][ \t]{0,8}(?:(["'])([^"'\n]{3,2000})\1|([^\s"'{}[\]]{4,400})(?=[ \t]{0,8}\r?\n))[ \t\r\n]{0,40},?[ \t\r\n]{0,40}$/iy;
const NAMES_OF_VALUES = ['value', 'val', '"v"', 'default', 'content'];
/** A value alone on the line below its name, or in a part of a form. */
const BELOW = /["'`*_:=]{0,3}[ \t]{0,8}(?:\r?\n){1,2}[ \t]{0,20}(?=\S{6,400}[ \t]{0,8}(?:\r?\n|$))/y;
/** `password for 'x': …`, `the token is …`, `key …`. */
const SENTENCE =
  /["'`*_]{0,3}(?:[ \t]{0,40}[|│║][ \t]{0,40}|[,;]|[ \t]{0,3}\.{3,60}[ \t]?|[ \t](?:[^\n:="'`{}();,]{1,60}):[ \t]{1,4}|[ \t]{1,4}(?:for|of|on)[ \t](?:[^\n:'"]{0,40}(?:'[^'\n]{1,80}'|"[^"\n]{1,80}")|[^\n:'"]{1,60}):[ \t]{1,4}|[ \t]{1,60}(?:(?:is|was|are|of|equals|set to|to|with|as|now|value)[ \t:=]{1,4}){0,2})["'`*_<]{0,3}/y;
/** `password 7 …` of network devices. */
const LEVEL = /[ \t]\d{1,2}[ \t](?=\S)/y;
/** What says how the value is kept: `{CLEARTEXT}`, `{noop}`. */
const SCHEME = /\{[A-Za-z][\w-]{2,15}\}/y;
/** A literal for where a variable is not set: `ENV['X'] || '…'`, `os.getenv("X", "…")`, `process.env.X ?? '…'`. */
const FALLBACK =
  /[ \t]{0,4}(?:<%=?[ \t]{0,4})?(?:[A-Za-z.]{0,20}(?:env|ENV|getenv|Getenv)(?:\.get|\.fetch|\.[A-Z]\w{0,60})?[[(]?["']?[\w.]{0,60}["']?[\])]?)[ \t]{0,4}(?:,|\|\||\?\?|\?:|\bor\b)[ \t]{0,4}(?=["'])/y;

/** A name in its text, with what ways to its value ask. */
interface Place {
  readonly text: string;
  readonly name: Name;
  /** What stands before the name, a few words of it. */
  readonly before: string;
  readonly isFlag: boolean;
  readonly quotes: NextPlaces;
}

/** A way from a name to its values; null where it is not the one. */
type WayToValues = (place: Place) => Value[] | null;

/** What may be the value of a name, by the first way that fits. */
export function valuesOf(text: string, name: Name, quotes: NextPlaces): Value[] {
  const before = text.slice(Math.max(0, name.start - 60), name.start);
  const isFlag = /(?:^|[\s"'`([=])(?:--?|\/)$/.test(before) || /^--?[\w-]+$/.test(name.text);
  const place = { text, name, before, isFlag, quotes };
  for (const way of WAYS) {
    const values = way(place);
    if (values) return values;
  }
  return [];
}

const WAYS: readonly WayToValues[] = [
  otherHalf,
  elementOf,
  ({ text, name, quotes }) => read(text, after(text, TYPED, name.end), 'quoted', quotes),
  assigned,
  // Python's statement, and a verb.
  ({ name }) => (name.text === 'pass' ? [] : null),
  argumentOf,
  flagged,
  ({ text, name, before, quotes }) =>
    /\blogin\s{1,5}\S{1,100}\s{1,5}$/.test(before) ? valueAt(text, name.end + 1, 'set', quotes) : null,
  ({ text, name, before, quotes }) =>
    isLabel(before) ? read(text, after(text, BELOW, name.end), 'apart', quotes) : null,
  ({ text, name, quotes }) => read(text, after(text, LEVEL, name.end), 'apart', quotes),
  told,
];

function read(text: string, at: number, tie: Tie, quotes: NextPlaces): Value[] | null {
  return at < 0 ? null : valueAt(text, at, tie, quotes);
}

/** A name that is a value itself: its own value is the other half of a pair. */
function otherHalf({ text, name, before, quotes, ...rest }: Place): Value[] | null {
  if (!IS_VALUE.test(before)) return null;
  const paired = pairedValues(text, name.end, quotes);
  if (paired.length > 0) return paired;
  const element = elementOf({ text, name, before, quotes, ...rest });
  if (element) return element;
  const earlier = valueBefore(text, name.start, before);
  return earlier && [earlier];
}

/** `"field": "password", "old": "…", "new": "…"`. */
function pairedValues(text: string, from: number, quotes: NextPlaces): Value[] {
  const values: Value[] = [];
  let at = from;
  while (values.length < 4) {
    const paired = after(text, PAIRED, at);
    const found = paired < 0 ? [] : valueAt(text, paired, 'quoted', quotes);
    const last = found.at(-1);
    if (last === undefined) break;
    values.push(...found);
    at = last.end;
  }
  return values;
}

/** The value of a pair that is written before its name. */
function valueBefore(text: string, nameStart: number, before: string): Value | null {
  const own = IS_VALUE.exec(before)?.[0].replace(/^[^\w"']/, '') ?? '';
  const stop = nameStart - own.length;
  const head = text.slice(Math.max(0, stop - 500), stop);
  const at = Math.max(...NAMES_OF_VALUES.map((name) => head.lastIndexOf(name)));
  VALUE_BEFORE.lastIndex = Math.max(0, at);
  const match = at < 0 ? null : VALUE_BEFORE.exec(head);
  const value = match?.[2] ?? match?.[3];
  if (value === undefined) return null;
  const start = stop - head.length + head.lastIndexOf(value);
  return { start, end: start + value.length, tie: match?.[2] === undefined ? 'bare' : 'quoted' };
}

/** What stands in an element that has the name, or an attribute with it. */
function elementOf({ text, name, before, quotes }: Place): Value[] | null {
  const isElement =
    /<\/?(?:\w{1,20}:)?$/.test(before) ||
    /<[\w:-]{1,30}(?: [^<>\n]{0,40})?(?:name|key|id)=["']$/i.test(before) ||
    (/>\s{0,8}$/.test(before) && text[name.end] === '<');
  if (!isElement) return null;
  // `<key>NAME</key><string>`: behind the name's own end tag.
  const close = text.startsWith('</', name.end) ? text.slice(name.end, name.end + 40).indexOf('>') : 0;
  const at = after(text, ELEMENT, name.end + Math.max(0, close));
  return at < 0 ? null : elementValue(text, at, quotes);
}

/** What is behind a sign of assignment. */
function assigned(place: Place): Value[] | null {
  const { text, name, before, quotes } = place;
  const sign = after(text, SIGN, name.end);
  if (sign < 0) return null;
  // A conditional between two literals is no pair.
  if (/\?\s{0,4}["'`]$/.test(before)) return [];
  const next = after(text, NEXT_LINE, sign);
  if (next >= 0) return blockValues(text, next, /s$/i.test(name.text), quotes);
  const below = isLabel(before) ? read(text, after(text, BELOW, sign), 'apart', quotes) : null;
  const other = below ?? read(text, after(text, FALLBACK, sign), 'bare', quotes);
  if (other) return other;
  const scheme = after(text, SCHEME, sign);
  return valueAt(text, scheme < 0 ? sign : scheme, tieOf(place, sign), quotes);
}

function tieOf({ text, name, before, isFlag }: Place, at: number): Tie {
  const sign = text.slice(name.end, at);
  if (sign === '=') {
    if (/[?&;#]$/.test(before)) return 'query';
    const isVariable = /(?:^|[\s"'`([{+;,|>&=])$/.test(before) && /^[A-Z][A-Z0-9_]*$/.test(name.text);
    const isLong = isFlag && /--?$/.test(before.slice(-2) || name.text.slice(0, 2));
    const isSetting = /(?:^|\n)[ \t]{0,8}(?:export |set |- )?$/.test(before) && isLineOf(text, at);
    // `name=value;` of connection strings, `name=value` of shells; not of calls, where a name stands for the value.
    const isPair = name.strength === 'password' && !CODE_VALUE.test(text.slice(at, at + 100));
    if (isVariable || isLong || isSetting || isPair) return 'set';
  }
  const isLine = name.strength === 'password' && /[:=][ \t]{0,40}$/.test(sign) && isLineOf(text, at);
  return isLine ? 'line' : 'bare';
}

/** A name, or several joined, with what follows an argument. */
const CODE_VALUE =
  /^[A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$]{0,60}){0,5}(?:\(|\[|[),;\]}]{1,4}(?:\s|$)|[ \t]{0,4}(?:\)|={1,3}[\w \t"'([{])|$)/;

/** Whether nothing but one word stands on the rest of a line. */
function isLineOf(text: string, at: number): boolean {
  return /^[^\s"'`,(){}[\]][^\s"'`]{0,199}(?:[ \t]{1,8}#[^\n]{0,200})?[ \t]{0,8}(?:\r?\n|$)/.test(
    text.slice(at, at + 440),
  );
}

/** The next argument of a call that has the name first, or the other of a pair of literals. */
function argumentOf({ text, name, before, quotes }: Place): Value[] | null {
  const at = after(text, ARGUMENT, name.end);
  if (at < 0) return null;
  // The first of several arguments names the second; in a list of names it does not.
  const isFirst = text[at - 1] === '(' || /[\w\])]\(\s{0,8}["'`]$|[[({]\s{0,2}["'`]$/.test(before);
  return valueAt(text, at, isFirst ? 'argument' : 'apart', quotes);
}

/** The word behind a flag; two blanks part it from its help. */
function flagged({ text, name, isFlag, quotes }: Place): Value[] | null {
  if (!isFlag || !/^[ \t=](?![ \t])/.test(text.slice(name.end, name.end + 2))) return null;
  return valueAt(text, name.end + 1, isHelp(text, name.end + 1) ? 'apart' : 'set', quotes);
}

/** Words behind a flag that explain it: `--token to pass`, `--password  the password`. */
function isHelp(text: string, at: number): boolean {
  return /^(?:to|and|or|the|a|an|is|are|for|from|in|of|with|as|that|if|when|must|can|will|not|option|flag|on|by|was|has|instead|only|which|may|should|argument|because|so|but|at|it|this)\b/i.test(
    text.slice(at, at + 12),
  );
}

/** What a sentence or a row of a table says. */
function told({ text, name, quotes }: Place): Value[] | null {
  const at = after(text, SENTENCE, name.end);
  if (at < 0) return null;
  const scheme = read(text, after(text, SCHEME, at), 'set', quotes);
  return scheme ?? valueAt(text, at, isLiteral(text, name, at) ? 'quoted' : 'apart', quotes);
}

/** Whether nothing stands before a name on its line, or that it is the field of a form. */
function isLabel(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return /^\W{0,60}(?:[A-Za-z]{2,12}[ ]){0,2}$/.test(line) || line.endsWith('; name="');
}

/** `IDENTIFIED BY PASSWORD 'x'`, `with password "x"`: a literal behind a word for a password. */
function isLiteral(text: string, { text: name, strength }: Name, at: number): boolean {
  return (
    strength === 'password' &&
    /^(?:password|passwd|passphrase|passcode|pwd)$/i.test(name) &&
    /["'`]/.test(text[at - 1] ?? '') &&
    /[ \t]/.test(text[at - 2] ?? '')
  );
}
