import { compareText } from '../../runtime/index.js';
import { shownLine } from '../shown-text.js';
import { failingNames } from './attempts/failing-names.js';

/** Characters of a name. */
const NAME = 200;

/** The names of the failing tests that an output gives, sorted, without those of the suites around them. */
export function failingTests(output: string): string[] {
  const names = [...failingNames(output)].map((name) => shownLine(name, NAME)).sort(compareText);
  return names.filter((name) => !names.some((other) => other !== name && isInside(other, name)));
}

/** `suite > case` is inside `suite`, `test_x[1]` inside `test_x`. */
function isInside(name: string, outer: string): boolean {
  return name.startsWith(`${outer} > `) || name.startsWith(`${outer}[`);
}
