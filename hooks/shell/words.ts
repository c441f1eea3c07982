/** Words before a command that run it unchanged; some take values, which `-` or `=` show. */
const BEFORE =
  /^(?:sudo|env|time|nice|nohup|exec|command|xargs|npx|pnpx|bunx|uvx|timeout|stdbuf|then|do|else|if|while|!|\(|\{)$/u;
/** Of a longer command line the rest is not looked at. */
const LONGEST = 20_000;

/**
 * The simple commands of a shell's line, each as its words: quotes taken off, what runs or sets the environment
 * before the command left out (`CI=1 timeout 60 npx vitest run` is `vitest run`). Approximate where the line is a program.
 */
export function commandsIn(line: string): string[][] {
  const commands: string[][] = [[]];
  const tokens = line
    .slice(0, LONGEST)
    .matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\|\||&&|[|;&\n])|((?:[^\s"'|;&\\]|\\.)+)/gu);
  for (const [, double, single, end, bare] of tokens) {
    if (end !== undefined) commands.push([]);
    else commands.at(-1)?.push(double ?? single ?? bare ?? '');
  }
  return commands.map(runWords).filter((words) => words.length > 0);
}

/** A line without what stands in quotes. */
export function withoutQuoted(line: string): string {
  return line.slice(0, LONGEST).replace(/(?<!\\)"(?:[^"\\]|\\.)*"|'[^']*'/gu, ' ');
}

function runWords(words: readonly string[]): string[] {
  let from = 0;
  for (let before = false; from < words.length; from++) {
    const word = words[from] ?? '';
    const runs = BEFORE.test(word);
    const value = before && /^(?:-|\d+(?:\.\d+)?[smhd]?$)/u.test(word);
    if (!runs && !value && !/^\w+=/u.test(word)) break;
    before = runs || before;
  }
  return words.slice(from);
}
