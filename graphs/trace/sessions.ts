import { z } from 'zod';
import type { NodeRef, WriteContext } from '../../runtime/index.js';
import { TraceCursor, TraceEvent } from '../../schema/index.js';
import { compareKeys, EventKey, type NewEvent } from './event.js';
import { deliveredCursorId, sessionCursorId, traceId } from './ids.js';

/** An event as it is stored. */
export type EventRef = NodeRef<typeof TraceEvent>;

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

function keyOf({ at, id }: EventRef): EventKey {
  return [at, id];
}

/** The order of stored events. */
export function inOrder(a: EventRef, b: EventRef): number {
  return compareKeys(keyOf(a), keyOf(b));
}

/**
 * Assigns events to tasks: the task that an event names, else the one that began last before it in its
 * session, else one of its own. A task whose beginning arrives late takes the events after it.
 */
export class TaskAssignment {
  /** Tasks that lost events to others, and those that got them. */
  readonly robbed = new Set<string>();
  readonly robbers = new Set<string>();
  readonly #sessions = new Map<string, SessionState>();
  readonly #last = new Map<string, number>();
  /** Sessions in which something arrived that comes before what was there. */
  readonly #late = new Set<string>();

  constructor(
    private readonly context: WriteContext,
    private readonly lastOf: (task: string) => Promise<number>,
  ) {}

  /** Assigns the next event by key, and stores that. @returns Whether it names no task, or one that may not be known. */
  async assign({ given, session, fact, timed }: NewEvent, ref: EventRef): Promise<boolean> {
    const starts = fact.kind === 'task_start';
    const state = session === null ? null : await this.#stateOf(session);
    const follows = session !== null && given === null && !starts;
    const own = given ?? traceId('task', ref.id);
    const presumed = follows ? (state?.begun?.task ?? promptlessTask(session)) : own;
    const at = timed ? ref.at : await this.#orderedTime(ref.at, presumed, state);
    const key: EventKey = [at, ref.id];
    const place = { task: presumed, at, session: follows ? session : null, begins: starts ? session : null };
    this.context.set<typeof TraceEvent>(ref, place);
    this.#last.set(presumed, at);
    if (state === null || session === null) return !starts;
    const isLast = state.last === null || compareKeys(key, state.last) > 0;
    const isAfterBegun = state.begun === null || compareKeys(key, state.begun.key) > 0;
    if (starts ? !isLast : follows && !isAfterBegun) this.#late.add(session);
    if (starts && isAfterBegun) state.begun = { key, task: presumed };
    if (isLast) state.last = key;
    return !starts && !follows;
  }

  async save(): Promise<void> {
    await this.context.createAll(
      [...this.#sessions].map(([session, state]) => TraceCursor({ state }, { id: sessionCursorId(session) })),
    );
    for (const session of this.#late) {
      const { lost, got } = await reassign(session, this.context);
      for (const task of lost) this.robbed.add(task);
      for (const task of got) this.robbers.add(task);
    }
  }

  async #stateOf(session: string): Promise<SessionState> {
    const known = this.#sessions.get(session);
    if (known) return known;
    const [cursor] = await this.context.nodesOf(TraceCursor, [sessionCursorId(session)]);
    const state = cursorState(SessionState, cursor);
    this.#sessions.set(session, state);
    return state;
  }

  async #orderedTime(now: number, task: string, session: SessionState | null): Promise<number> {
    const last = this.#last.get(task) ?? (await this.lastOf(task));
    const latest = Math.max(last, session?.last?.[0] ?? 0);
    return latest === 0 ? now : Math.max(now, latest + 1 / 1024);
  }
}

/** Assigns the events of a session to the tasks that began before them. */
async function reassign(session: string, { find, set }: Pick<WriteContext, 'find' | 'set'>) {
  const begins = (await find(TraceEvent, { begins: session })).sort(inOrder);
  const follows = await find(TraceEvent, { session });
  const [lost, got] = [new Set<string>(), new Set<string>()];
  for (const event of follows) {
    const begun = begins.findLast((one) => inOrder(one, event) < 0);
    const task = begun?.task ?? promptlessTask(session);
    if (event.task === task) continue;
    lost.add(event.task);
    got.add(task);
    set<typeof TraceEvent>(event, { task });
  }
  return { begins, follows, lost, got };
}

/** Assigns the remaining events of sessions again after some were forgotten. @returns The tasks that lost or got events. */
export async function settleSessions(
  sessions: Iterable<string>,
  context: WriteContext,
): Promise<Set<string>> {
  const { nodesOf, create, del } = context;
  const touched = new Set<string>();
  for (const session of sessions) {
    const { begins, follows, lost, got } = await reassign(session, context);
    for (const task of [...lost, ...got]) touched.add(task);
    const last = [...begins, ...follows].sort(inOrder).at(-1);
    const begun = begins.at(-1);
    const id = sessionCursorId(session);
    if (last) {
      const state = { last: keyOf(last), begun: begun ? { key: keyOf(begun), task: begun.task } : null };
      await create(TraceCursor({ state }, { id }));
    } else {
      const known = await nodesOf(TraceCursor, [id, deliveredCursorId(session)]);
      await del(known.filter(({ gone }) => !gone));
    }
  }
  return touched;
}
