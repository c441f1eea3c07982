/** Words that are looked for together. */
export interface WordTable {
  /** At least two units each; in lower case where case is ignored. */
  readonly words: readonly string[];
  readonly ignoresCase?: true;
}

/** Where a word of a table stands. */
export interface WordHit {
  readonly word: string;
  readonly at: number;
}

/** Units that are looked at together, and the places of a table of all their values, five bits each. */
const KEY_UNITS = 3;
const KEYS = 1 << (5 * KEY_UNITS);

/** What tells a letter of ASCII in lower case from the same in upper case. */
const CASE_BIT = 32;

interface Word {
  readonly word: string;
  readonly table: number;
}

/**
 * Finds any of many words in one pass: the last five bits of four units, which are the same in upper and lower case, rule
 * nearly every place out.
 */
export class WordFinder {
  /** Longer ones first. */
  readonly #wordsByKey: (Word[] | undefined)[] = Array.from({ length: KEYS });
  /** Bit n of a key: whether a unit whose last bits are n may stand behind it. */
  readonly #next = new Int32Array(KEYS);

  constructor(private readonly tables: readonly WordTable[]) {
    for (const [table, { words }] of tables.entries())
      for (const word of new Set(words))
        for (const key of keysOf(word)) {
          this.#wordsByKey[key] ??= [];
          this.#wordsByKey[key]?.push({ word, table });
          const next = word.length > KEY_UNITS ? 1 << (word.charCodeAt(KEY_UNITS) & 31) : -1;
          this.#next[key] = (this.#next[key] ?? 0) | next;
        }
    for (const words of this.#wordsByKey) words?.sort((a, b) => b.word.length - a.word.length);
  }

  /** The hits of each table, in order; longer words first where several begin. */
  hits(text: string): WordHit[][] {
    const hits: WordHit[][] = this.tables.map(() => []);
    const next = this.#next;
    let key = keyAt(text, 0, KEY_UNITS);
    for (let at = 0; at < text.length - 1; at++) {
      const unit = text.charCodeAt(at + KEY_UNITS) & 31;
      if ((((next[key] ?? 0) >>> unit) & 1) === 1)
        for (const { word, table } of this.#wordsByKey[key] ?? [])
          if (this.#stands(text, word, at, table)) hits[table]?.push({ word, at });
      key = ((key << 5) | unit) & (KEYS - 1);
    }
    return hits;
  }

  #stands(text: string, word: string, at: number, table: number): boolean {
    if (!this.tables[table]?.ignoresCase) return text.startsWith(word, at);
    for (let i = 0; i < word.length; i++)
      if ((text.charCodeAt(at + i) | CASE_BIT) !== (word.charCodeAt(i) | CASE_BIT)) return false;
    return true;
  }
}

function keyAt(text: string, at: number, units: number): number {
  let key = 0;
  for (let i = at; i < at + units; i++) key = (key << 5) | (text.charCodeAt(i) & 31);
  return key;
}

/** The key of a word; where it is shorter, of all texts that begin with it. */
function keysOf(word: string): number[] {
  if (word.length >= KEY_UNITS) return [keyAt(word, 0, KEY_UNITS)];
  const first = keyAt(word, 0, 2) << 5;
  return Array.from({ length: 32 }, (_, last) => first | last);
}
