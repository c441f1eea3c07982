import { MAYBE_SECRET, type NameStrength, nameStrength } from './secret-names.js';
import { NextPlaces, type SecretSpan } from './span.js';
import { after, blockValues, elementValue, type Tie, type Value, valueAt } from './value-at.js';
import { type Look, looks } from './value-look.js';

/** A name, and where it stands. */
interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly strength: NameStrength;
}

/** What a value must look like at least to be a secret, by the strength of its name and its tie. */
const LEAST: Readonly<Record<NameStrength, Readonly<Record<Tie, Look>>>> = {
  password: {
    set: 'word',
    quoted: 'word',
    line: 'numbered',
    bare: 'numbered',
    query: 'word',
    apart: 'numbered',
    argument: 'numbered',
  },
  key: {
    set: 'word',
    quoted: 'mixed',
    line: 'mixed',
    bare: 'mixed',
    query: 'mixed',
    apart: 'opaque',
    argument: 'mixed',
  },
  weak: {
    set: 'random',
    quoted: 'random',
    line: 'random',
    bare: 'random',
    query: 'opaque',
    apart: 'random',
    argument: 'random',
  },
};
/** Shortest values. */
const SHORTEST: Readonly<Record<NameStrength, Readonly<Record<Tie, number>>>> = {
  password: { set: 3, quoted: 3, line: 4, bare: 4, query: 3, apart: 7, argument: 4 },
  key: { set: 3, quoted: 8, line: 8, bare: 8, query: 6, apart: 12, argument: 8 },
  weak: { set: 24, quoted: 24, line: 24, bare: 24, query: 16, apart: 32, argument: 24 },
};

