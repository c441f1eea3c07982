import { z } from 'zod';
import {
  compareKeys,
  cursorState,
  EVENT_FIELDS,
  type EventKey,
  Fact,
  ingest,
  type NewEvent,
  promptlessTask,
  type RecordContext,
  recordEvents,
  SessionState,
  sessionCursorId,
  storedSession,
  traceId,
  withoutNulls,
} from '../../graphs/trace/index.js';
import { compareText, defineWalker, type WriteContext } from '../../runtime/index.js';
import { issuesText, LIMITS, parseId, Task, TraceCursor, TraceEvent } from '../../schema/index.js';
import { answerHook, storeLate } from '../hooks/hook-answer.js';
import { HookQuestion } from '../hooks/notes.js';
import { withSymbols } from './edited-symbols.js';

const text = z.string();
const { journalBatch, sweepAfter } = LIMITS;

const JournalEvent = z.object({ ...EVENT_FIELDS, event_id: text.min(1) });
const Reported = z.looseObject({ event_id: text, at: z.number() });
const Prompt = z.object({
  kind: z.literal('task_start'),
  session_id: text,
  payload: z.object({ client: text }),
});

const IngestOutcome = z.object({
  /** `known`: it was there already. */
  outcome: z.enum(['recorded', 'known', 'refused']),
  why: text.optional(),
});
export type IngestOutcome = z.infer<typeof IngestOutcome>;

/** Records what hooks reported in one commit that waits for the disk, ends abandoned tasks, and answers the hook that asks. */
export const TraceIngest = defineWalker('trace_ingest', {
  description: 'Record a batch of events from the journal, and answer a hook. The host asks for it.',
  access: 'write',
  reads: 'trace',
  sync: true,
  input: {
    events: z
      .array(Reported)
      .max(journalBatch.max)
      .describe('As etg_log_event takes them, each with an id; at: milliseconds, where ts is none'),
    question: HookQuestion.nullish().describe('What to answer once they are recorded'),
    late: z
      .object({ session_id: text.min(1), text })
      .nullish()
      .describe('An answer whose hook had gone'),
  },
  output: z.object({
    outcomes: z.array(IngestOutcome),
    /** What to tell the agent; null: nothing is worth being said. */
    text: text.nullable(),
  }),
  finish: async ({ state: { events, question, late }, context }) => {
    const outcomes = await recorded(events, context);
    const prompted = new Map<string, number>();
    for (const { at, ...event } of events) {
      const session = Prompt.safeParse(event).data?.session_id;
      if (session !== undefined) prompted.set(session, Math.max(at, prompted.get(session) ?? 0));
    }
    for (const [session, now] of prompted) await endAbandoned(session, now, context);
    if (late) await storeLate(late.session_id, late.text, context);
    return { outcomes, text: question ? await answerHook(question, context) : null };
  },
  markdown: ({ outcomes, text }) => text ?? `${outcomes.length} events\n`,
});

async function recorded(
  events: readonly z.infer<typeof Reported>[],
  context: WriteContext,
): Promise<IngestOutcome[]> {
  const read = events.map(({ at, ...said }) => ({ at, said: JournalEvent.safeParse(withoutNulls(said)) }));
  // The time in the name of a journal file is as good as one that the client gave: it depends on no other event.
  const fitting = read.flatMap(({ at, said }) =>
    said.success ? [{ said: said.data, at, timed: true }] : [],
  );
  const results = (await ingest(fitting, context, withSymbols(context))).values();
  return read.map(({ said }) => {
    if (!said.success) return { outcome: 'refused', why: issuesText(said.error) };
    const result = results.next().value;
    if (result?.outcome === 'refused') return { outcome: 'refused', why: result.error.message };
    return { outcome: result?.outcome ?? 'known' };
  });
}

/** After the last event of a task, and before any that comes later: events with times of their own differ by more. */
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
  for (const { id: task, session_id } of await context.find(Task, { status: 'running' })) {
    const events = await context.find(TraceEvent, { task });
    const keys = events.map(({ at, id }): EventKey => [at, id]).sort(compareKeys);
    const last = keys.at(-1);
    // A task that began before the first prompt of its session has that session from its events.
    const promptless = here !== null && task === promptlessTask(here) ? here : null;
    const session = session_id ?? promptless ?? events.find((event) => event.session !== null)?.session;
    if (last === undefined || session == null) continue;
    const [cursor] = await context.nodesOf(TraceCursor, [sessionCursorId(session)]);
    const known = cursorState(SessionState, cursor);
    const isOlder = session === here && known.begun !== null && known.begun.task !== task;
    const isSilent = Math.max(last[0], known.last?.[0] ?? 0) < now - sweepAfter.default;
    if (isOlder || isSilent) ends.push(endOf(task, last));
  }
  await recordEvents(ends, context);
  return ends.flatMap(({ given }) => given ?? []).sort(compareText);
}

function endOf(task: string, [at, last]: EventKey): NewEvent {
  const how = {
    status: 'aborted',
    status_raw: null,
    summary: '',
    if_open: true,
    truncated_bytes: 0,
  } as const;
  return {
    ...{ id: traceId('event', 'sweep', task, last), at: at + AFTER, timed: true },
    ...{ given: task, session: null, step_name: null, tool_name: null },
    fact: { kind: 'task_end', ...how },
  };
}

const { at, task, session, begins, step_name, tool_name } = TraceEvent.shape;

/** The record of an event: what {@link TraceEvent} was when it was made. */
export const StoredEvent = z.object({
  ...{ id: text, at, session, begins, step_name, tool_name, fact: Fact },
  task: task.refine((id) => parseId(id) === null, 'the id of a file or symbol names no task'),
});
export type StoredEvent = z.infer<typeof StoredEvent>;

/** Records events again that were recorded before, with the times that they were given then. */
export const TraceReplay = defineWalker('trace_replay', {
  description: 'Record events again, from their records. The host asks for it.',
  access: 'write',
  input: { events: z.array(StoredEvent).max(journalBatch.max) },
  output: z.object({ recorded: z.number().int() }),
  finish: async ({ state, context }) => {
    const known = await context.nodesOf(
      TraceEvent,
      state.events.map(({ id }) => id),
    );
    const ids = new Set(known.flatMap(({ id, gone }) => (gone ? [] : [id])));
    const fresh = new Map<string, NewEvent>();
    for (const { task, session, begins, ...event } of state.events) {
      const given = session === null ? task : null;
      if (!ids.has(event.id))
        fresh.set(event.id, { ...event, timed: true, given, session: session ?? begins });
    }
    // Which concepts prompts were related to is stored apart from the events.
    await recordEvents([...fresh.values()], context, { relate: false });
    return { recorded: fresh.size };
  },
});
