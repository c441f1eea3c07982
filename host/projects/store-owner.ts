import type { Host } from '../host.js';
import { ingestOn, Journal } from '../journal/index.js';
import { graphsFolderOf } from '../surroundings.js';

/** Who may have stores open while they are moved, removed or written anew: the daemon, or nobody. */
export interface StoreOwner {
  /** Closes whatever is open of a root, which may have vanished, and of all that share its history. */
  release(root: string): Promise<void>;
  /** Takes in what waits in the journal. */
  drain(): Promise<void>;
  spawn: Host['spawn'];
}

/**
 * The owner of stores that nobody has open between two requests.
 *
 * @param host Closes what it opens for a request.
 * @param home As in `OpenOptions`.
 */
export function ownerOfNone(host: Pick<Host, 'spawn'>, home?: string): StoreOwner {
  return {
    release: async () => undefined,
    drain: async () => {
      await using journal = new Journal({ home: graphsFolderOf({ home }), ingest: ingestOn(host) });
      const { failure } = await journal.drain();
      if (failure) throw failure;
    },
    spawn: (request, options) => host.spawn(request, options),
  };
}
