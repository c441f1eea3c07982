import { z } from 'zod';
import {
  compareKeys,
  cursorState,
  EVENT_FIELDS,
  type EventKey,
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
import { compareText, defineWalker, type NodeRef } from '../../runtime/index.js';
import { issuesText, LIMITS, Task, TraceCursor, TraceEvent } from '../../schema/index.js';
import { answerHook, storeLate } from '../hooks/hook-answer.js';
import { HookQuestion, LateText } from '../hooks/question.js';
import { withSymbols } from './edited-symbols.js';

const text = z.string();

const JournalEvent = z.object({ ...EVENT_FIELDS, event_id: text.min(1) });

const IngestOutcome = z.object({
  /** `known`: it was there already. */
  outcome: z.enum(['recorded', 'known', 'refused']),
  why: text.optional(),
});
export type IngestOutcome = z.infer<typeof IngestOutcome>;

const Prompt = z.object({
  kind: z.literal('task_start'),
  session_id: text,
  payload: z.object({ client: text }),
});

const Reported = z.looseObject({ event_id: text, at: z.number() });

/** Records what hooks reported in one commit that waits for the disk, ends abandoned tasks, and answers the hook that asks. */
export const TraceIngest = defineWalker('trace_ingest', {
  description: 'Record a batch of events from the journal, and answer a hook. The host asks for it.',
  access: 'write',
  reads: 'trace',
  sync: true,
  input: {
    events: z
      .array(Reported)
      .max(LIMITS.journalBatch.max)
      .describe('As etg_log_event takes them, each with an id; at: milliseconds, where ts is none'),
    question: HookQuestion.nullish().describe('What to answer once they are recorded'),
    late: LateText.nullish().describe('An answer whose hook had gone'),
  },
  output: z.object({
    outcomes: z.array(IngestOutcome),
    /** What to tell the agent; null: nothing is worth being said. */
    text: text.nullable(),
  }),
  finish: async ({ state: { events, question, late }, context }) => {
    const outcomes = await recorded(events, context);
    for (const [session, now] of promptsIn(events)) await endAbandoned(session, now, context);
    if (late) await storeLate(late, context);
    return { outcomes, text: question ? await answerHook(question, context) : null };
  },
  markdown: ({ outcomes, text }) => text ?? `${outcomes.length} events\n`,
});

async function recorded(
  events: readonly z.infer<typeof Reported>[],
  context: Parameters<typeof ingest>[1],
): Promise<IngestOutcome[]> {
  const read = events.map(({ at, ...said }) => ({
    at,
    said: JournalEvent.safeParse(withoutNulls(said)),
  }));
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

function promptsIn(events: readonly z.infer<typeof Reported>[]): ReadonlyMap<string, number> {
  const latest = new Map<string, number>();
  for (const event of events) {
    const { data } = Prompt.safeParse(event);
    if (data) latest.set(data.session_id, Math.max(event.at, latest.get(data.session_id) ?? 0));
  }
  return latest;
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
