import { firstLine, shownLine } from '../shown-text.js';
import { failureText, firstReason } from './attempts/failure-text.js';

/** Characters of the line. */
const LINE = 200;
/** A heading between rules, or a rule alone. */
const RULE = /([=_*#~-])\1{4}\s*$|^\s*([=_*#~-])\2+ .* \2+\s*$/u;
/** What a package manager writes before a script runs: `> name@1.0.0 test`, `> vitest run`. */
const SCRIPT = /^> /u;

/** The line of an error's message that says most about what went wrong: the first that tells something. */
export function tellingLine(message: string): string {
  const telling = failureText(message)
    .telling.split('\n')
    .find((line) => line.trim() !== '' && !RULE.test(line) && !SCRIPT.test(line));
  return telling === undefined ? firstLine(message, LINE) : shownLine(telling, LINE);
}

/** The line of a failing output that says most: the first that says why, else as of a message. */
export function failingLine(output: string): string {
  const reason = firstReason(output);
  return reason === null ? tellingLine(output) : shownLine(reason, LINE);
}
