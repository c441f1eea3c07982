import { COMMAND_NAMES, commandSecrets } from './commands.js';
import { type Name, nextName } from './names.js';
import { NEAR_WORDS, placedSecrets } from './places.js';
import { plainViews } from './plain-view.js';
import { privateKeys } from './private-keys.js';
import type { NameStrength } from './secret-names.js';
import { NextPlaces, type SecretSpan } from './span.js';
import { tableSecrets } from './tables.js';
import { TOKEN_STARTS, tokenSecrets } from './token-shapes.js';
import type { Tie, Value } from './value-at.js';
import { HIDDEN, isMember, isPlaceholder, type Look, looks } from './value-look.js';
import { valuesOf } from './value-of-name.js';
import { WordFinder } from './word-finder.js';

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

/** As much of a value as tells what it is. */
const LONGEST_LOOK = 1000;

/** A call, an access or an operator behind a value: it is code. */
const CODE_BEHIND = /^(?:\(|\[|\.[A-Za-z_]|\?\.|::|->)/;

/** Values that a name like `password`, `api_key` or `--token` gives away, in code, data, settings, tables, logs. */
function namedSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const quotes = new NextPlaces(text);
  let at = 0;
  for (let name = nextName(text, at); name !== null; name = nextName(text, at)) {
    at = name.end;
    for (const value of valuesOf(text, name, quotes)) {
      if (!isSecret(text, name, value)) continue;
      const { start, end } = value;
      spans.push({ start, end, name: name.strength === 'weak' ? 'key' : name.strength });
      at = Math.max(at, end);
    }
  }
  return spans;
}

function isSecret(text: string, name: Name, value: Value): boolean {
  const { tie } = value;
  const { strength } = name;
  const written = text.slice(value.start, Math.min(value.end, value.start + LONGEST_LOOK));
  if (written.length < SHORTEST[strength][tie]) return false;
  if ((tie === 'quoted' || tie === 'argument' || strength !== 'weak') && isGenerated(written)) return true;
  if (isCode(text, name, value, written)) return false;
  if (/\s/.test(written) && tie !== 'set')
    return tie === 'quoted' && strength === 'password' && isPhrase(text, name, written);
  // A word behind a flag for a key is its argument or a part of a sentence.
  if (tie === 'set' && strength === 'key')
    return looks(written, 'mixed') || /^[A-Za-z0-9]{16,}$/.test(written);
  return looks(written, LEAST[strength][tie]);
}

/** Whether a value is an expression, a path or an option; what hardly anybody wrote is neither. */
function isCode(text: string, name: Name, { end, tie }: Value, written: string): boolean {
  if (tie === 'quoted') return false;
  if (tie === 'apart' && isMember(written)) return true;
  if (tie !== 'set' && CODE_BEHIND.test(text.slice(end, end + 8))) return true;
  if (tie === 'set' && /^(?:OLD)?PWD$/i.test(name.text) && /[/\\]/.test(written)) return true;
  const isLike =
    tie === 'set'
      ? /^-|^\.{0,2}\/|^\\/.test(written)
      : (tie === 'apart' || tie === 'line') && /[|[{(<]|=./.test(written);
  return isLike && !looks(written, 'random');
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
  if (value.length < 40 || value.length > 400 || /-----|\$\{|:\/\//.test(value) || value.includes(HIDDEN))
    return false;
  return value.replace(/[\w\s]/g, '').length >= value.length / 6 && /\d/.test(value) && /[A-Z]/.test(value);
}

/** What may stand in a URL. */
const URL_END = /[\s"'`<>|^]/g;

const HOST = /^(?:[\w.-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?(?=$|[/?#,;:)\]}\\&*_!]|\.$)/i;

/** What a longer secret could be, each of its lines with a file's name: room that is looked at beside a cut, so that none survives in half. */
export const LONGEST_SECRET = 32_768;
/** Of a longer text only what is kept and {@link LONGEST_SECRET} beside it is looked at. */
const MOST_WHOLE = 262_144;

/** Rounds over a text: once a secret is hidden, the text next to it may match another rule. */
const MOST_ROUNDS = 4;

/**
 * The secrets of a text: in order, not overlapping. Escapes, colours of terminals and what listings put before lines hide
 * none: a text that has such is read twice, as it is and as it is meant. What is masked by them has no more secrets. Linear
 * in its length.
 */
export function secretSpans(written: string): SecretSpan[] {
  let text = hideMasks(written);
  let spans: SecretSpan[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = spansIn(text);
    if (found.length === 0) break;
    spans = merged([...spans, ...found]);
    text = hidden(text, found);
  }
  return spans;
}

function spansIn(text: string): SecretSpan[] {
  const spans = secretsOf(text);
  for (const view of plainViews(text))
    for (const { start, end, name } of secretsOf(view.text))
      spans.push({ start: view.starts[start] ?? 0, end: view.ends[end - 1] ?? 0, name });
  const found = merged(spans.filter(({ start, end }) => !text.slice(start, end).includes(HIDDEN)));
  return found.length === 0 ? found : merged([...wholes(text, found), ...repeated(text, found)]);
}

function hidden(text: string, spans: readonly SecretSpan[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    pieces.push(text.slice(at, start), HIDDEN.repeat(end - start));
    at = end;
  }
  return pieces.join('') + text.slice(at);
}

/** What a long secret is made of: where it is longer than what was looked at, it goes on. */
const SECRET_UNIT = /[\w+/=~%.-]/;
const LONG = 200;

function wholes(text: string, spans: readonly SecretSpan[]): SecretSpan[] {
  const found: SecretSpan[] = [];
  let done = 0;
  for (const span of spans) {
    let { end } = span;
    if (end <= done) continue;
    if (end - span.start >= LONG) while (end < text.length && SECRET_UNIT.test(text[end] ?? '')) end++;
    found.push({ ...span, end });
    done = end;
  }
  return found;
}

/** Shortest and longest secrets that are looked for where nothing tells them, and most of them. */
const REPEATED = { least: 8, most: 400, count: 32 };

/** The other places where a secret stands that something told: what was set is used and printed. */
function repeated(text: string, spans: readonly SecretSpan[]): SecretSpan[] {
  const names = new Map<string, string>();
  for (const { start, end, name } of spans) {
    if (names.size >= REPEATED.count) break;
    const value = text.slice(start, Math.min(end, start + REPEATED.most + 1));
    if (value.length >= REPEATED.least && value.length <= REPEATED.most && looks(value, 'mixed'))
      names.set(value, name);
  }
  const found: SecretSpan[] = [];
  for (const [value, name] of names)
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
      if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + value.length] ?? ''))
        found.push({ start: at, end: at + value.length, name });
  return found;
}

/** What was masked once stays as it is, and its words say nothing of what stands beside it. */
function hideMasks(text: string): string {
  return text.replace(/\[masked(?::[\w-]{1,40})?\]/g, (mask) => HIDDEN.repeat(mask.length));
}

const WORDS = new WordFinder([TOKEN_STARTS, NEAR_WORDS, COMMAND_NAMES]);

function secretsOf(text: string): SecretSpan[] {
  const [starts = [], near = [], commands = []] = WORDS.hits(text);
  return [
    ...privateKeys(text),
    ...tokenSecrets(text, starts),
    ...urlSecrets(text),
    ...placedSecrets(text, near),
    ...tableSecrets(text),
    ...commandSecrets(text, commands),
    ...namedSecrets(text),
  ];
}

/** The text with `[masked:NAME]` in the place of every secret. */
export function masked(text: string): string {
  return maskedRange(text, secretSpans(text), 0, text.length);
}

/**
 * The beginning and the end of a text with the secrets masked that are in it as a whole: those that a cut goes through, and
 * those that only what is left out tells.
 *
 * @param head Characters that the beginning has. @param tail Where the end begins; not before `head`.
 */
export function maskedEnds(text: string, head: number, tail: number): [head: string, tail: string] {
  const [before, behind] = [head + LONGEST_SECRET, tail - LONGEST_SECRET];
  const isWhole = text.length <= MOST_WHOLE || behind <= before;
  const seen = isWhole ? text : `${text.slice(0, before)}\n${text.slice(behind)}`;
  const spans = secretSpans(seen);
  const from = seen.length - (text.length - tail);
  return [maskedRange(seen, spans, 0, head), maskedRange(seen, spans, from, seen.length)];
}

/**
 * The text with other letters and digits in its secrets, at its length: positions stay, and code stays code. What is told
 * of source goes back to what this leaves, before anything of it is cut, named or stored.
 */
export function withoutSecrets(text: string): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of secretSpans(text)) {
    // A letter behind a backslash is a part of the sign.
    const filled = text.slice(start, end).replace(/(?<!\\)[\p{L}\p{N}]+/gu, filling);
    pieces.push(text.slice(at, start), filled);
    at = end;
  }
  return at === 0 ? text : pieces.join('') + text.slice(at);
}

/** As many units; a number stays one, also in hex. */
function filling(word: string): string {
  const digits = /^0[xob]|^\d/i.exec(word)?.[0];
  return digits ? digits.padEnd(word.length, '0') : 'masked_'.repeat(word.length).slice(0, word.length);
}

/** A part of a text with its secrets masked; a secret that reaches over an end of the part is left out whole. */
export function maskedRange(text: string, spans: readonly SecretSpan[], from: number, to: number): string {
  let result = '';
  let at = from;
  for (const { start, end, name } of spans) {
    if (end <= at || start >= to) continue;
    result += `${text.slice(at, Math.max(at, start))}[masked:${name.replaceAll(' ', '-')}]`;
    at = end;
  }
  return at < to ? result + text.slice(at, to) : result;
}

function merged(spans: readonly SecretSpan[]): SecretSpan[] {
  const result: SecretSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last && span.start < last.end) {
      if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
    } else result.push(span);
  }
  return result;
}

/** `scheme://user:password@host`, also with `@`, `/`, `?` or `#` in the password; and tokens in the user's place. */
function urlSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let [runEnd, lastAt] = [0, -1];
  for (let slashes = text.indexOf('://'); slashes >= 0; slashes = text.indexOf('://', slashes + 3)) {
    const start = slashes + 3;
    if (runEnd <= start) {
      URL_END.lastIndex = start;
      runEnd = URL_END.exec(text)?.index ?? text.length;
      lastAt = start + text.slice(start, runEnd).lastIndexOf('@');
    }
    if (lastAt <= start) continue;
    const span = userInfo(text, start, Math.min(runEnd, start + 1000));
    if (span) spans.push(span);
  }
  return spans;
}

function userInfo(text: string, start: number, end: number): SecretSpan | null {
  const run = text.slice(start, end);
  const next = run.indexOf('://');
  const own = next < 0 ? run : run.slice(0, next);
  const authority = /^[^/?#]*/.exec(own)?.[0] ?? '';
  let at = authority.lastIndexOf('@');
  if (at < 0 || !HOST.test(own.slice(at + 1))) at = laterHost(own, at);
  if (at < 0) return null;
  const info = own.slice(0, at);
  const colon = info.indexOf(':');
  if (colon < 0)
    return info.length >= 10 && looks(info, 'opaque')
      ? { start, end: start + at, name: 'token in a URL' }
      : null;
  const password = info.slice(colon + 1);
  if (looks(info.slice(0, colon), 'random')) return { start, end: start + at, name: 'token in a URL' };
  if (password === '' || isPlaceholder(password) || /^[%$]\w*$/.test(password)) return null;
  return { start: start + colon + 1, end: start + at, name: 'password in a URL' };
}

/** An `@` behind a password that has signs of paths and queries in it; not one of a path behind a host. */
function laterHost(own: string, from: number): number {
  const user = /^[^\s:/?#@]{0,100}:/.exec(own)?.[0];
  if (user === undefined || /^\d{1,5}(?:[/?#]|$)/.test(own.slice(user.length))) return -1;
  for (let at = own.lastIndexOf('@'), tries = 0; at > from && at > user.length && tries < 8; tries++) {
    if (HOST.test(own.slice(at + 1))) return at;
    at = own.lastIndexOf('@', at - 1);
  }
  return -1;
}
