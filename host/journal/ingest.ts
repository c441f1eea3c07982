import { z } from 'zod';
import type { Host } from '../host.js';
import type { Ingest } from './look.js';

const Outcomes = z.object({
  outcomes: z.array(
    z.object({ outcome: z.enum(['recorded', 'known', 'refused']), why: z.string().exactOptional() }),
  ),
});

/** Records batches by spawning a walker on a host: one commit that waits for the disk. */
export function ingestOn(host: Pick<Host, 'spawn'>): Ingest {
  return async (root, events) => {
    const { body } = await host.spawn({ walker: 'trace_ingest', root, input: { events } });
    return Outcomes.parse(body).outcomes;
  };
}
