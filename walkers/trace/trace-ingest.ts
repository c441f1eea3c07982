import { z } from 'zod';
import { EVENT_FIELDS, ingest, withoutNulls } from '../../graphs/trace/index.js';
import { defineWalker } from '../../runtime/index.js';
import { issuesText, LIMITS } from '../../schema/index.js';
import { answerHook, storeLate } from '../hooks/hook-answer.js';
import { HookQuestion, LateText } from '../hooks/question.js';
import { withSymbols } from './edited-symbols.js';
import { endAbandoned } from './trace-sweep.js';

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
