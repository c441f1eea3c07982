import { compareText } from '../../../../runtime/index.js';
import type { Scores } from './scores.js';
import type { WordCounts } from './words.js';

/** Okapi BM25's saturation and length normalisation, the usual values (Robertson and Zaragoza, 2009). */
const SATURATION = 1.2;
const LENGTH = 0.75;
/** Words that are looked for: the most telling ones. */
const MOST_WORDS = 60;

/** The words that tell some texts from others, and how much other texts speak of them. */
export class TellingWords {
  readonly #weights: ReadonlyMap<string, number>;

  /** The words that are frequent in `asked` and rare in `among`. */
  constructor(asked: readonly WordCounts[], among: readonly WordCounts[]) {
    const frequency = new Map<string, number>();
    for (const { counts } of asked)
      for (const [word, count] of counts) frequency.set(word, (frequency.get(word) ?? 0) + count);
    const texts = textsWith(among, (word) => frequency.has(word));
    const rarity = (known: number) => Math.log(1 + (among.length - known + 0.5) / (known + 0.5));
    const weights = [...texts].map(
      ([word, known]) => [word, (1 + Math.log(frequency.get(word) ?? 1)) * rarity(known)] as const,
    );
    weights.sort(([a, x], [b, y]) => y - x || compareText(a, b));
    this.#weights = new Map(weights.slice(0, MOST_WORDS));
  }

  /** The BM25 scores of texts, by their keys. */
  scores(texts: ReadonlyMap<string, WordCounts>): Scores {
    const total = [...texts.values()].reduce((sum, { total }) => sum + total, 0);
    const usual = Math.max(1, total / Math.max(1, texts.size));
    return new Map([...texts].map(([key, counts]) => [key, this.#score(counts, usual)]));
  }

  #score({ counts, total }: WordCounts, usual: number): number {
    let score = 0;
    const length = SATURATION * (1 - LENGTH + (LENGTH * total) / usual);
    for (const [word, weight] of this.#weights) {
      const count = counts.get(word);
      if (count !== undefined) score += (weight * count * (SATURATION + 1)) / (count + length);
    }
    return score;
  }
}

/** Texts as vectors of their words, rarer ones longer (tf-idf). */
export class TextVectors {
  readonly #rarity: ReadonlyMap<string, number>;

  /** @param among The texts by which a word's rarity is told. */
  constructor(among: readonly WordCounts[]) {
    const texts = textsWith(among, () => true);
    this.#rarity = new Map([...texts].map(([word, known]) => [word, Math.log(1 + among.length / known)]));
  }

  /** 0 for nothing in common, 1 for the same words in the same shares. */
  cosine(a: WordCounts, b: WordCounts): number {
    let common = 0;
    for (const [word, count] of a.counts) {
      const other = b.counts.get(word);
      if (other !== undefined) common += this.#length(word, count) * this.#length(word, other);
    }
    return common === 0 ? 0 : common / Math.sqrt(this.#square(a) * this.#square(b));
  }

  #length(word: string, count: number): number {
    return (1 + Math.log(count)) * (this.#rarity.get(word) ?? 0);
  }

  #square({ counts }: WordCounts): number {
    let sum = 0;
    for (const [word, count] of counts) sum += this.#length(word, count) ** 2;
    return sum;
  }
}

/** In how many texts each word stands that is asked about. */
function textsWith(texts: readonly WordCounts[], asked: (word: string) => boolean): Map<string, number> {
  const known = new Map<string, number>();
  for (const { counts } of texts)
    for (const word of counts.keys()) if (asked(word)) known.set(word, (known.get(word) ?? 0) + 1);
  return known;
}
