import type { StepsContext } from '../../../runtime/index.js';
import { keepChanges } from './changes/keep-changes.js';
import { commitConcepts, type HistoryWritten } from './commit-concepts.js';

export type { HistoryWritten };

/** Brings what the history says to where HEAD is: its concepts, and what changed together. It commits nothing itself. */
export async function writeHistory(
  context: StepsContext,
  touched: Iterable<string>,
): Promise<HistoryWritten> {
  const { concepts, wrote } = await commitConcepts(context, touched);
  const kept = await keepChanges(context);
  return { concepts, wrote: wrote || kept };
}
