import type { WalkerType } from '../runtime/index.js';
import { CodewalkError, toCodewalkError, toolEntry } from '../schema/index.js';

/**
 * What a face answers when a run threw: our own errors as they are; what the code of somebody's walker threw as
 * `WALKER_FAILED` that names the walker; what ours threw as `INTERNAL`.
 *
 * @param input what the walker was given, for `provided_input`.
 */
export function failureOf(thrown: unknown, walker: WalkerType, input: unknown): CodewalkError {
  if (thrown instanceof CodewalkError || toolEntry(walker.name)) return toCodewalkError(thrown);
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new CodewalkError('WALKER_FAILED', `The walker '${walker.name}' threw ${message}`, {
    input,
    suggestion: "The error is the walker's own. CODEWALK_DEBUG=1 shows where it was thrown.",
    cause: thrown,
  });
}
