import type { Words } from '../../../search/index.js';

/** Words, each with how often it stands there; none is there with zero. */
export type WordCounts = Map<string, number>;

/** Counts the words of a text, beside those that were counted before. */
export function countWords(words: Words, text: string, counts: WordCounts = new Map()): WordCounts {
  for (const word of words.of(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Takes away what was counted elsewhere already, as far as it is there. */
export function takeAway(counts: WordCounts, others: ReadonlyMap<string, number>): void {
  for (const [word, count] of others) {
    const left = (counts.get(word) ?? 0) - count;
    if (left > 0) counts.set(word, left);
    else counts.delete(word);
  }
}

/** Whether all that was counted of one text is in another. */
export function holdsAll(counts: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): boolean {
  for (const [word, count] of others) if ((counts.get(word) ?? 0) < count) return false;
  return true;
}
