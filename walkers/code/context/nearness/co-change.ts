import type { ReadContext } from '../../../../runtime/index.js';
import { Concept, FileMentionsConcept, fileId, parseId } from '../../../../schema/index.js';
import { add } from './scores.js';

/** A commit that touches more files says nothing of any two of them: formatting, renaming, a merge. */
const MOST_FILES = 25;

/** What the project's history says about other files. */
export interface CoChange {
  readonly scores: Map<string, number>;
  /** How many commits touched a file together with one that was asked for, by path. */
  readonly commits: Map<string, number>;
}

/**
 * Files that changed together with the files asked for: those that share a commit's Concept. Each commit counts the
 * less the more files it touched, as with every other thing that many have in common.
 */
export async function changedTogether(
  { q }: Pick<ReadContext, 'q'>,
  asked: readonly string[],
): Promise<CoChange> {
  const inside = new Set(asked);
  const commits = await q(asked.map(fileId)).out(FileMentionsConcept).of(Concept, { source: 'commit' }).ids();
  const found: CoChange = { scores: new Map(), commits: new Map() };
  const touched = new Map<string, string[]>();
  for (const { from, to } of commits.length === 0 ? [] : await q(commits).in(FileMentionsConcept).edges()) {
    const path = parseId(from)?.path ?? null;
    if (path === null) continue;
    const paths = touched.get(to);
    if (paths) paths.push(path);
    else touched.set(to, [path]);
  }
  for (const paths of touched.values()) {
    const others = paths.filter((path) => !inside.has(path));
    if (others.length > MOST_FILES) continue;
    for (const path of others) {
      add(found.scores, path, (paths.length - others.length) / Math.sqrt(others.length));
      add(found.commits, path, 1);
    }
  }
  return found;
}