const NAME_UNIT = /[\w$.-]/;
const LONGEST_NAME = 64;

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
  /(?:^|[^\w])(?:(?:name|key|k|id|field|var|env|property|header|label|option|parameter_?key|username)["']?[ \t]{0,8}[:=][ \t]{0,8}["'`]?|variable[ \t]{1,4}["'])[\w/.-]{0,60}$/i;
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
/** A call, an access or an operator behind a value: it is code. */
const CODE_BEHIND = /^(?:\(|\[(?!masked)|\.[A-Za-z_]|\?\.|::|->)/;

/** Values that a name like `password`, `api_key` or `--token` gives away, in code, data, settings, tables, logs. */
export function namedSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const quotes = new NextPlaces(text);
  let from = 0;
  MAYBE_SECRET.lastIndex = 0;
  for (let hint = MAYBE_SECRET.exec(text); hint !== null; hint = MAYBE_SECRET.exec(text)) {
    const name = nameAround(text, hint.index, MAYBE_SECRET.lastIndex, from);
    let end = Math.max(MAYBE_SECRET.lastIndex, name?.end ?? 0);
    if (name?.strength) {
      for (const value of valuesOf(text, { ...name, strength: name.strength }, quotes)) {
        if (!isSecret(text, { ...name, strength: name.strength }, value)) continue;
        spans.push({ start: value.start, end: value.end, name: maskName(name.strength) });
        end = Math.max(end, value.end);
      }
    }
    from = end;
    MAYBE_SECRET.lastIndex = end;
  }
  return spans;
}

function maskName(strength: NameStrength): string {
  return strength === 'weak' ? 'key' : strength;
}

function nameAround(text: string, from: number, to: number, least: number) {
  let start = from;
  while (start > least && from - start < LONGEST_NAME && NAME_UNIT.test(text[start - 1] ?? '')) start--;
  let end = to;
  while (end < text.length && end - to < LONGEST_NAME && NAME_UNIT.test(text[end] ?? '')) end++;
  while (end > to && /[.-]/.test(text[end - 1] ?? '')) end--;
  // `API Key`, `Secret access key`: words of a label.
  const words =
    /[A-Za-z]{2,12}[ ](?:[A-Za-z]{2,12}[ ])?$/.exec(text.slice(Math.max(least, start - 26), start))?.[0] ??
    '';
  const next =
    /^[ ](?:key|phrase|words|codes?|access ?key|id|token|base|string)\b/i.exec(
      text.slice(end, end + 12),
    )?.[0] ?? '';
  const own = text.slice(start, end);
  const joined = next === '' ? null : nameStrength(own + next);
  if (joined) return { text: own + next, start, end: end + next.length, strength: joined };
  const strength = nameStrength(own);
  const labelled = strength === 'password' || words === '' ? null : nameStrength(words + own);
  return {
    text: own,
    start,
    end,
    strength: labelled === 'key' || labelled === 'password' ? labelled : strength,
  };
}

function valuesOf(text: string, name: Name, quotes: NextPlaces): Value[] {
  const before = text.slice(Math.max(0, name.start - 60), name.start);
  const flag = /(?:^|[\s"'`([=])(?:--?|\/)$/.test(before) || /^--?[\w-]+$/.test(name.text);
  const isElement =
    /<\/?(?:\w{1,20}:)?$/.test(before) ||
    /<[\w:-]{1,30}(?: [^<>\n]{0,40})?(?:name|key|id)=["']$/i.test(before) ||
    (/>\s{0,8}$/.test(before) && text[name.end] === '<');
  if (IS_VALUE.test(before)) {
    const paired = pairedValues(text, name.end, quotes);
    if (paired.length > 0) return paired;
    if (isElement) {
      const element = after(text, ELEMENT, name.end);
      if (element >= 0) return elementValue(text, element, quotes);
    }
    const earlier = valueBefore(text, name.start, before);
    if (earlier) return [earlier];
  }
  if (isElement) {
    const element = after(
      text,
      ELEMENT,
      name.end + (text.startsWith('</', name.end) ? closing(text, name.end) : 0),
    );
    if (element >= 0) return elementValue(text, element, quotes);
  }
  const typed = after(text, TYPED, name.end);
  if (typed >= 0) return valueAt(text, typed, 'quoted', quotes);
  const sign = after(text, SIGN, name.end);
  // A conditional between two literals is no pair.
  if (sign >= 0 && /\?\s{0,4}["'`]$/.test(before)) return [];
  if (sign >= 0) {
    const next = after(text, NEXT_LINE, sign);
    if (next >= 0) return blockValues(text, next, /s$/i.test(name.text), quotes);
    const alone = isLabel(before) ? after(text, BELOW, sign) : -1;
    if (alone >= 0) return valueAt(text, alone, 'apart', quotes);
    const fallback = after(text, FALLBACK, sign);
    if (fallback >= 0) return valueAt(text, fallback, 'bare', quotes);
    const scheme = after(text, SCHEME, sign);
    return valueAt(text, scheme < 0 ? sign : scheme, tieOf(text, name, before, sign, flag), quotes);
  }
  // Python's statement, and a verb.
  if (name.text === 'pass') return [];
  const argument = after(text, ARGUMENT, name.end);
  if (argument >= 0) {
    // The first of several arguments names the second; in a list of names it does not.
    const isFirst = text[argument - 1] === '(' || /[\w\])]\(\s{0,8}["'`]$|[[({]\s{0,2}["'`]$/.test(before);
    return valueAt(text, argument, isFirst ? 'argument' : 'apart', quotes);
  }
  if (flag && /[ \t=]/.test(text[name.end] ?? '') && !/[ \t]{2}/.test(text.slice(name.end, name.end + 2)))
    return valueAt(text, name.end + 1, isHelp(text, name.end + 1) ? 'apart' : 'set', quotes);
  if (/\blogin\s{1,5}\S{1,100}\s{1,5}$/.test(before)) return valueAt(text, name.end + 1, 'set', quotes);
  const below = isLabel(before) ? after(text, BELOW, name.end) : -1;
  if (below >= 0) return valueAt(text, below, 'apart', quotes);
  const level = after(text, LEVEL, name.end);
  if (level >= 0) return valueAt(text, level, 'apart', quotes);
  const sentence = after(text, SENTENCE, name.end);
  if (sentence < 0) return [];
  const scheme = after(text, SCHEME, sentence);
  if (scheme >= 0) return valueAt(text, scheme, 'set', quotes);
  return valueAt(text, sentence, isLiteral(text, name, sentence) ? 'quoted' : 'apart', quotes);
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

function closing(text: string, at: number): number {
  const end = text.slice(at, at + 40).indexOf('>');
  return end < 0 ? 0 : end;
}

/** Words behind a flag that explain it: `--token to pass`, `--password  the password`. */
function isHelp(text: string, at: number): boolean {
  return /^(?:to|and|or|the|a|an|is|are|for|from|in|of|with|as|that|if|when|must|can|will|not|option|flag|on|by|was|has|instead|only|which|may|should|argument|because|so|but|at|it|this)\b/i.test(
    text.slice(at, at + 12),
  );
}

function tieOf(text: string, name: Name, before: string, at: number, flag: boolean): Tie {
  if (/[?&;#]$/.test(before) && text[name.end] === '=') return 'query';
  const sign = text.slice(name.end, at);
  if (sign === '=' && /(?:^|[\s"'`([{+;,|>&=])$/.test(before) && /^[A-Z][A-Z0-9_]*$/.test(name.text))
    return 'set';
  if (flag && /^--?$|--?$/.test(before.slice(-2) || name.text.slice(0, 2)) && sign === '=') return 'set';
  if (sign === '=' && /(?:^|\n)[ \t]{0,8}(?:export |set |- )?$/.test(before) && isLineOf(text, at))
    return 'set';
  // `name=value;` of connection strings, `name=value` of shells; not of calls, where a name stands for the value.
  if (sign === '=' && name.strength === 'password' && !CODE_VALUE.test(text.slice(at, at + 100)))
    return 'set';
  return name.strength === 'password' && /[:=][ \t]{0,40}$/.test(sign) && isLineOf(text, at)
    ? 'line'
    : 'bare';
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

function isSecret(text: string, name: Name, { start, end, tie }: Value): boolean {
  const value = text.slice(start, end);
  const { strength } = name;
  if (value.length < SHORTEST[strength][tie] || value.startsWith('[masked')) return false;
  if (tie !== 'quoted' && tie !== 'set' && CODE_BEHIND.test(text.slice(end, end + 8))) return false;
  if (tie === 'set' && /^-|^\.{0,2}\/|^\\/.test(value) && !looks(value, 'random')) return false;
  if (tie === 'set' && strength !== 'password' && !looks(value, 'mixed') && !/^[A-Za-z0-9]{16,}$/.test(value))
    return false;
  // An expression, markup, an assignment.
  if ((tie === 'apart' || tie === 'line') && /[|[{(<]|=./.test(value) && !looks(value, 'random'))
    return false;
  if ((strength !== 'weak' || tie === 'quoted' || tie === 'argument') && isGenerated(value)) return true;
  if (/\s/.test(value) && tie !== 'set')
    return tie === 'quoted' && strength === 'password' && isPhrase(text, name, value);
  if (tie === 'set' && /^PWD$|OLDPWD/i.test(name.text) && /[/\\]/.test(value)) return false;
  return looks(value, LEAST[strength][tie]);
}

/** Several words are a password where a variable holds them, or where they hold what no sentence does. */
function isPhrase(text: string, name: Name, value: string): boolean {
  if (/^[A-Z][A-Z0-9_]*$/.test(name.text) && text[name.end] === '=') return true;
  return (
    value.length <= 100 &&
    !/[.:,?]\s|[.?:]$/.test(value) &&
    value.split(/\s+/).some((word) => looks(word, /\d/.test(value) ? 'numbered' : 'opaque'))
  );
}

/** A salt with blanks in it, as WordPress makes them. */
function isGenerated(value: string): boolean {
  if (value.length < 40 || value.length > 400 || /-----|\$\{/.test(value)) return false;
  return value.replace(/[\w\s]/g, '').length >= value.length / 6 && /\d/.test(value) && /[A-Z]/.test(value);
}
