import type { Host } from '../host.js';

/** Who may have stores open while they are moved, removed or written anew: the daemon, or nobody. */
export interface StoreOwner {
  /** Closes whatever is open of a root, which may have vanished, and of all that share its history. */
  release(root: string): Promise<void>;
  spawn: Host['spawn'];
}
