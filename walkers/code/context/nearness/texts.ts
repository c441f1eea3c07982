import { insideRoot, readText } from '../../../../source/index.js';
import type { Scores } from './scores.js';
import { type WordCounts, Words } from './words.js';

/** Okapi BM25's saturation and length normalisation, the usual values (Robertson and Zaragoza, 2009). */
const SATURATION = 1.2;
const LENGTH = 0.75;
/** Words of the files asked for that are looked for: the most telling ones. */
const MOST_WORDS = 60;

/** A text of the project as it is on disk; null where there is none to read. */
function textOf(root: string, path: string): string | null {
  const { diskPath, exists } = insideRoot(root, path);
  if (!exists) return null;
  const read = readText({ diskPath });
  return read.ok ? read.text : null;
}

/** What texts are looked through for, and how rare it is among them. */
class TellingWords {
  readonly #weights: ReadonlyMap<string, number>;

  /** The most telling words of `asked` (frequent there, rare in `among`). */
  constructor(asked: readonly WordCounts[], among: readonly WordCounts[]) {
    const frequency = new Map<string, number>();
    for (const { counts } of asked)
      for (const [word, count] of counts) frequency.set(word, (frequency.get(word) ?? 0) + count);
    const texts = new Map<string, number>();
    for (const { counts } of among)
      for (const word of counts.keys()) if (frequency.has(word)) texts.set(word, (texts.get(word) ?? 0) + 1);
    const rarity = (word: string) => {
      const known = texts.get(word) ?? 0;
      return Math.log(1 + (among.length - known + 0.5) / (known + 0.5));
    };
    const weights = [...frequency]
      .filter(([word]) => texts.has(word))
      .map(([word, count]) => [word, (1 + Math.log(count)) * rarity(word)] as const);
    weights.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    this.#weights = new Map(weights.slice(0, MOST_WORDS));
  }

  /** The BM25 score of a text. @param usual The length of texts of its kind, in words. */
  score({ counts, total }: WordCounts, usual: number): number {
    let score = 0;
    const length = SATURATION * (1 - LENGTH + (LENGTH * total) / usual);
    for (const [word, weight] of this.#weights) {
      const count = counts.get(word);
      if (count !== undefined) score += (weight * count * (SATURATION + 1)) / (count + length);
    }
    return score;
  }
}

/** The mean length of texts, in words; 1 for none. */
function usualLength(texts: readonly WordCounts[]): number {
  return Math.max(1, texts.reduce((sum, { total }) => sum + total, 0) / Math.max(1, texts.length));
}

/** The texts of the files asked for and of those that they are compared with. */
export class ProjectTexts {
  readonly #words = new Words();
  readonly #lines = new Map<string, readonly string[]>();
  readonly #counted = new Map<string, WordCounts>();
  readonly #telling: TellingWords;

  /** @param root Null for a graph in memory: there are no texts. */
  constructor(root: string | null, asked: readonly string[], others: readonly string[]) {
    const read = (path: string) => this.#read(root, path);
    const wanted = asked.map(read).filter((counts) => counts !== null);
    for (const path of others) {
      const counts = read(path);
      if (counts) this.#counted.set(path, counts);
    }
    this.#telling = new TellingWords(wanted, [...this.#counted.values()]);
  }

  /** How much of what the files asked for speak of the others speak of too, by path. */
  scores(): Scores {
    const usual = usualLength([...this.#counted.values()]);
    return new Map([...this.#counted].map(([path, counts]) => [path, this.#telling.score(counts, usual)]));
  }

  /** The same for parts of files, by id; lines count from 1, both ends included. */
  scoresOf(
    parts: readonly { id: string; path: string; name: string; start_line: number; end_line: number }[],
  ): Scores {
    const counted = parts.map(({ id, path, name, start_line, end_line }) => {
      const lines = this.#lines.get(path)?.slice(start_line - 1, end_line) ?? [];
      return [id, this.#words.counted([name, ...lines].join('\n'))] as const;
    });
    const usual = usualLength(counted.map(([, counts]) => counts));
    return new Map(counted.map(([id, counts]) => [id, this.#telling.score(counts, usual)]));
  }

  #read(root: string | null, path: string): WordCounts | null {
    const text = root === null ? null : textOf(root, path);
    if (text === null) return null;
    this.#lines.set(path, text.split('\n'));
    return this.#words.counted(text);
  }
}
