import { z } from 'zod';
import type { NodeRef, WriteContext } from '../../runtime/index.js';
import { TraceCursor, TraceEvent } from '../../schema/index.js';
import { compareKeys, EventKey, type NewEvent } from './event.js';
import { deliveredCursorId, sessionCursorId, traceId } from './ids.js';

/** An event as it is stored. */
export type EventRef = NodeRef<typeof TraceEvent>;

/** An event that is being recorded. */
export interface Arriving {
  readonly event: NewEvent;
  readonly ref: EventRef;
  /** Whether it names no task, or one that may not be known. */
  opens: boolean;
}

/** The stored state of a session: its last event, and the last one that began a task in it, with that task. */
export const SessionState = z.object({
  last: EventKey.nullable().default(null),
  begun: z.object({ key: EventKey, task: z.string() }).nullable().default(null),
});
export type SessionState = z.infer<typeof SessionState>;

/** The task of events of a session before its first prompt. */
export const promptlessTask = (session: string): string => traceId('task', 'session', session);

/** Reads the state of a cursor node; of a missing or unreadable one the initial state. */
export function cursorState<S>(
  schema: z.ZodType<S>,
  cursor: Pick<NodeRef<typeof TraceCursor>, 'state'> | undefined,
): S {
  return schema.safeParse(cursor?.state ?? {}).data ?? schema.parse({});
}

const keyOf = ({ at, id }: EventRef): EventKey => [at, id];

/** The order of stored events. */
export const inOrder = (a: EventRef, b: EventRef): number => compareKeys(keyOf(a), keyOf(b));

/**
 * Assigns events to tasks, and stores that: the task that an event names, else the one that began last before
 * it in its session, else one of its own. A task whose beginning arrives late takes the events after it.
 * @param events In their order.
 * @returns Tasks that lost events to others, and those that got them.
 */
export async function assignTasks(
  events: readonly Arriving[],
  context: WriteContext,
  lastOf: (task: string) => Promise<number>,
): Promise<{ lost: Set<string>; got: Set<string> }> {
  const { nodesOf, set, createAll } = context;
  const sessions = new Map<string, SessionState>();
  const times = new Map<string, number>();
  /** Sessions in which something arrived that comes before what was there. */
  const late = new Set<string>();
  for (const one of events) {
    const { ref, event } = one;
    const { given, session, timed } = event;
    const starts = event.fact.kind === 'task_start';
    let state: SessionState | null = null;
    if (session !== null) {
      const read = async () => (await nodesOf(TraceCursor, [sessionCursorId(session)]))[0];
      state = sessions.get(session) ?? cursorState(SessionState, await read());
      sessions.set(session, state);
    }
    const follows = session !== null && given === null && !starts;
    const before = session === null ? null : (state?.begun?.task ?? promptlessTask(session));
    const task = (follows ? before : given) ?? traceId('task', ref.id);
    let { at } = ref;
    if (!timed) {
      const latest = Math.max(times.get(task) ?? (await lastOf(task)), state?.last?.[0] ?? 0);
      if (latest > 0) at = Math.max(at, latest + 1 / 1024);
    }
    set<typeof TraceEvent>(ref, {
      task,
      at,
      session: follows ? session : null,
      begins: starts ? session : null,
    });
    times.set(task, at);
    one.opens = !starts && !follows;
    if (state === null || session === null) {
      one.opens = !starts;
      continue;
    }
    const key: EventKey = [at, ref.id];
    const isLast = state.last === null || compareKeys(key, state.last) > 0;
    const isAfterBegun = state.begun === null || compareKeys(key, state.begun.key) > 0;
    if (starts ? !isLast : follows && !isAfterBegun) late.add(session);
    if (starts && isAfterBegun) state.begun = { key, task };
    if (isLast) state.last = key;
  }
  await createAll(
    [...sessions].map(([session, state]) => TraceCursor({ state }, { id: sessionCursorId(session) })),
  );
  const moved = { lost: new Set<string>(), got: new Set<string>() };
  for (const session of late) await reassign(session, context, moved);
  return moved;
}

async function reassign(
  session: string,
  { find, set }: Pick<WriteContext, 'find' | 'set'>,
  { lost, got }: { readonly lost: Set<string>; readonly got: Set<string> },
) {
  const begins = (await find(TraceEvent, { begins: session })).sort(inOrder);
  const follows = await find(TraceEvent, { session });
  for (const event of follows) {
    const begun = begins.findLast((one) => inOrder(one, event) < 0);
    const task = begun?.task ?? promptlessTask(session);
    if (event.task === task) continue;
    lost.add(event.task);
    got.add(task);
    set<typeof TraceEvent>(event, { task });
  }
  return { begins, follows };
}

/** Assigns the remaining events of sessions again after some were forgotten. @returns The tasks that lost or got events. */
export async function settleSessions(
  sessions: Iterable<string>,
  context: WriteContext,
): Promise<Set<string>> {
  const touched = new Set<string>();
  for (const session of sessions) {
    const { begins, follows } = await reassign(session, context, { lost: touched, got: touched });
    const last = [...begins, ...follows].sort(inOrder).at(-1);
    const begun = begins.at(-1);
    const id = sessionCursorId(session);
    if (last) {
      const state = { last: keyOf(last), begun: begun ? { key: keyOf(begun), task: begun.task } : null };
      await context.create(TraceCursor({ state }, { id }));
    } else {
      const known = await context.nodesOf(TraceCursor, [id, deliveredCursorId(session)]);
      await context.del(known.filter(({ gone }) => !gone));
    }
  }
  return touched;
}
