/** Words that say nothing in any program: keywords and literals of the languages that are extracted. */
const COMMON = new Set(
  'the and for with from this that self return import def class const let var function if else elif not none true false null undefined in is of or to as new export default async await type interface static any string number boolean object int str test expect it describe assert'.split(
    ' ',
  ),
);
const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** The words of one identifier, lower case: `parseHTTPHeader` is `parse`, `http`, `header`; without the common ones. */
export function identifierWords(identifier: string): string[] {
  return identifier
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_$\-.]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 1 && !COMMON.has(word));
}

/** Splits texts into words, and remembers what it split: programs say the same names over and over. */
export class Words {
  readonly #known = new Map<string, readonly string[]>();

  /** How often each word stands in a text: whole identifiers and, where they have several, their words. */
  counted(text: string): WordCounts {
    const counts = new Map<string, number>();
    const identifiers = new Set<string>();
    let total = 0;
    for (const [identifier] of text.matchAll(IDENTIFIER)) {
      identifiers.add(identifier);
      for (const word of this.#wordsOf(identifier)) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
        total++;
      }
    }
    return { counts, total, identifiers };
  }

  #wordsOf(identifier: string): readonly string[] {
    const known = this.#known.get(identifier);
    if (known) return known;
    const parts = identifierWords(identifier);
    const whole = identifier.toLowerCase();
    const isWhole = whole.length < 2 || COMMON.has(whole) || parts.length === 1;
    const words = isWhole ? parts : [whole, ...parts];
    this.#known.set(identifier, words);
    return words;
  }
}

/** How often words stand in a text. */
export interface WordCounts {
  readonly counts: ReadonlyMap<string, number>;
  /** All of them, each as often as it stands there. */
  readonly total: number;
  /** The identifiers as they are written, keywords included. */
  readonly identifiers: ReadonlySet<string>;
}
