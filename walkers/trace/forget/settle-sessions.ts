import { TraceCursor, TraceEvent } from '../../../schema/index.js';
import { sessionCursorId } from '../assigned-task.js';
import { traceId } from '../event-ids.js';
import { compareKeys, type EventKey } from '../fold-state.js';
import { type RecordContext, toldCursorId } from '../record-context.js';
import type { EventRef } from './chosen-events.js';

/**
 * Makes of sessions what their remaining events make of them: an event whose task's beginning is gone follows the one
 * before it, as if that had never been recorded.
 *
 * @returns the tasks that lost or got events by it.
 */
export async function settleSessions(
  sessions: Iterable<string>,
  context: RecordContext,
): Promise<Set<string>> {
  const touched = new Set<string>();
  for (const session of sessions) {
    const begins = (await context.find(TraceEvent, { begins: session })).sort(inOrder);
    const follows = await context.find(TraceEvent, { session });
    for (const event of follows) {
      const begun = begins.findLast((one) => inOrder(one, event) < 0);
      const task = begun?.task ?? traceId('task', 'session', session);
      if (event.task === task) continue;
      touched.add(event.task).add(task);
      context.set<typeof TraceEvent>(event, { task });
    }
    await settleCursor(session, [...begins, ...follows].sort(inOrder).at(-1), begins.at(-1), context);
  }
  return touched;
}

async function settleCursor(
  session: string,
  last: EventRef | undefined,
  begun: EventRef | undefined,
  { nodesOf, create, del }: RecordContext,
): Promise<void> {
  const id = sessionCursorId(session);
  if (last === undefined) {
    const known = await nodesOf(TraceCursor, [id, toldCursorId(session)]);
    await del(known.filter(({ gone }) => !gone));
    return;
  }
  const state = { last: keyOf(last), begun: begun ? { key: keyOf(begun), task: begun.task } : null };
  await create(TraceCursor({ state }, { id }));
}

function keyOf({ at, id }: EventRef): EventKey {
  return [at, id];
}

function inOrder(a: EventRef, b: EventRef): number {
  return compareKeys(keyOf(a), keyOf(b));
}
