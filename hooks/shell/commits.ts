/** What of git commits, and prints what it made. */
const COMMITS = /\b(?:commit|cherry-pick|revert)\b/u;
/** `[main 1a2b3c4] Subject`, `[main (root-commit) 1a2b3c4] Subject`, `[detached HEAD 1a2b3c4] Subject`. */
const MADE = /^\[[^\]\n]*? ([0-9a-f]{7,40})\] /gmu;
/** Commits of one command that are told. */
const MOST = 50;

/** The hashes of the commits that a successful command reports. */
export function commitsIn(command: string, output: string): string[] {
  if (!command.split(/[|;&\n]/u).some(commits)) return [];
  const hashes = [...output.matchAll(MADE)].flatMap(([, hash]) => hash ?? []);
  return [...new Set(hashes)].slice(0, MOST);
}

/** In two looks: one expression for both would cost the square of a long command. */
function commits(command: string): boolean {
  const git = command.search(/\bgit\b/u);
  return git >= 0 && COMMITS.test(command.slice(git));
}
