import type { CypherValue } from '../value.js';
import { isList, requireListSize, requireTextLength } from '../values/index.js';
import { countArgument, misfit, textArgument } from './arguments.js';
import { type CallSite, scalars } from './signature.js';

const text = scalars('text');

const upper = (at: CallSite, value: CypherValue) => textArgument(at, value).toUpperCase();
const lower = (at: CallSite, value: CypherValue) => textArgument(at, value).toLowerCase();
const length = (at: CallSite, value: CypherValue) => BigInt(textArgument(at, value).length);

/** Functions of texts. Lengths and places count UTF-16 units; the first place is 0. */
export const TEXT_FUNCTIONS = [
  text('toUpper(text)', 'In capitals.', ["toUpper('Walk')", "'WALK'"], upper),
  text('toLower(text)', 'In small letters.', ["toLower('Walk')", "'walk'"], lower),
  text('upper(text)', 'As toUpper.', ["upper('Walk')", "'WALK'"], upper),
  text('lower(text)', 'As toLower.', ["lower('Walk')", "'walk'"], lower),
  text(
    'substring(text, start, length?)',
    'What starts at a place, to the end or so many characters long.',
    ["substring('codewalk', 4, 2)", "'wa'"],
    (at, value, start, size) => {
      const from = countArgument(at, start ?? null);
      const whole = textArgument(at, value);
      return size === undefined ? whole.slice(from) : whole.slice(from, from + countArgument(at, size));
    },
  ),
  text('left(text, length)', 'The first characters.', ["left('codewalk', 4)", "'code'"], (at, value, size) =>
    textArgument(at, value).slice(0, countArgument(at, size)),
  ),
  text(
    'right(text, length)',
    'The last characters.',
    ["right('codewalk', 4)", "'walk'"],
    (at, value, size) => {
      const whole = textArgument(at, value);
      return whole.slice(Math.max(0, whole.length - countArgument(at, size)));
    },
  ),
  text('trim(text)', 'Without white space at both ends.', ["trim('  a b ')", "'a b'"], (at, value) =>
    textArgument(at, value).trim(),
  ),
  text(
    'btrim(text, characters?)',
    'Without these characters at both ends.',
    ["btrim('xxaxx', 'x')", "'a'"],
    trimmed(true, true),
  ),
  text(
    'ltrim(text, characters?)',
    'Without white space, or these characters, in front.',
    ["ltrim('  a ')", "'a '"],
    trimmed(true, false),
  ),
  text(
    'rtrim(text, characters?)',
    'Without white space, or these characters, at the end.',
    ["rtrim('  a ')", "'  a'"],
    trimmed(false, true),
  ),
  text(
    'replace(text, search, replacement)',
    'With every occurrence replaced.',
    ["replace('a.b.c', '.', '/')", "'a/b/c'"],
    replaced,
  ),
  text(
    'split(text, delimiter)',
    'The parts between a delimiter, or between any of a list of them.',
    ["split('a.b.c', '.')", "['a', 'b', 'c']"],
    split,
  ),
  text('char_length(text)', 'How many characters.', ["char_length('walk')", '4'], length),
  text('character_length(text)', 'As char_length.', ["character_length('walk')", '4'], length),
  text(
    'normalize(text, form?)',
    "In a Unicode normal form: 'NFC' unless said otherwise, 'NFD', 'NFKC' or 'NFKD'.",
    ["normalize('\\u212B') = '\\u00C5'", 'true'],
    (at, value, form) => {
      const name = form === undefined ? 'NFC' : textArgument(at, form).toUpperCase();
      if (!/^NFK?[CD]$/u.test(name)) throw misfit(at, "'NFC', 'NFD', 'NFKC' or 'NFKD'", form ?? null);
      return textArgument(at, value).normalize(name);
    },
  ),
];

function trimmed(start: boolean, end: boolean) {
  return (at: CallSite, value: CypherValue, characters?: CypherValue) => {
    const whole = textArgument(at, value);
    if (characters === undefined) return start ? (end ? whole.trim() : whole.trimStart()) : whole.trimEnd();
    const unwanted = new Set(textArgument(at, characters));
    const letters = [...whole];
    const isUnwanted = (letter: string) => unwanted.has(letter);
    const from = start ? letters.findIndex((letter) => !isUnwanted(letter)) : 0;
    const to = end ? letters.findLastIndex((letter) => !isUnwanted(letter)) : letters.length - 1;
    return from < 0 ? '' : letters.slice(from, to + 1).join('');
  };
}

function replaced(at: CallSite, value: CypherValue, search: CypherValue, replacement: CypherValue): string {
  const [whole, wanted, put] = [
    textArgument(at, value),
    textArgument(at, search),
    textArgument(at, replacement),
  ];
  if (wanted === '') return whole;
  const parts = whole.split(wanted);
  requireTextLength(whole.length + (parts.length - 1) * (put.length - wanted.length), at.span);
  return parts.join(put);
}

function split(at: CallSite, value: CypherValue, delimiter: CypherValue): readonly string[] {
  const whole = textArgument(at, value);
  if (!isList(delimiter)) {
    const wanted = textArgument(at, delimiter);
    const parts = wanted === '' ? [...whole] : whole.split(wanted);
    requireListSize(parts.length, at.span);
    return parts;
  }
  const delimiters = delimiter.map((item) => textArgument(at, item)).filter((item) => item !== '');
  let parts = [whole];
  for (const one of delimiters) parts = parts.flatMap((part) => part.split(one));
  requireListSize(parts.length, at.span);
  return parts;
}
