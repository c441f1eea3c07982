import { compareText, type NodeRef } from '../../runtime/index.js';
import type { TraceError } from '../../schema/index.js';
import { shownLine } from '../shown-text.js';
import { failingNames } from './attempts/failing-names.js';

/** Characters of a name. */
const NAME = 200;

/** The tests that an error says failed, sorted; where it was told of none, those that its output names. */
export function failedTests({
  error_type,
  tests,
  message,
  raw_log_excerpt,
}: Pick<NodeRef<typeof TraceError>, 'error_type' | 'tests' | 'message' | 'raw_log_excerpt'>): string[] {
  if (tests.length > 0) return tests.map((name) => shownLine(name, NAME)).sort(compareText);
  // What a compiler names is what it says, not a test.
  return error_type === 'compile_error' ? [] : namedTests(`${message}\n${raw_log_excerpt}`);
}

/** The names of the failing tests that an output gives, sorted, without those of the suites around them. */
function namedTests(output: string): string[] {
  const names = [...failingNames(output)].map((name) => shownLine(name, NAME)).sort(compareText);
  return names.filter((name) => !names.some((other) => other !== name && isInside(other, name)));
}

/** `suite > case` is inside `suite`, `test_x[1]` inside `test_x`. */
function isInside(name: string, outer: string): boolean {
  return name.startsWith(`${outer} > `) || name.startsWith(`${outer}[`);
}
