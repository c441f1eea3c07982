import { z } from 'zod';
import { compareText, type NodeRef, type WriteContext } from '../../runtime/index.js';
import { TraceCursor, TraceEvent } from '../../schema/index.js';
import { compareKeys, EventKey, type NewEvent } from './event.js';
import { sessionCursorId, traceId } from './ids.js';

type Context = Pick<WriteContext, 'nodesOf' | 'find' | 'createAll' | 'set'>;

/** The task of an event, and its place in it. */
export interface Assigned {
  readonly task: string;
  /** Milliseconds since 1970: the event's time in the order of its task. */
  readonly at: number;
  /** The session that decided the task; null: the event itself did. */
  readonly session: string | null;
  /** The session in which it begins a task. */
  readonly begins: string | null;
  /** Whether it names no task, or one that is not known. */
  readonly opens: boolean;
  /** Tasks that lost events to this one's. */
  readonly robbed: readonly string[];
}

/** The stored state of a session. */
export const SessionState = z.object({
  last: EventKey.nullable().default(null),
  /** The last event that began a task in it, and that task. */
  begun: z.object({ key: EventKey, task: z.string() }).nullable().default(null),
});
/** See {@link SessionState}. */
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

/** An event that begins a task in a session. */
interface Beginning {
  readonly key: EventKey;
  readonly task: string;
}

/**
 * Assigns events to tasks: the task that an event names; else, within a session, the task that began last before it
 * (one of the session's own where none did); else a task of its own (S3-09). A task whose beginning arrives late takes
 * the events after it from the task before.
 */
export class TaskAssignment {
  readonly #sessions = new Map<string, SessionState>();

  constructor(
    private readonly context: Context,
    /** The key of the last event of a task. */
    private readonly lastOf: (task: string) => Promise<EventKey | null>,
    /** Makes nodes of the events that were assigned so far, so that they are found in the graph. */
    private readonly flush: () => Promise<unknown>,
  ) {}

  /** Reads the states of sessions, in one round trip. */
  async load(sessions: Iterable<string>): Promise<void> {
    const wanted = [...new Set(sessions)].filter((session) => !this.#sessions.has(session));
    const cursors = await this.context.nodesOf(TraceCursor, wanted.map(sessionCursorId));
    for (const [at, session] of wanted.entries())
      this.#sessions.set(session, cursorState(SessionState, cursors[at]));
  }

  /** Assigns the next event. Events are assigned in the order of their keys. */
  async assign(event: NewEvent): Promise<Assigned> {
    const { id, given, session } = event;
    const starts = event.fact.kind === 'task_start';
    const state = session === null ? null : await this.#stateOf(session);
    const own = given ?? traceId('task', id);
    const follows = session !== null && given === null && !starts;
    const presumed = follows ? (state?.begun?.task ?? promptlessTask(session)) : own;
    const at = event.timed ? event.at : await this.#orderedTime(event.at, presumed, state?.last ?? null);
    const key: EventKey = [at, id];
    const isBefore = follows && state?.begun && compareKeys(key, state.begun.key) <= 0;
    const task = isBefore ? await this.#taskBefore(session, key) : presumed;
    const placed = { task, at, session: follows ? session : null, begins: starts ? session : null };
    const opens = !starts && !follows;
    if (session === null || state === null) return { ...placed, opens, robbed: [] };
    const isLate = starts && state.last !== null && compareKeys(key, state.last) <= 0;
    const robbed = isLate ? await this.#takeFollowing(session, { key, task }) : [];
    if (starts && (state.begun === null || compareKeys(key, state.begun.key) > 0))
      state.begun = { key, task };
    if (state.last === null || compareKeys(key, state.last) > 0) state.last = key;
    return { ...placed, opens, robbed };
  }

  /** Stores the states of the sessions. */
  async save(): Promise<void> {
    await this.context.createAll(
      [...this.#sessions].map(([session, state]) => TraceCursor({ state }, { id: sessionCursorId(session) })),
    );
  }

  async #stateOf(session: string): Promise<SessionState> {
    await this.load([session]);
    return this.#sessions.get(session) ?? SessionState.parse({});
  }

  /** Events without a time keep the order in which they arrived. */
  async #orderedTime(now: number, task: string, session: EventKey | null): Promise<number> {
    const latest = Math.max((await this.lastOf(task))?.[0] ?? 0, session?.[0] ?? 0);
    return latest === 0 ? now : Math.max(now, latest + 1 / 1024);
  }

  async #taskBefore(session: string, key: EventKey): Promise<string> {
    const before = (await this.#beginnings(session)).findLast((one) => compareKeys(one.key, key) < 0);
    return before?.task ?? promptlessTask(session);
  }

  /** The events that begin tasks in a session, in their order. */
  async #beginnings(session: string): Promise<Beginning[]> {
    await this.flush();
    const events = await this.context.find(TraceEvent, { begins: session });
    return events
      .map(({ at, id, task }) => ({ key: [at, id] satisfies EventKey, task }))
      .sort((a, b) => compareKeys(a.key, b.key));
  }

  /** Moves the session's events after a late beginning to its task. Returns the tasks that had them. */
  async #takeFollowing(session: string, { key, task }: Beginning): Promise<string[]> {
    const next = (await this.#beginnings(session)).find((one) => compareKeys(one.key, key) > 0);
    const robbed = new Set<string>();
    for (const event of await this.context.find(TraceEvent, { session })) {
      const its: EventKey = [event.at, event.id];
      const follows = compareKeys(its, key) > 0 && (next === undefined || compareKeys(its, next.key) < 0);
      if (!follows || event.task === task) continue;
      robbed.add(event.task);
      this.context.set<typeof TraceEvent>(event, { task });
    }
    return [...robbed].sort(compareText);
  }
}
