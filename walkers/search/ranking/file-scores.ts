/** What each further find in a file counts of the one before. */
const FURTHER = 0.8;

/** Something that was found in a file. */
interface Find {
  readonly path: string;
  readonly own: number;
}

/**
 * Files by all that is found in them: the best counts whole, each further one a little less, so that a file that is
 * about a thing all over comes before one that says it once, and a long file does not win by its length.
 *
 * @param factorOf What else a file counts.
 */
export function fileScores(finds: readonly Find[], factorOf: (path: string) => number): Map<string, number> {
  const byPath = new Map<string, number[]>();
  for (const { path, own } of finds) {
    const scores = byPath.get(path);
    if (scores) scores.push(own);
    else byPath.set(path, [own]);
  }
  return new Map([...byPath].map(([path, scores]) => [path, summed(scores) * factorOf(path)]));
}

/** Several scores as one: the best whole, each further one counts {@link FURTHER} of the one before. */
export function summed(scores: readonly number[]): number {
  return scores.toSorted((a, b) => b - a).reduce((sum, score, rank) => sum + score * FURTHER ** rank, 0);
}
