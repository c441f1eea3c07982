import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StepsContext } from '../../../runtime/index.js';
import { CodewalkError } from '../../../schema/index.js';

/**
 * Lets others have their turn between two stretches of work: signals and timers are heard only then.
 *
 * @throws CodewalkError `CANCELLED` when the caller cancelled, `DEADLINE` when the run took too long.
 */
export async function turn(context: Pick<StepsContext, 'signal'>): Promise<void> {
  await nextTurn();
  throwIfOver(context);
}

/** @throws CodewalkError `CANCELLED` when the caller cancelled, `DEADLINE` when the run took too long. */
export function throwIfOver({ signal }: Pick<StepsContext, 'signal'>): void {
  if (!signal.aborted) return;
  const late = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  throw new CodewalkError(
    late ? 'DEADLINE' : 'CANCELLED',
    late ? 'indexing ran past its deadline' : 'indexing was cancelled',
    { suggestion: 'What was extracted is kept. Run it again with mode incremental to go on.' },
  );
}
