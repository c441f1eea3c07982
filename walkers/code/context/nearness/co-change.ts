import { languageOf } from '../../../../source/index.js';
import type { ChangeHistory } from '../../history/changes/change-history.js';
import { add } from './scores.js';

/** Commits after which what changed together says half: interfaces move on. */
const HALF_LIFE = 600;
/** A commit that touched more files of code says nothing of any two of them. */
const MOST_FILES = 20;
/** Changes of a file that are taken for granted: of few of its own, a common one may be chance. */
const PRIOR = 10;

/** What the project's history says about other files. */
export interface CoChange {
  readonly scores: Map<string, number>;
  /** How many commits touched a file together with one that was asked for, by path. */
  readonly commits: Map<string, number>;
}

/**
 * Files that changed together with the files asked for: the share of a file's own changes that it has in common with
 * them. Every change counts the less the older it is; a common one the less the more files the commit touched (by the
 * root of the number of the others), and the more of the files asked for it touched. By a share, for what changes with
 * everything is near to nothing.
 */
export function changedTogether(history: ChangeHistory, asked: readonly string[]): CoChange {
  const inside = new Set(asked);
  const common = new Map<string, number>();
  const commits = new Map<string, number>();
  for (const age of new Set(asked.flatMap((path) => history.changesOf(path).map((change) => change.age)))) {
    const paths = history.commits[age] ?? [];
    const code = paths.filter((path) => inside.has(path) || languageOf(path)?.grammar);
    if (code.length > MOST_FILES) continue;
    const others = code.filter((path) => !inside.has(path));
    const weight = worth(age) / Math.sqrt(Math.max(1, code.length - 1));
    for (const path of others) {
      add(common, path, weight * (code.length - others.length));
      add(commits, path, 1);
    }
  }
  const changes = (path: string) => history.changesOf(path).reduce((sum, { age }) => sum + worth(age), 0);
  const scores = new Map([...common].map(([path, weight]) => [path, weight / (PRIOR + changes(path))]));
  return { scores, commits };
}

/** What a change of some age still says. */
function worth(age: number): number {
  return 0.5 ** (age / HALF_LIFE);
}
