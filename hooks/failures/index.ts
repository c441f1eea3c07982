import { stripVTControlCharacters } from 'node:util';
import { bothEnds } from '../both-ends.js';
import type { Call, Outcome } from '../told.js';
import type { Failure } from './failure.js';

export type { Failure } from './failure.js';

/** Characters of an output that are looked at, from both ends. */
const LOOKED_AT = 200_000;
/** Characters of the part that tells. */
const EXCERPT = 4000;

/** What went wrong with a call; null where nothing that has a name did. */
export function failureOf(call: Call, outcome: Outcome): Failure | null {
  const text = stripVTControlCharacters(
    bothEnds([outcome.stdout, outcome.stderr].join('\n'), LOOKED_AT),
  ).trim();
  const line = text.split('\n').find((one) => one.trim() !== '') ?? '';
  return {
    errorType: call.doing === 'shell' ? 'runtime_error' : 'tool_error',
    message: line.slice(0, 300) || `exit code ${outcome.exitCode}`,
    tests: [],
    files: [],
    excerpt: bothEnds(text, EXCERPT),
  };
}
