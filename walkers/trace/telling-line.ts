import { firstLine, shownLine } from '../shown-text.js';
import { failureText } from './attempts/failure-text.js';

/** Characters of the line. */
const LINE = 200;
/** A heading between rules, or a rule alone. */
const RULE = /([=_*#~-])\1{4,}\s*$/u;

/** The line of a failing output that says most about what went wrong: the first that tells something. */
export function tellingLine(output: string): string {
  const telling = failureText(output)
    .telling.split('\n')
    .find((line) => line.trim() !== '' && !RULE.test(line));
  return telling === undefined ? firstLine(output, LINE) : shownLine(telling, LINE);
}
