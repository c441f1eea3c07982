import { OF_NAMED } from './commit-files.js';
import { askGit, type GitAnswer } from './git-answer.js';
import { SAFE_LOG } from './run-git.js';

/**
 * Lines of a file that a commit replaced: `from` and `count` before it, `to` and `became` after it. Without lines on
 * one side the number is that of the line above.
 */
export interface Hunk {
  readonly from: number;
  readonly count: number;
  readonly to: number;
  readonly became: number;
}

/** Which lines one commit changed, by the paths after it; of files that it made or removed nothing is told. */
export interface CommitLines {
  readonly hash: string;
  readonly files: ReadonlyMap<string, readonly Hunk[]>;
}

/**
 * Which lines commits changed in a root: one process; see {@link gitLog} for what it gets.
 *
 * @param root Absolute.
 */
export function commitLines(
  root: string,
  hashes: readonly string[],
  signal: AbortSignal,
  surroundings: Readonly<Record<string, string | undefined>> = process.env,
): Promise<GitAnswer<readonly CommitLines[]>> {
  const patch = ['--patch', '--unified=0', '--diff-filter=MR', '--src-prefix=a/', '--dst-prefix=b/'];
  const args = [...OF_NAMED, ...patch, ...SAFE_LOG, '--', '.'];
  return askGit(root, args, { signal, surroundings, input: `${hashes.join('\n')}\n` }, readLines);
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

function readLines(text: string): CommitLines[] {
  const found: { hash: string; files: Map<string, Hunk[]> }[] = [];
  let hunks: Hunk[] = [];
  for (let at = 0; at < text.length; ) {
    const end = lineEnd(text, at);
    const first = text[at];
    if (first === '\x1e') {
      found.push({
        hash: text
          .slice(at + 1, end)
          .split('\x1f', 1)
          .join(''),
        files: new Map(),
      });
    } else if (first === '+' && text.startsWith('+++ b/', at)) {
      hunks = [];
      // A tab ends a path with blanks; a path in quotes is none that could be found again.
      const path = text.slice(at + '+++ b/'.length, end).replace(/\t$/, '');
      found.at(-1)?.files.set(path.normalize('NFC'), hunks);
    } else if (first === '+' && text.startsWith('+++ "', at)) hunks = [];
    else if (first === '@') {
      const [, from, count = '1', to, became = '1'] = HUNK.exec(text.slice(at, end)) ?? [];
      if (from !== undefined && to !== undefined) {
        hunks.push({ from: +from, count: +count, to: +to, became: +became });
        at = afterLines(text, end + 1, +count + +became);
        continue;
      }
    }
    at = end + 1;
  }
  return found;
}

/** Behind the changed lines themselves: whatever they hold is not read. */
function afterLines(text: string, start: number, lines: number): number {
  let at = start;
  for (let left = lines; left > 0 && at < text.length; at = lineEnd(text, at) + 1)
    if (text[at] !== '\\') left--;
  return at;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
