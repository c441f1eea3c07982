/**
 * How much a thing tells that `having` of `all` have: the inverse document frequency of BM25, plus one inside the
 * logarithm so that it is never negative (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
 * Beyond", 2009, and Lucene's BM25Similarity).
 */
export function rarity(all: number, having: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}
