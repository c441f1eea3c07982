/** What Qwen's shell tool says of a command. */
export interface ShellReport {
  /** What it printed, both streams. */
  readonly output: string;
  /** Why it could not be run or ended; empty: nothing was said. */
  readonly error: string;
  readonly exitCode: number | null;
  readonly failed: boolean;
  readonly interrupted: boolean;
}

/** The lines behind the output, in their order. */
const AFTER = /\nError: ([^\n]*(?:\n(?!Exit Code: )[^\n]*)*)\nExit Code: ([^\n]+)\nSignal: ([^\n]+)/gu;
/** Characters at the end in which they stand. */
const TAIL = 4000;
const STOPPED =
  /^Command (timed out after \d+\s?ms|was cancelled by user) before it could complete\.(?: Below is the output before it (?:timed out|was cancelled):\n)?/u;
/** What stands where nothing is said. */
const NOTHING: ReadonlySet<string> = new Set(['(none)', '(empty)']);

/**
 * Takes the tool's words off what a command printed:
 * `Command: …\nDirectory: …\nOutput: …\nError: …\nExit Code: …\nSignal: …\nProcess Group PGID: …`.
 *
 * @returns null for what is no such report.
 */
export function shellReport(text: string): ShellReport | null {
  const stopped = STOPPED.exec(text);
  if (stopped) {
    const [all, why = ''] = stopped;
    const interrupted = !why.startsWith('timed out');
    return {
      output: text.slice(all.length),
      error: `Command ${why}`,
      exitCode: null,
      failed: true,
      interrupted,
    };
  }
  const begins = /(?:^|\n)Directory: [^\n]*\nOutput: /u.exec(text);
  if (!begins) return null;
  const from = begins.index + begins[0].length;
  const tail = Math.max(from - 1, text.length - TAIL);
  // What was printed may hold such lines, too.
  const after = [...text.slice(tail).matchAll(AFTER)].at(-1);
  const output = said(after ? text.slice(from, Math.max(from, tail + after.index)) : text.slice(from));
  const [, error = '', code = '', signal = ''] = after ?? [];
  const exitCode = /^-?\d+$/u.test(code) ? Number(code) : null;
  const killed = !NOTHING.has(signal) && signal !== '0' && signal !== '';
  const failed = (exitCode ?? 0) !== 0 || (killed && exitCode === null) || said(error) !== '';
  return { output, error: said(error), exitCode, failed, interrupted: false };
}

function said(text: string): string {
  return NOTHING.has(text.trim()) ? '' : text;
}
