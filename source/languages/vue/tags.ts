/** One attribute of a tag. Offsets are those of the whole text. */
export interface Attribute {
  /** As written: `lang`, `:user`, `@click.prevent`, `v-for`, `#item`. */
  readonly name: string;
  /** Where the name stands. */
  readonly start: number;
  /** Where the `=` stands; -1 without a value. */
  readonly equals: number;
  /** What the value spans, its quotes not; empty without one. */
  readonly from: number;
  readonly to: number;
}

/** One tag as it is written. */
export interface Tag {
  readonly name: string;
  /** Where its `<` stands. */
  readonly start: number;
  /** Where the text goes on behind its `>`. */
  readonly end: number;
  readonly isEnd: boolean;
  readonly isSelfClosing: boolean;
  readonly attributes: readonly Attribute[];
}

const NAME = /<\/?([A-Za-z][^\s/>]*)/y;
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(\s*=\s*)?/y;
const QUOTED = /"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)/y;

/** The tag that begins at an offset; null where none does. One that never ends takes the rest of the text. */
export function tagAt(text: string, start: number): Tag | null {
  NAME.lastIndex = start;
  const name = NAME.exec(text)?.[1];
  if (name === undefined) return null;
  const attributes: Attribute[] = [];
  let at = NAME.lastIndex;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(text);
    if (!match?.[1]) break;
    const begins = ATTRIBUTE.lastIndex - match[0].length + match[0].indexOf(match[1]);
    at = ATTRIBUTE.lastIndex;
    let value = { equals: -1, from: at, to: at };
    if (match[2] !== undefined) {
      QUOTED.lastIndex = at;
      const given = QUOTED.exec(text);
      const equals = text.indexOf('=', begins + match[1].length);
      if (given) {
        const quote = given[3] === undefined ? 1 : 0;
        value = { equals, from: at + quote, to: QUOTED.lastIndex - quote };
        at = QUOTED.lastIndex;
      }
    }
    attributes.push({ name: match[1], start: begins, ...value });
  }
  const close = text.indexOf('>', at);
  const end = close < 0 ? text.length : close + 1;
  return {
    name,
    start,
    end,
    isEnd: text[start + 1] === '/',
    isSelfClosing: close > 0 && text[close - 1] === '/',
    attributes,
  };
}

/** Where a comment that begins at an offset ends; null where none begins. */
export function commentEnd(text: string, start: number): number | null {
  if (!text.startsWith('<!--', start)) return null;
  const end = text.indexOf('-->', start + 4);
  return end < 0 ? text.length : end + 3;
}

/** The value of an attribute; null where the tag does not have it or gives it none. */
export function attributeOf(text: string, { attributes }: Tag, name: string): string | null {
  const found = attributes.find((one) => one.name === name);
  return found === undefined || found.equals < 0 ? null : text.slice(found.from, found.to);
}
