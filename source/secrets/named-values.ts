import { type Name, nextName } from './names.js';
import type { NameStrength } from './secret-names.js';
import { NextPlaces, type SecretSpan } from './span.js';
import type { Tie, Value } from './value-at.js';
import { HIDDEN, isMember, type Look, looks } from './value-look.js';
import { valuesOf } from './value-of-name.js';

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
export function namedSecrets(text: string): SecretSpan[] {
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
