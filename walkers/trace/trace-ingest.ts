import { z } from 'zod';
import { defineWalker, Root } from '../../runtime/index.js';
import { CodewalkError, EVENT_KINDS, issuesText, LIMITS, TraceEvent } from '../../schema/index.js';
import { EDIT_PARSER, withSymbols } from './edited-symbols.js';
import { EVENT_NAMES, type NewEvent, noTask, takenNames, toldEvent } from './new-event.js';
import { recordEvents } from './record-events.js';
import { type PlaceOf, placesIn } from './touched-files.js';

const text = z.string();

/** One event of a batch, with what its recorder knows of it. */
const JournalEvent = z.object({
  ...EVENT_NAMES,
  event_id: text.min(1),
  kind: z.enum(EVENT_KINDS),
  payload: z.record(text, z.unknown()),
});

/** What became of one event. */
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
  state: () => ({ outcomes: null as IngestOutcome[] | null }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { events } = context.state;
      const placeOf = placesIn(context.projectRoot);
      const outcomes = events.map((): IngestOutcome => ({ outcome: 'known' }));
      const fresh = new Map<
        string,
        { readonly event: NewEvent; readonly payload: unknown; readonly at: number }
      >();
      for (const [at, { at: recorded, ...said }] of events.entries()) {
        try {
          const event = eventOf(said, placeOf, recorded);
          if (!fresh.has(event.id)) fresh.set(event.id, { event, payload: said.payload, at });
        } catch (thrown) {
          outcomes[at] = refusal(thrown);
        }
      }
      const ids = [...fresh.keys()];
      for (const { id, gone } of await context.nodesOf(TraceEvent, ids)) if (!gone) fresh.delete(id);
      const names = [...new Set([...fresh.values()].flatMap(({ event }) => event.given ?? []))];
      const taken = await takenNames(names, context);
      for (const [id, { event, at }] of fresh) {
        const type = taken.get(event.given ?? '');
        outcomes[at] =
          type === undefined ? { outcome: 'recorded' } : refusal(noTask(event.given ?? '', type));
        if (type !== undefined) fresh.delete(id);
      }
      const told: NewEvent[] = [];
      for (const { event, payload } of fresh.values())
        told.push(await withSymbols(event, payload, context.kept(EDIT_PARSER)));
      await recordEvents(told, context);
      context.state.outcomes = outcomes;
    }),
  ],
  finish: ({ state: { outcomes } }) => {
    if (outcomes) return { outcomes };
    throw new CodewalkError('DEADLINE', 'the events were not recorded: the run ended early');
  },
  markdown: ({ outcomes }) => `${outcomes.length} events\n`,
});

function eventOf(said: object, placeOf: PlaceOf, recorded: number): NewEvent {
  // Who has nothing to say of a field may say null.
  const parsed = JournalEvent.safeParse(
    Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null)),
  );
  if (!parsed.success) throw new CodewalkError('INVALID_INPUT', issuesText(parsed.error));
  const { event } = toldEvent(parsed.data, { placeOf, now: recorded });
  // The time in the name of its file is as good as one that the client told: it depends on no other event.
  return { ...event, id: event.id ?? '', told: true };
}

function refusal(thrown: unknown): IngestOutcome {
  if (thrown instanceof CodewalkError && thrown.code === 'INVALID_INPUT')
    return { outcome: 'refused', why: thrown.message };
  throw thrown;
}
