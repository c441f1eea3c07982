import type { Agents } from '../agents.js';
import type { Host } from '../host.js';
import { homesOf } from '../surroundings.js';
import { ingestOn } from './ingest.js';
import { Journal } from './journal.js';

/**
 * Takes in what waits in the journal of a home, where no daemon does.
 *
 * @param options.of A root: only its history's events are taken in. Default: all.
 * @param options.agents What knows the payloads of agents' hooks. Default: they wait on.
 * @throws CodewalkError as whatever could not be recorded fails: it waits on.
 */
export async function drainInto(
  host: Pick<Host, 'spawn'>,
  home: string,
  { of, agents }: { readonly of?: string | undefined; readonly agents?: Agents | undefined } = {},
): Promise<void> {
  const takes = of === undefined ? {} : { takes: sharesHistory(of, home) };
  await using journal = new Journal({
    home,
    ingest: ingestOn(host),
    ...takes,
    ...(agents ? { agents } : {}),
  });
  const { failure } = await journal.drain();
  if (failure) throw failure;
}

function sharesHistory(of: string, home: string): (root: string) => boolean {
  const { historyHash } = homesOf(of, { home });
  const known = new Map<string, boolean>();
  return (root) => {
    const shares = known.get(root) ?? homesOf(root, { home }).historyHash === historyHash;
    known.set(root, shares);
    return shares;
  };
}
