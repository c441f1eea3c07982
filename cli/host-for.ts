import { embeddedHost, type Host } from '../host/index.js';
import type { GlobalFlags } from './global-flags.js';

/** Who runs the walkers of a command. Nothing is loaded, started or opened before it is asked for something. */
export function hostFor({ home }: Pick<GlobalFlags, 'home'>): Host {
  return embeddedHost(home);
}
