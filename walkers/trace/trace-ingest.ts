import { z } from 'zod';
import { EVENT_FIELDS, ingest, withoutNulls } from '../../graphs/trace/index.js';
import { defineWalker } from '../../runtime/index.js';
import { issuesText, LIMITS } from '../../schema/index.js';
import { withSymbols } from './edited-symbols.js';

const text = z.string();

/** One event of a batch, with what its recorder knows of it. */
const JournalEvent = z.object({ ...EVENT_FIELDS, event_id: text.min(1) });

const IngestOutcome = z.object({
  /** `known`: it was there already. */
  outcome: z.enum(['recorded', 'known', 'refused']),
  /** Why it was refused. */
  why: text.optional(),
});
export type IngestOutcome = z.infer<typeof IngestOutcome>;

/**
 * Records a batch of events that the journal held, in one transaction and one commit that waits for the disk (P-07).
 * An event that does not fit is refused by itself.
 */
export const TraceIngest = defineWalker('trace_ingest', {
  description: 'Record a batch of events from the journal. The host asks for it.',
  access: 'write',
  sync: true,
  input: {
    events: z
      .array(z.looseObject({ event_id: text, at: z.number() }))
      .max(LIMITS.journalBatch.max)
      .describe('As etg_log_event takes them, each with an id; at: milliseconds, where ts is none'),
  },
  output: z.object({ outcomes: z.array(IngestOutcome) }),
  finish: async ({ state, context }) => {
    const read = state.events.map(({ at, ...said }) => ({
      at,
      said: JournalEvent.safeParse(withoutNulls(said)),
    }));
    // The time in the name of a journal file is as good as one that the client gave: it depends on no other event.
    const fitting = read.flatMap(({ at, said }) =>
      said.success ? [{ said: said.data, at, timed: true }] : [],
    );
    const results = (await ingest(fitting, context, withSymbols(context))).values();
    const outcomes = read.map(({ said }): IngestOutcome => {
      if (!said.success) return { outcome: 'refused', why: issuesText(said.error) };
      const result = results.next().value;
      if (result?.outcome === 'refused') return { outcome: 'refused', why: result.error.message };
      return { outcome: result?.outcome ?? 'known' };
    });
    return { outcomes };
  },
  markdown: ({ outcomes }) => `${outcomes.length} events\n`,
});
