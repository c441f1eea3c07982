/** BM25's saturation of repeated words and normalisation by length: the usual values (Robertson and Zaragoza, 2009). */
const SATURATION = 1.2;
const LENGTH = 0.75;

/** What is looked for: words, and how much each of them counts. */
export type WordQuery = ReadonlyMap<string, number>;

/**
 * What a word's count is saturated by in a document (BM25): with a count of as much it gets half of what it is worth.
 *
 * @param length Of the document, in words.
 * @param usual The length of a usual document.
 */
export function damping(length: number, usual: number): number {
  return SATURATION * (1 - LENGTH + (LENGTH * length) / Math.max(1, usual));
}
/**
 * How much a thing tells that `having` of `all` have: the inverse document frequency of BM25, plus one inside the
 * logarithm so that it is never negative (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
 * Beyond", 2009, and Lucene's BM25Similarity).
 */
export function rarity(all: number, having: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}
