import type { ReadContext } from '../../../../runtime/index.js';
import { HISTORY_TOPICS, readTopics } from '../../history/kept-history.js';
import { add } from './scores.js';

/** Commits after which what changed together says half: interfaces move on. */
const HALF_LIFE = 200;

/** What the project's history says about other files. */
export interface CoChange {
  readonly scores: Map<string, number>;
  /** How many commits touched a file together with one that was asked for, by path. */
  readonly commits: Map<string, number>;
}

/**
 * Files that changed together with the files asked for, by the commits that became concepts: each counts the less the
 * older it is and the more files it touched, and a file the less the more often it changes at all (both by the root,
 * as in the walk over the code graph), so that what changes with everything is not near to everything.
 */
export async function changedTogether(
  { blobs }: Pick<ReadContext, 'blobs'>,
  asked: readonly string[],
): Promise<CoChange> {
  const inside = new Set(asked);
  const [kept] = await blobs([HISTORY_TOPICS]);
  const together = new Map<string, number>();
  const commits = new Map<string, number>();
  const changes = new Map<string, number>();
  for (const [age, { paths }] of readTopics(kept).entries()) {
    const weight = 0.5 ** (age / HALF_LIFE);
    const others = paths.filter((path) => !inside.has(path));
    for (const path of others) {
      add(changes, path, weight);
      if (others.length === paths.length) continue;
      add(together, path, (weight * (paths.length - others.length)) / Math.sqrt(others.length));
      add(commits, path, 1);
    }
  }
  const scores = new Map(
    [...together].map(([path, weight]) => [path, weight / Math.sqrt(1 + (changes.get(path) ?? 0))]),
  );
  return { scores, commits };
}
