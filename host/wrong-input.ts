import { CodewalkError } from '../schema/index.js';

/**
 * The error of an input that does not fit.
 *
 * @param walker its name.
 * @param fields all that there are, for the suggestion; those that are named twice count once.
 * @param given what the caller gave.
 */
export function wrongInput(
  walker: string,
  why: string,
  fields: readonly string[],
  given: unknown,
): CodewalkError {
  return new CodewalkError('INVALID_INPUT', `${walker}: ${why}`, {
    input: given,
    suggestion: `Its fields are: ${[...new Set(fields)].join(', ') || 'none'}.`,
  });
}
