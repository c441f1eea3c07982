import { z } from 'zod';
import { compareText, type NodeRef } from '../../runtime/index.js';
import { CodewalkError, Task, TraceCursor, TraceEvent } from '../../schema/index.js';
import { namedTask, traceId } from './event-ids.js';
import { compareKeys, EventKey, FoldState, isAfter } from './fold-state.js';
import { cursorId, type RecordContext } from './record-event.js';

type Event = NodeRef<typeof TraceEvent>;

/** What an event says of where it belongs. */
export interface Belonging {
  /** The task that it names. */
  readonly given: string | null;
  /** As `keptSession` gives it. */
  readonly session: string | null;
  /** Whether the client told the time. */
  readonly told: boolean;
}

/** What assigning an event came to. */
export interface Assigned {
  readonly warnings: readonly string[];
  /** Tasks that lost events to this one's. */
  readonly robbed: readonly string[];
}

/** What is remembered of a session. */
const SessionState = z.object({
  /** Its last event. */
  last: EventKey.nullable().default(null),
  /** The last event that began a task in it, and that task. */
  begun: z.object({ key: EventKey, task: z.string() }).nullable().default(null),
});

/**
 * Decides which task an event belongs to, and notes it in the event: the task that it names; else, within a session,
 * the one that began last before it (one of the session's own where none did); else a task of its own (S3-09). A
 * task that begins late in a session takes the events after it from the task before.
 */
export async function assignedTask(
  event: Event,
  { given, session, told }: Belonging,
  context: RecordContext,
): Promise<Assigned> {
  const starts = event.kind === 'task_start';
  const sessionId = session === null ? null : traceId('cursor', 'session', session);
  const [cursor] = sessionId === null ? [] : await context.nodesOf(TraceCursor, [sessionId]);
  const state = SessionState.parse(cursor?.state ?? {});
  const own = given === null ? traceId('task', event.id) : await checkedTask(given, context);
  const follows = session !== null && given === null && !starts;
  const lazy = traceId('task', 'session', session ?? '');
  const presumed = follows ? (state.begun?.task ?? lazy) : own;
  const at = told ? event.at : await orderedTime(event.at, presumed, state.last, context);
  const key: EventKey = [at, event.id];
  const task =
    follows && state.begun !== null && !isAfter(key, state.begun.key)
      ? ((await beginnings(session, context)).findLast((one) => compareKeys(one.key, key) < 0)?.task ?? lazy)
      : presumed;
  context.set<typeof TraceEvent>(event, {
    task,
    at,
    session: follows ? session : null,
    begins: starts ? session : null,
  });
  const known = await context.node(task);
  const warnings = known || starts || follows ? [] : [opened(event, given)];
  if (session === null || sessionId === null) return { warnings, robbed: [] };
  const late = starts && !isAfter(key, state.last);
  const robbed = late ? await takeFollowing(session, key, context) : [];
  if (starts && isAfter(key, state.begun?.key ?? null)) state.begun = { key, task };
  if (isAfter(key, state.last)) state.last = key;
  await context.create(TraceCursor({ state }, { id: sessionId }));
  return { warnings, robbed };
}

async function checkedTask(given: string, { node }: RecordContext): Promise<string> {
  const task = namedTask(given);
  const known = await node(task);
  if (!known || known.archetype.name === Task.name) return task;
  throw new CodewalkError('INVALID_INPUT', `task_id: '${task}' is a ${known.archetype.name}`, {
    input: task,
  });
}

/** Events without a time keep the order in which they came. */
async function orderedTime(
  now: number,
  task: string,
  session: EventKey | null,
  { nodesOf }: RecordContext,
): Promise<number> {
  const [cursor] = await nodesOf(TraceCursor, [cursorId(task)]);
  const last = cursor && !cursor.gone ? FoldState.parse(cursor.state).last : null;
  const latest = Math.max(last?.[0] ?? 0, session?.[0] ?? 0);
  return latest === 0 ? now : Math.max(now, latest + 1 / 1024);
}

/** The events that begin tasks in a session, in their order. */
async function beginnings(
  session: string,
  { find }: RecordContext,
): Promise<{ key: EventKey; task: string }[]> {
  const events = await find(TraceEvent, { begins: session });
  return events
    .map(({ at, id, task }) => ({ key: [at, id] satisfies EventKey, task }))
    .sort((a, b) => compareKeys(a.key, b.key));
}

/** Moves the session's events after a late beginning to its task; the tasks that had them. */
async function takeFollowing(session: string, key: EventKey, context: RecordContext): Promise<string[]> {
  const all = await beginnings(session, context);
  const at = all.findIndex((one) => compareKeys(one.key, key) === 0);
  const [mine, next] = [all[at], all[at + 1]];
  const robbed = new Set<string>();
  for (const event of await context.find(TraceEvent, { session })) {
    const its: EventKey = [event.at, event.id];
    const follows = compareKeys(its, key) > 0 && (next === undefined || compareKeys(its, next.key) < 0);
    if (!follows || mine === undefined || event.task === mine.task) continue;
    robbed.add(event.task);
    context.set<typeof TraceEvent>(event, { task: mine.task });
  }
  return [...robbed].sort(compareText);
}

function opened({ kind }: Event, given: string | null): string {
  return given === null
    ? `task_id: none was given, so a task was started for this ${kind}`
    : `task_id: '${given}' was not known; a task was started under it`;
}
