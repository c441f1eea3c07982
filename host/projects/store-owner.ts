import type { Host } from '../host.js';

/** Who may have stores open while they are moved, removed or written anew: the daemon, or this process. */
export type StoreOwner = Pick<Host, 'spawn' | 'release' | 'drain'>;
