import {
  compareKeys,
  cursorState,
  type EventKey,
  type NewEvent,
  promptlessTask,
  type RecordContext,
  recordEvents,
  SessionState,
  sessionCursorId,
  storedSession,
  traceId,
} from '../../graphs/trace/index.js';
import { compareText, type NodeRef } from '../../runtime/index.js';
import { LIMITS, Task, TraceCursor, TraceEvent } from '../../schema/index.js';

/** After the last event of a task, and before any that comes later: events that told their times differ by more. */
const AFTER = 1 / 2048;

/**
 * Ends tasks that nobody will end: those of a session in which a later task began, and those of any session
 * that was silent for longer than `LIMITS.sweepAfter`. The ends are events with ids that follow from what
 * they end, so each is made once; a client that comes back goes on.
 * @param session_id Of it all tasks but the newest are ended.
 */
export async function endAbandoned(
  session_id: string | null,
  now: number,
  context: RecordContext,
): Promise<string[]> {
  const here = session_id ? storedSession(session_id) : null;
  const ends: NewEvent[] = [];
  for (const task of await context.find(Task, { status: 'running' })) {
    const events = await context.find(TraceEvent, { task: task.id });
    const last = events
      .map(({ at, id }): EventKey => [at, id])
      .sort(compareKeys)
      .at(-1);
    const session = sessionOf(task, events, here);
    if (last === undefined || session === null) continue;
    const [cursor] = await context.nodesOf(TraceCursor, [sessionCursorId(session)]);
    const known = cursorState(SessionState, cursor);
    const isOlder = session === here && known.begun !== null && known.begun.task !== task.id;
    const heard = Math.max(last[0], known.last?.[0] ?? 0);
    if (isOlder || heard < now - LIMITS.sweepAfter.default) ends.push(endOf(task.id, last));
  }
  await recordEvents(ends, context);
  return ends.flatMap(({ given }) => given ?? []).sort(compareText);
}

/** The session of a task; one that began before the first prompt of its session has it from its events. */
function sessionOf(
  { id, session_id }: NodeRef<typeof Task>,
  events: readonly NodeRef<typeof TraceEvent>[],
  here: string | null,
): string | null {
  if (session_id !== null) return session_id;
  if (here !== null && id === promptlessTask(here)) return here;
  return events.find(({ session }) => session !== null)?.session ?? null;
}

function endOf(task: string, [at, last]: EventKey): NewEvent {
  return {
    id: traceId('event', 'sweep', task, last),
    at: at + AFTER,
    timed: true,
    given: task,
    session: null,
    step_name: null,
    tool_name: null,
    fact: {
      kind: 'task_end',
      status: 'aborted',
      status_raw: null,
      summary: '',
      if_open: true,
      truncated_bytes: 0,
    },
  };
}
