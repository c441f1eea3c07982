import { graphsFolderOf, type Host, hostAt } from '../host/index.js';
import type { GlobalFlags } from './flags.js';

/** Who runs the walkers of a command. Nothing is loaded, started or opened before it is asked for something. */
export function hostFor({ home, embedded = false }: Pick<GlobalFlags, 'home' | 'embedded'>): Host {
  return hostAt({
    home: graphsFolderOf({ home }),
    embedded,
    agents: async () => (await import('../hooks/index.js')).agents,
  });
}
