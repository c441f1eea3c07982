import type { WalkerType } from '../runtime/index.js';
import { issuesText } from '../schema/index.js';
import type { Absent } from './open-graph.js';
import { wrongInput } from './wrong-input.js';

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
  throw wrongInput(walker.name, issuesText(parsed.error, input), fields, given);
}

/** What is to be done for a walker where a project has no graph: one that only reads makes none. */
export function absentFor({ access, withoutGraph }: WalkerType): Absent {
  return access === 'read' ? withoutGraph : 'made';
}
