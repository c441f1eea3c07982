import { shownLine } from '../../../present/index.js';
import type { StepsContext } from '../../../runtime/index.js';
import { LIMITS } from '../../../schema/index.js';
import { type CommitFact, masked } from '../../../source/index.js';

/** What a commit says was done, and to what. */
export interface CommitTopic {
  /** The subject as it was written, without the number of its pull request: `fix(router): match empty paths`. */
  readonly label: string;
  /** That number, and the first paragraph of the body, on one line; empty without either. */
  readonly description: string;
  /** Relative to the root; sorted. */
  readonly paths: readonly string[];
  /** Names of code in the message, dotted as they were written: `Router.match`; sorted. */
  readonly names: readonly string[];
}

const BOT = /\[bot\]|^(?:dependabot|renovate|github-actions|greenkeeper|snyk)\b/i;
/** Commits that say nothing of the code: reverts, versions, dependencies, merges that git does not know as such. */
const NOISE = [
  /^(?:merge|revert)\b/i,
  /^(?:fixup|squash|amend)!/i,
  /^(?:chore|build|ci)\((?:deps|deps-dev|release)\)/i,
  /^(?:(?:chore|build|release)(?:\([^)]*\))?!?:)?(?: *(?:release|publish|bump|start|prepare|tag))?[ :]*(?:(?:version|release) *)?v?\d+\.\d[\w.+-]*$/i,
  /^(?:[\w()!-]+: *)?(?:bump|update|upgrade) (?:\w+ )*(?:deps|dependenc(?:y|ies)|lock ?file|requirements)\b/i,
];
const PULL_REQUEST = /(?<!\s)\s*\((#\d+)\)\s*$/;
/** Fewer words name nothing that could be found again: `wip`, `fix typo`. */
const FEWEST_WORDS = 3;

/**
 * What the history says was done, one topic per label, the newest first. Left out: commits of bots, reverts, changes of
 * versions and dependencies, and those that touch so many files that they say nothing of any (`LIMITS.historyFiles`). Secrets are masked (P-04).
 */
export async function commitTopics(
  commits: readonly CommitFact[],
  { pause }: Pick<StepsContext, 'pause'>,
): Promise<CommitTopic[]> {
  const topics = new Map<string, CommitTopic>();
  for (const commit of commits) {
    const topic = topicOf(commit);
    const known = topic && topics.get(topic.label);
    if (topic) topics.set(topic.label, known ? merged(known, topic) : topic);
    await pause();
  }
  return [...topics.values()];
}

function topicOf({ author, subject, body, paths }: CommitFact): CommitTopic | null {
  if (paths.length === 0 || paths.length > LIMITS.historyFiles.max || BOT.test(author)) return null;
  const line = shownLine(masked(subject), LIMITS.commitLabel.max);
  const label = line.replace(PULL_REQUEST, '');
  const words = label.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < FEWEST_WORDS || NOISE.some((noise) => noise.test(label))) return null;
  const paragraph = body.trim().split(/\n\s*\n/, 1)[0] ?? '';
  const said = isTrailer(paragraph) ? '' : shownLine(masked(paragraph), LIMITS.commitText.max);
  const number = PULL_REQUEST.exec(line)?.[1] ?? '';
  return {
    label,
    description: [number, said].filter((part) => part !== '').join(' '),
    paths,
    names: namesIn(`${label}\n${said}`),
  };
}

/** Whether a paragraph is for tools: `Co-authored-by: …`, `Signed-off-by: …`, `close #1`. */
function isTrailer(paragraph: string): boolean {
  return paragraph
    .split('\n')
    .every((line) => /^[A-Za-z-]+: |^(?:close|fix|resolve|refs?)[sd]?:? +[\w/-]*#\d/i.test(line));
}

/**
 * The names of code in a message: what stands in backticks or before `()`, and words that no prose has, with an
 * underscore or a capital inside.
 */
function namesIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, inside = '']) => inside);
  const called = [...text.matchAll(/(?<![\w$.])([\w$.]+)\(\)/g)].map(([, name = '']) => name);
  const shaped =
    text.match(/(?<![\w$./-])[A-Za-z_$][\w$]*(?:[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z\d])[\w$]*/g) ?? [];
  const names = [...quoted, ...called, ...shaped].flatMap((each) => {
    const name = /^([A-Za-z_$][\w$]*(?:[.#][A-Za-z_$][\w$]*)*)(?:\(.*\))?$/.exec(each.trim())?.[1];
    return name === undefined || name.length < 3 ? [] : [name.replaceAll('#', '.')];
  });
  return [...new Set(names)].sort();
}

function merged(newer: CommitTopic, older: CommitTopic): CommitTopic {
  const both = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])].sort();
  return { ...newer, paths: both(newer.paths, older.paths), names: both(newer.names, older.names) };
}
