import { resolve } from 'node:path';
import type { StoreOwner } from '../host/index.js';
import type { GlobalFlags } from './flags.js';
import { hostFor } from './host-for.js';
import type { Session } from './session.js';

/** Who has the stores open that a command moves or removes. */
export function storeOwner(flags: GlobalFlags): StoreOwner {
  return hostFor(flags);
}

/** A root as somebody named it; it may have vanished. Default: the project that holds the working directory. */
export async function namedRoot(session: Session, { home }: GlobalFlags, path?: string): Promise<string> {
  const { knownRoot, projectRootOf } = await import('./home.js');
  const { cwd } = session.terminal;
  return path === undefined ? projectRootOf(cwd, { home }) : knownRoot(resolve(cwd, path));
}
