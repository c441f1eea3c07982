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
