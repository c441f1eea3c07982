import { CodewalkError, parseId } from '../../schema/index.js';
import { masked } from '../../source/index.js';
import { shownLine } from '../shown-text.js';

/** Ids that the traces give, and those of what a memory said before. */
const TAKEN = [/^(?:task|step|tool|checkpoint|error|event|cursor):/u, /@\d+$/u];
/** What nobody sees: two ids could look the same. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Why no new memory can have an id that a caller gives; null where one can. */
export function whyNoMemoryId(id: string): string | null {
  if (masked(id) !== id) return 'it holds a secret';
  if (HIDDEN.test(id)) return 'it has characters that do not show';
  const isTaken = parseId(id) !== null || TAKEN.some((form) => form.test(id));
  return isTaken ? 'ids of this form mean something else in the graph' : null;
}

/**
 * Checks the id that a caller gives a new memory.
 *
 * @throws CodewalkError `INVALID_INPUT`
 */
export function checkNewMemoryId(id: string): void {
  const why = whyNoMemoryId(id);
  if (why === null) return;
  const shown = shownLine(masked(id), 100);
  throw new CodewalkError('INVALID_INPUT', `memory_id: no memory can be '${shown}': ${why}`, {
    input: shown,
    suggestion: 'Leave it out: a new memory gets an id of its own.',
  });
}
