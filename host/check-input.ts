import type { WalkerType } from '../runtime/index.js';
import { CodewalkError, LIMITS, wrongInput } from '../schema/index.js';

/**
 * Checks a walker's input before a graph is opened for it: a wrong call costs nothing and makes nothing.
 *
 * @param faceFields fields that the face takes beside the walker's own, for the suggestion.
 * @param given what the caller gave; default: the input.
 * @throws CodewalkError `INVALID_INPUT` naming the field, with the fields that there are.
 */
export function checkInput(
  walker: WalkerType,
  input: Readonly<Record<string, unknown>>,
  faceFields: readonly string[] = [],
  given: unknown = input,
): void {
  const parsed = walker.input.safeParse(input);
  if (parsed.success) return;
  const fields = [...Object.keys(walker.input.shape), ...faceFields];
  throw wrongInput(walker.name, parsed.error, fields, input, given);
}

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
