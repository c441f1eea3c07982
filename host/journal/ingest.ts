import { z } from 'zod';
import type { Agents } from '../agents.js';
import type { Host, SpawnRequest } from '../host.js';
import { homesOf } from '../surroundings.js';
import { Journal } from './journal.js';
import type { Ingest } from './look.js';

const Body = z.object({
  outcomes: z.array(
    z.object({ outcome: z.enum(['recorded', 'known', 'refused']), why: z.string().exactOptional() }),
  ),
  text: z.string().nullable(),
});

/** Has a host record what hooks reported, and answer one of them: one walker, one commit that waits for the disk. */
export async function passOn(
  host: Pick<Host, 'spawn'>,
  to: Pick<SpawnRequest, 'root' | 'limits'>,
  input: SpawnRequest['input'],
): Promise<z.infer<typeof Body>> {
  return Body.parse((await host.spawn({ walker: 'trace_ingest', ...to, input })).body);
}

/** Records batches on a host. */
export function ingestOn(host: Pick<Host, 'spawn'>): Ingest {
  return async (root, events) => (await passOn(host, { root }, { events })).outcomes;
}

/**
 * Takes in what waits in the journal of a home, where no daemon does.
 *
 * @param options.of A root: only its history's events are taken in. Default: all.
 * @param options.agents What knows the payloads of agents' hooks. Default: they wait on.
 * @throws CodewalkError when something could not be recorded: it waits on.
 */
export async function drainInto(
  host: Pick<Host, 'spawn'>,
  home: string,
  { of, agents }: { readonly of?: string | undefined; readonly agents?: Agents | undefined } = {},
): Promise<void> {
  const historyOf = (root: string) => homesOf(root, { home }).historyHash;
  const takes = of === undefined ? {} : { takes: (root: string) => historyOf(root) === historyOf(of) };
  await using journal = new Journal({
    home,
    ingest: ingestOn(host),
    ...takes,
    ...(agents ? { agents } : {}),
  });
  const { failure } = await journal.drain();
  if (failure) throw failure;
}
