import { CodewalkError, LIMITS } from '../schema/index.js';

/**
 * Refuses what is nested so deep that passing it on would end a thread's stack.
 *
 * @param what It, in the message.
 * @throws CodewalkError `INVALID_INPUT`
 */
export function checkNesting(value: unknown, what: string): void {
  const { max } = LIMITS.inputNesting;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max)
      throw new CodewalkError('INVALID_INPUT', `${what} is nested more than ${max} levels deep`, {
        input: value,
        suggestion: 'Give it as a text, or with fewer levels.',
      });
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}

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
