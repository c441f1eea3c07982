import { CodewalkError } from '../../schema/index.js';
import type { Host } from '../host.js';

/** Who may have stores open while they are moved, removed or written anew: the daemon, or this process. */
export type StoreOwner = Pick<Host, 'spawn' | 'release' | 'drain' | 'backup'>;

/** Whoever asked for something just now may have had it opened again. */
const TRIES = 3;

/**
 * Does something with the stores of a root while nobody has them open. What it does may be done again.
 *
 * @throws CodewalkError `STORE_LOCKED` when somebody else has them, or as the work does.
 */
export async function withStoresFree<T>(
  owner: Pick<StoreOwner, 'release'>,
  root: string,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    await owner.release(root);
    try {
      return await work();
    } catch (thrown) {
      const isLocked = thrown instanceof CodewalkError && thrown.code === 'STORE_LOCKED';
      if (tries === TRIES || !isLocked) throw thrown;
    }
  }
}
