import type { Json, Random } from './lib.js';

/** Pieces that some code takes for more than text, or has forgotten. */
export const INTRUDERS: readonly string[] = [
  ...['', '\0', '\ufeff', '\ud800', '\udc00', '\u2028', '\u202e', '\u{1f600}', 'é', '\r\n', '\r', '\t'],
  ...['\x1b[31m', '\x1b]0;', '\\', '\\u0000', '${x', '$(id)', '(a+)+$', '../'.repeat(8)],
  ...'" \' ` {{ }} <!-- --> ]]> /* */ // # % %00 %E0%A4%A [] {} ( ) [ ] { } < > : :: ; , | = * + ? ^ .*'.split(
    ' ',
  ),
  ...'/etc/passwd C:\\Windows file:/// __proto__ constructor toString hasOwnProperty null undefined'.split(
    ' ',
  ),
  ...'NaN -0 1e999 9007199254740993 -1 true [masked:password] ● ==== ____'.split(' '),
  ...['-----BEGIN PRIVATE KEY-----', '-----aaaa-aaaa: ', '-----END PRIVATE KEY-----', 'password='],
  ...['Authorization: Bearer ', 'https://user:pw@host/', 'AKIAIOSFODNN7EXAMPLE', ' › ', ' > '],
  ...['Traceback (most recent call last):\n', '  File "a.py", line 1, in f\n', 'FAILED a.py::test - '],
  ...['not ok 1 - ', '  at f (a.js:1:2)\n', 'error TS2304: '],
];

export const NUMBERS: readonly number[] = [
  ...'0 -0 1 -1 2 0.5 -0.5 1e-9 127 128 255 256 1000 65535 65536 1e21 1e308 -1e308 5e-324'
    .split(' ')
    .map(Number),
  ...[2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53 + 2, -(2 ** 53) + 1],
];

/** A text with one to five things changed; texts stay below some 200,000 characters. */
export function mutatedText(random: Random, text: string, others: readonly string[] = []): string {
  let made = text;
  for (let times = random.between(1, 5); times > 0; times--) made = changed(random, made, others);
  return made.slice(0, 200_000);
}

function changed(random: Random, text: string, others: readonly string[]): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + random.oneOf([1, 2, 5, 20, 200]));
  const [before, part, after] = [text.slice(0, at), text.slice(at, end), text.slice(end)];
  switch (random.below(10)) {
    case 0:
      return before + after;
    case 1:
      return before + part + part + after;
    case 2:
      return before + part.repeat(random.oneOf([3, 30, 300])).slice(0, 50_000) + after;
    case 3:
      return before + random.oneOf(INTRUDERS) + part + after;
    case 4:
      return (
        before +
        random
          .oneOf(INTRUDERS)
          .repeat(random.oneOf([2, 20, 2000]))
          .slice(0, 50_000) +
        part +
        after
      );
    case 5:
      return before + String.fromCharCode(random.below(random.oneOf([128, 0x10000]))) + after;
    case 6:
      return random.oneIn(2) ? before : after;
    case 7: {
      // A line elsewhere, or of another text.
      const lines = (random.oneIn(2) ? text : random.oneOf([text, ...others])).split('\n');
      return `${before}\n${random.oneOf(lines)}\n${part}${after}`;
    }
    case 8:
      return text.replaceAll('\n', random.oneOf(['\r\n', '\r', ' ', '', '\u2028']));
    default:
      return before + (random.oneIn(2) ? part.toUpperCase() : [...part].reverse().join('')) + after;
  }
}

/** Something short repeated, between a beginning and an end: what makes an expression go back again and again. */
export function repetitive(random: Random, alphabet: readonly string[]): string {
  const some = (most: number) => random.times(random.below(most + 1), () => random.oneOf(alphabet)).join('');
  const unit = some(4) || random.oneOf(alphabet);
  const times = random.oneOf([10, 30, 100, 1000, 4000]);
  return `${some(3)}${unit.repeat(times).slice(0, 60_000)}${some(3)}`;
}

/** Longer ones tell nothing more, and take as long to read as they are: recorders refuse them by their length. */
const LONGEST_JSON = 2_000_000;

/** A value with one to four things changed, somewhere in it. */
export function mutatedJson(random: Random, value: Json, others: readonly string[] = []): Json {
  let made = structuredClone(value);
  for (let times = random.between(1, 4); times > 0; times--) made = changedJson(random, made, others);
  return JSON.stringify(made).length <= LONGEST_JSON ? made : value;
}

export function anyJson(random: Random, depth = 0): Json {
  switch (random.below(depth > 3 ? 5 : 8)) {
    case 0:
      return null;
    case 1:
      return random.oneIn(2);
    case 2:
      return random.oneOf(NUMBERS);
    case 3:
      return random.oneOf(INTRUDERS);
    case 4:
      return random
        .oneOf(INTRUDERS)
        .repeat(random.oneOf([2, 100, 3000]))
        .slice(0, 20_000);
    case 5:
      return random.times(random.below(4), () => anyJson(random, depth + 1));
    case 6:
      return nested(random);
    default:
      return Object.fromEntries(
        random.times(random.below(4), () => [
          random.oneOf(['a', 'id', 'type', ...INTRUDERS]),
          anyJson(random, depth + 1),
        ]),
      );
  }
}

function nested(random: Random): Json {
  let value: Json = random.oneOf(INTRUDERS);
  for (let depth = random.oneOf([5, 50, 800]); depth > 0; depth--)
    value = random.oneIn(2) ? [value] : { a: value };
  return value;
}

function changedJson(random: Random, value: Json, others: readonly string[]): Json {
  const isDeeper = typeof value === 'object' && value !== null && !random.oneIn(6);
  if (isDeeper && Array.isArray(value) && value.length > 0) {
    const at = random.below(value.length);
    const part = value[at] ?? null;
    switch (random.below(8)) {
      case 0:
        return value.toSpliced(at, 1);
      case 1:
        return [...value, ...random.times(random.oneOf([1, 10, 200]), () => part)];
      default:
        return value.with(at, changedJson(random, part, others));
    }
  }
  if (isDeeper && !Array.isArray(value)) {
    const keys = Object.keys(value);
    const key = keys.length === 0 ? 'a' : random.oneOf(keys);
    const { [key]: part = null, ...rest } = value;
    switch (random.below(10)) {
      case 0:
        return rest;
      case 1:
        return { ...rest, [random.oneOf([...keys, ...INTRUDERS])]: part };
      case 2:
        return { ...value, [random.oneOf(INTRUDERS)]: anyJson(random) };
      default:
        return { ...rest, [key]: changedJson(random, part, others) };
    }
  }
  if (typeof value === 'string' && !random.oneIn(4)) return mutatedText(random, value, others);
  return anyJson(random);
}
