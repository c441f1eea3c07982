import { z } from 'zod';
import { compareText, type NodeRef } from '../../runtime/index.js';
import { TraceCursor, TraceEvent } from '../../schema/index.js';
import { traceId } from './event-ids.js';
import { compareKeys, EventKey, FoldState, isAfter } from './fold-state.js';
import type { NewEvent } from './new-event.js';
import { cursorId, type RecordContext, rememberedBy } from './record-context.js';

/** What assigning an event came to. */
export interface Assigned {
  readonly task: string;
  /** Milliseconds since 1970, as it counts. */
  readonly at: number;
  /** The session that says which task; null: the event itself does. */
  readonly session: string | null;
  /** The session in which it begins a task. */
  readonly begins: string | null;
  /** Whether it names no task, or one that nobody knows. */
  readonly opens: boolean;
  /** Tasks that lost events to this one's. */
  readonly robbed: readonly string[];
}

/** What is remembered of a session. */
export const SessionState = z.object({
  last: EventKey.nullable().default(null),
  /** The last event that began a task in it, and that task. */
  begun: z.object({ key: EventKey, task: z.string() }).nullable().default(null),
});
export type SessionState = z.infer<typeof SessionState>;

/** The id of the node that keeps what is remembered of a session. */
export const sessionCursorId = (session: string): string => traceId('cursor', 'session', session);

/**
 * Decides which task each event belongs to: the task that it names; else, within a session, the one that began last
 * before it (one of the session's own where none did); else a task of its own (S3-09). A task that begins late in a
 * session takes the events after it from the task before.
 */
export class TaskAssignment {
  readonly #sessions = new Map<string, SessionState>();

  constructor(
    private readonly context: RecordContext,
    /** Makes nodes of the events that were assigned so far: they are looked for in the graph. */
    private readonly flush: () => Promise<unknown>,
  ) {}

  /** Reads what is remembered of sessions, in one round trip. */
  async load(sessions: Iterable<string>): Promise<void> {
    const wanted = [...new Set(sessions)].filter((session) => !this.#sessions.has(session));
    const cursors = await this.context.nodesOf(TraceCursor, wanted.map(sessionCursorId));
    for (const [at, session] of wanted.entries())
      this.#sessions.set(session, rememberedBy(SessionState, cursors[at]));
  }

  /** The task of an event. Events are assigned in the order of their keys. */
  async assign(event: NewEvent): Promise<Assigned> {
    const { id, given, session } = event;
    const starts = event.fact.kind === 'task_start';
    const state = session === null ? null : await this.#stateOf(session);
    const own = given ?? traceId('task', id);
    const follows = session !== null && given === null && !starts;
    const lazy = traceId('task', 'session', session ?? '');
    const presumed = follows ? (state?.begun?.task ?? lazy) : own;
    const at = event.told ? event.at : await this.#orderedTime(event.at, presumed, state?.last ?? null);
    const key: EventKey = [at, id];
    const task =
      follows && state?.begun && !isAfter(key, state.begun.key)
        ? ((await this.#beginnings(session)).findLast((one) => compareKeys(one.key, key) < 0)?.task ?? lazy)
        : presumed;
    const placed = { task, at, session: follows ? session : null, begins: starts ? session : null };
    const opens = !starts && !follows;
    if (session === null || state === null) return { ...placed, opens, robbed: [] };
    const late = starts && !isAfter(key, state.last);
    const robbed = late ? await this.#takeFollowing(session, { key, task }) : [];
    if (starts && isAfter(key, state.begun?.key ?? null)) state.begun = { key, task };
    if (isAfter(key, state.last)) state.last = key;
    return { ...placed, opens, robbed };
  }

  /** Keeps what is now remembered of the sessions. */
  async save(): Promise<void> {
    await this.context.createAll(
      [...this.#sessions].map(([session, state]) => TraceCursor({ state }, { id: sessionCursorId(session) })),
    );
  }

  async #stateOf(session: string): Promise<SessionState> {
    await this.load([session]);
    return this.#sessions.get(session) ?? SessionState.parse({});
  }

  /** Events without a time keep the order in which they came. */
  async #orderedTime(now: number, task: string, session: EventKey | null): Promise<number> {
    const [cursor] = await this.context.nodesOf(TraceCursor, [cursorId(task)]);
    const { last } = rememberedBy(FoldState, cursor);
    const latest = Math.max(last?.[0] ?? 0, session?.[0] ?? 0);
    return latest === 0 ? now : Math.max(now, latest + 1 / 1024);
  }

  /** The events that begin tasks in a session, in their order. */
  async #beginnings(session: string): Promise<Beginning[]> {
    await this.flush();
    const events = await this.context.find(TraceEvent, { begins: session });
    return events
      .map(({ at, id, task }) => ({ key: [at, id] satisfies EventKey, task }))
      .sort((a, b) => compareKeys(a.key, b.key));
  }

  /** Moves the session's events after a late beginning to its task; the tasks that had them. */
  async #takeFollowing(session: string, { key, task }: Beginning): Promise<string[]> {
    const next = (await this.#beginnings(session)).find((one) => compareKeys(one.key, key) > 0);
    const robbed = new Set<string>();
    const events: NodeRef<typeof TraceEvent>[] = await this.context.find(TraceEvent, { session });
    for (const event of events) {
      const its: EventKey = [event.at, event.id];
      const follows = compareKeys(its, key) > 0 && (next === undefined || compareKeys(its, next.key) < 0);
      if (!follows || event.task === task) continue;
      robbed.add(event.task);
      this.context.set<typeof TraceEvent>(event, { task });
    }
    return [...robbed].sort(compareText);
  }
}

/** An event that begins a task in a session. */
interface Beginning {
  readonly key: EventKey;
  readonly task: string;
}
