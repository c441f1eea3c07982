import { z } from 'zod';
import type { Host } from '../host.js';
import type { Ingest } from './look.js';
import type { JournalEvent } from './read-entry.js';

const Outcomes = z.object({
  outcomes: z.array(
    z.object({ outcome: z.enum(['recorded', 'known', 'refused']), why: z.string().exactOptional() }),
  ),
});

/** A prompt that an agent's hook told of. */
const Prompt = z.object({
  kind: z.literal('task_start'),
  session_id: z.string(),
  at: z.number(),
  payload: z.object({ client: z.string() }),
});

/**
 * Records batches by spawning a walker on a host: one commit that waits for the disk. Where agents began tasks in them,
 * those that were left open before are ended (C-04).
 */
export function ingestOn(host: Pick<Host, 'spawn'>): Ingest {
  return async (root, events) => {
    const { body } = await host.spawn({ walker: 'trace_ingest', root, input: { events } });
    const { outcomes } = Outcomes.parse(body);
    // What it did not end the next one does: the events themselves are recorded.
    for (const [session_id, now] of promptsIn(events))
      await host.spawn({ walker: 'trace_sweep', root, input: { session_id, now } }).catch(() => undefined);
    return outcomes;
  };
}

/** The sessions in which agents began tasks, with the time of the last one. */
function promptsIn(events: readonly JournalEvent[]): ReadonlyMap<string, number> {
  const latest = new Map<string, number>();
  for (const event of events) {
    const { success, data } = Prompt.safeParse(event);
    if (success) latest.set(data.session_id, Math.max(data.at, latest.get(data.session_id) ?? 0));
  }
  return latest;
}
