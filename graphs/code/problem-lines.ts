import type { FileProblem } from './changed-files.js';

/** Problems that are named one by one; more of them are counted. */
const NAMED_PROBLEMS = 20;

/** Files with a problem, one a line: path, reason and what is wrong. */
export function problemLines(problems: readonly FileProblem[]): string[] {
  const named = problems
    .slice(0, NAMED_PROBLEMS)
    .map(({ path, reason, detail }) => `- ${path}: ${reason}${detail && `, ${detail}`}`);
  const more = problems.length - NAMED_PROBLEMS;
  return more > 0 ? [...named, `- and ${more} more (--json names them all)`] : named;
}
