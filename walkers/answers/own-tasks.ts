import type { ReadContext } from '../../runtime/index.js';
import { TraceCursor } from '../../schema/index.js';
import { SessionState, sessionCursorId } from '../trace/assigned-task.js';
import { traceId } from '../trace/event-ids.js';

/** The tasks at work in a session: the one that a question names, and the one that began last in it. */
export async function ownTasks(
  session: string,
  task: string | null,
  { nodesOf }: Pick<ReadContext, 'nodesOf'>,
): Promise<ReadonlySet<string>> {
  const [cursor] = await nodesOf(TraceCursor, [sessionCursorId(session)]);
  const begun = cursor && !cursor.gone ? SessionState.parse(cursor.state).begun : null;
  const current = begun?.task ?? traceId('task', 'session', session);
  return new Set(task === null ? [current] : [task, current]);
}
