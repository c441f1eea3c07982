import type { Words } from '../../../search/index.js';
import { type FailingTest, failingTests } from './failing-names.js';
import { failureText, reasonsOf } from './failure-text.js';

/** A failing output as it is compared with others. */
export interface FailedRun {
  /** What failed by name, in the order of the output. */
  readonly tests: readonly FailingTest[];
  /** How much failed, as the runner counts it, and at least what is named; null where it does not say. */
  readonly count: number | null;
  /** Whether the runner stopped at a failure: what else fails is not known. */
  readonly stopped: boolean;
  /** Test files and folders that the command named; empty: all were run, or it is not known. */
  readonly scope: readonly string[];
  /** What went wrong, as `reasonsOf` gives it. */
  readonly reasons: ReadonlySet<string>;
  /** The words of the lines that tell what went wrong. */
  readonly words: ReadonlySet<string>;
}

/** How runners say how much failed, in a line of their summary; errors beside failures in the second group. */
const COUNTS: readonly RegExp[] = [
  // pytest, vitest, jest, mocha, cargo: `3 failed, 1 error`, `2 failing`, `10 passed; 3 failed`.
  /\b(\d+) (?:failed|failing|failures?)\b(?:, .*?\b(\d+) errors? in )?/u,
  // unittest: `FAILED (failures=1, errors=2)`.
  /^FAILED \((?:failures=(\d+))?(?:, )?(?:errors=(\d+))?/u,
  // node:test and TAP: `# fail 3`; Maven: `Failures: 1, Errors: 2`.
  /^[#ℹ] fail (\d+)/u,
  /\bFailures: (\d+), Errors: (\d+)/u,
  // vitest: `Failed Tests 3` above them, `[1/3]` below each.
  /^⎯+ Failed Tests (\d+) ⎯/u,
  /⎯\[\d+\/(\d+)\]⎯/u,
];
/** Longer lines are no summaries. */
const LONGEST_LINE = 300;
/** How runners say that they did not go on: pytest `-x`, vitest and jest `--bail`, TAP. */
const STOPPED = /stopping after \d+ failures|^Bail out!|^.*\b[Bb]ail(?:ed|ing)? (?:out )?after \d+/mu;
/** The command of a question: `$ npm test`, or as Qwen and Gemini report it. */
const COMMAND = /^(?:\$|Command:) (.+)$/mu;
/** A word of a command that may be a test file or a folder of tests. */
const TESTS_PATH = /^(?=.*(?:test|spec))(?:\.\/)?([\w@.+-]+(?:[/\\][\w@.+-]+)*)/iu;

/** Reads a failing output. @param command What was run; null: it may stand in the text. */
export function failedRun(text: string, command: string | null, words: Words): FailedRun {
  const tests = failingTests(text);
  const count = countOf(text);
  const ran = command ?? COMMAND.exec(text)?.[1] ?? '';
  return {
    tests,
    count: count === null ? null : Math.max(count, tests.length),
    stopped: STOPPED.test(text),
    scope: ran.split(/[\s'"]+/u).flatMap((word) => scopeOf(word)),
    reasons: reasonsOf(text),
    words: new Set(words.of(failureText(text).telling)),
  };
}

/** Whether an output tells that tests failed, by their names or by the runner's count. */
export function tellsFailure(text: string): boolean {
  return failingTests(text).length > 0 || (countOf(text) ?? 0) > 0;
}

/** How much failed, as the runner counts it: its files are fewer than its tests. */
function countOf(text: string): number | null {
  let most: number | null = null;
  for (const line of text.split('\n')) {
    if (line.length > LONGEST_LINE) continue;
    for (const form of COUNTS) {
      const match = form.exec(line);
      if (!match) continue;
      const [, failures = '0', errors = '0'] = match;
      most = Math.max(most ?? 0, Number(failures) + Number(errors));
    }
  }
  return most;
}

/** Only paths: `test` alone is the name of a script. */
function scopeOf(word: string): string[] {
  const path = TESTS_PATH.exec(word)?.[1];
  return path && /[/\\.]/u.test(path) ? [path] : [];
}
