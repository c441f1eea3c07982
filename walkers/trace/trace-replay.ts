import { z } from 'zod';
import { Fact, type NewEvent, recordEvents } from '../../graphs/trace/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS, parseId, TraceEvent } from '../../schema/index.js';

const { at, task, session, begins, step_name, tool_name } = TraceEvent.shape;

/** The record of an event: what {@link TraceEvent} was when it was made. */
export const StoredEvent = z.object({
  ...{ id: z.string(), at, session, begins, step_name, tool_name },
  task: task.refine((id) => parseId(id) === null, 'the id of a file or symbol names no task'),
  fact: Fact,
});
export type StoredEvent = z.infer<typeof StoredEvent>;

/** Records events again that were recorded before, with the times that they were given then. */
export const TraceReplay = defineWalker('trace_replay', {
  description: 'Record events again, from their records. The host asks for it.',
  access: 'write',
  input: { events: z.array(StoredEvent).max(LIMITS.journalBatch.max) },
  output: z.object({ recorded: z.number().int() }),
  finish: async ({ state, context }) => {
    const fresh = new Map(state.events.map((event) => [event.id, newEvent(event)]));
    for (const { id, gone } of await context.nodesOf(TraceEvent, [...fresh.keys()]))
      if (!gone) fresh.delete(id);
    // Which concepts prompts were related to is stored apart from the events.
    await recordEvents([...fresh.values()], context, { relate: false });
    return { recorded: fresh.size };
  },
});

function newEvent({ task, session, begins, ...event }: StoredEvent): NewEvent {
  return { ...event, timed: true, given: session === null ? task : null, session: session ?? begins };
}
