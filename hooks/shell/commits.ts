/** Commands of git that commit, and print what they made. */
const COMMITS = /\bgit\b[^|;&\n]*\b(?:commit|cherry-pick|revert)\b/u;
/** `[main 1a2b3c4] Subject`, `[main (root-commit) 1a2b3c4] Subject`, `[detached HEAD 1a2b3c4] Subject`. */
const MADE = /^\[[^\]\n]*? ([0-9a-f]{7,40})\] /gmu;
/** Commits of one command that are told. */
const MOST = 50;

/** The hashes of the commits that a successful command reports. */
export function commitsIn(command: string, output: string): string[] {
  if (!COMMITS.test(command)) return [];
  const hashes = [...output.matchAll(MADE)].flatMap(([, hash]) => hash ?? []);
  return [...new Set(hashes)].slice(0, MOST);
}
