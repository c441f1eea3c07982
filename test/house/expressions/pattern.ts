/**
 * What has to hold between two characters: the text begins, a line begins, the text ends, a word begins or ends, neither
 * does; `maybe`: something that is not looked into.
 */
export type Condition = 'start' | 'line' | 'end' | 'boundary' | 'inside' | 'maybe';

/** A regular expression as a tree; what one character has to be stays source text. */
export type Pattern =
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'look'; readonly inner: Pattern; readonly behind: boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly options: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly inner: Pattern; readonly least: number; readonly most: number };

/** Reads the source of a regular expression. It is one that the engine takes: faults are not looked for. */
export function parsePattern(source: string, flags: string): Pattern {
  const groups = new Map<string, Pattern>();
  let at = 0;
  let count = 0;

  function choice(): Pattern {
    const options = [sequence()];
    while (source[at] === '|') {
      at++;
      options.push(sequence());
    }
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', options };
  }

  function sequence(): Pattern {
    const parts: Pattern[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified(term()));
    return { kind: 'sequence', parts };
  }

  function quantified(inner: Pattern): Pattern {
    const [written, sign, least = '', comma, most = ''] =
      /^(?:([*+?])|\{(\d+)(,)?(\d*)\})\??/u.exec(source.slice(at)) ?? [];
    if (written === undefined) return inner;
    at += written.length;
    if (sign === '?') return { kind: 'repeat', inner, least: 0, most: 1 };
    if (sign) return { kind: 'repeat', inner, least: sign === '+' ? 1 : 0, most: Number.POSITIVE_INFINITY };
    const end = comma === undefined ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: 'repeat', inner, least: Number(least), most: end };
  }

  function term(): Pattern {
    const first = source[at] ?? '';
    if (first === '(') return group();
    if (first === '^')
      return step(1, { kind: 'condition', condition: flags.includes('m') ? 'line' : 'start' });
    if (first === '$')
      return step(1, { kind: 'condition', condition: flags.includes('m') ? 'maybe' : 'end' });
    if (first === '[') return character(classEnd());
    if (first === '\\') return escaped();
    return character(at + ((source.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));
  }

  function escaped(): Pattern {
    const rest = source.slice(at, at + 100);
    if (/^\\[bB]/u.test(rest))
      return step(2, { kind: 'condition', condition: rest[1] === 'b' ? 'boundary' : 'inside' });
    const [written, number, name] = /^\\(?:([1-9]\d*)|k<([^>]*)>)/u.exec(rest) ?? [];
    if (written !== undefined) return step(written.length, groups.get(number ?? name ?? '') ?? empty());
    const [one = '\\'] =
      /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])/u.exec(rest) ?? [];
    return character(at + one.length);
  }

  function group(): Pattern {
    const [written = '(', look, name] =
      /^\((?:\?(?:(<?[=!])|:|<(?![=!])([^>]*)>))?/u.exec(source.slice(at)) ?? [];
    at += written.length;
    const number = written === '(' || name !== undefined ? ++count : 0;
    const inner = choice();
    at++;
    if (number > 0) groups.set(String(number), inner).set(name ?? String(number), inner);
    return look === undefined ? inner : { kind: 'look', inner, behind: look.startsWith('<') };
  }

  function classEnd(): number {
    let end = at + 1;
    while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
    return end + 1;
  }

  function character(end: number): Pattern {
    const written = source.slice(at, end);
    at = end;
    return { kind: 'character', source: written };
  }

  function step(length: number, pattern: Pattern): Pattern {
    at += length;
    return pattern;
  }

  return choice();
}

function empty(): Pattern {
  return { kind: 'sequence', parts: [] };
}
