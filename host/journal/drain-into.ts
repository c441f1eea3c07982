import type { Host } from '../host.js';
import { ingestOn } from './ingest.js';
import { Journal } from './journal.js';

/**
 * Takes in what waits in the journal of a home, where no daemon does.
 *
 * @throws CodewalkError as whatever could not be recorded fails: it waits on.
 */
export async function drainInto(host: Pick<Host, 'spawn'>, home: string): Promise<void> {
  await using journal = new Journal({ home, ingest: ingestOn(host) });
  const { failure } = await journal.drain();
  if (failure) throw failure;
}
