import type { WalkerType } from '../runtime/index.js';

/** The built-in walkers. Adding one is adding its file and a line here. */
export const WALKERS: readonly WalkerType[] = [];
