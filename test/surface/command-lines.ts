/** A call of the command line in a text. */
export interface CommandLine {
  /** As it stands there. */
  readonly text: string;
  /** What follows `codewalk`, without options. */
  readonly words: string;
  /** `--max-depth`, without values. */
  readonly options: readonly string[];
}

/** The calls of `codewalk` in the shell blocks of a page; comments are left out. */
export function commandLines(page: string): CommandLine[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gmu)]
    .flatMap(([, block]) => (block ?? '').split('\n'))
    .map((line) => line.replace(/\s+#.*$/u, '').trim())
    .filter((line) => line.startsWith('codewalk '))
    .map((text) => {
      // Quoted values may hold anything.
      const words = text
        .replace(/'[^']*'|"[^"]*"/gu, 'X')
        .split(/\s+/u)
        .slice(1);
      return {
        text,
        words: words.filter((word) => !word.startsWith('-')).join(' '),
        options: words.filter((word) => word.startsWith('--')),
      };
    });
}
