/** Adds to the score of a key. */
export function add(scores: Map<string, number>, key: string, score: number): void {
  scores.set(key, (scores.get(key) ?? 0) + score);
}
