import type { NodeDraft, StepsContext } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';
import type { Link } from './code-graph.js';

/** Nodes, or links, that are put at a stretch: about a millisecond. */
const PUT_AT_ONCE = 256;

/**
 * Lets others have their turn between two stretches of work, when it is time: signals and timers are heard only then.
 *
 * @throws CodewalkError `CANCELLED` when the caller cancelled, `DEADLINE` when the run took too long.
 */
export async function turn(context: Pick<StepsContext, 'signal' | 'pause'>): Promise<void> {
  const pause = context.pause();
  if (pause) await pause;
  // One that was called off within the stretch itself must not be over before its next pause.
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

/** Puts nodes, however many. */
export async function putNodes(context: StepsContext, nodes: readonly NodeDraft[]): Promise<void> {
  for (let at = 0; at < nodes.length; at += PUT_AT_ONCE) {
    await context.putAll(nodes.slice(at, at + PUT_AT_ONCE));
    await turn(context);
  }
}

/** Puts links, however many. */
export async function putLinks(context: StepsContext, links: readonly Link[]): Promise<void> {
  for (let at = 0; at < links.length; at += PUT_AT_ONCE) {
    await context.linkAll(links.slice(at, at + PUT_AT_ONCE));
    await turn(context);
  }
}
