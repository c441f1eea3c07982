import type { Agents } from './agents.js';
import { checkNesting } from './check-nesting.js';
import { RemoteHost, released } from './client/remote-host.js';
import type { Host, Spawned, SpawnOptions, SpawnRequest } from './host.js';
import { reportsEvents } from './journal/reporting.js';

/** Where a host is. */
export interface HostPlace {
  /** The folder of all graphs; absolute. */
  readonly home: string;
  /** Whether graphs are opened in this process, without the daemon. */
  readonly embedded: boolean;
  /** Loads what knows the payloads of agents' hooks, for where graphs are opened here. */
  readonly agents?: () => Promise<Agents>;
}

/**
 * The host of a home: its daemon, or this process. Graphs in memory are this process's own either way. Nothing is
 * loaded, started or opened before it is asked for something: who only might need it starts without.
 */
export function hostAt({ home, embedded, agents }: HostPlace): Host {
  const remote = new RemoteHost({ home });
  const local = once(async () => {
    // As the daemon's process: what LevelDB makes in the background is the user's alone, too.
    process.umask(0o077);
    const { LocalHost } = await import('./local/local-host.js');
    return new LocalHost({ home, agents: await agents?.() });
  });
  const inMemory = once(async () => {
    const { directHost } = await import('./direct-host.js');
    return directHost(home);
  });
  const usual = async () => (embedded ? local.get() : remote);
  const here = async (request: SpawnRequest, options?: SpawnOptions): Promise<Spawned> => {
    const host = await local.get();
    // What cannot be recorded now waits; `codewalk doctor` tells of it.
    if (reportsEvents(request.walker)) await host.drain(request.root).catch(() => undefined);
    return host.spawn(request, options);
  };
  const close = async () => {
    await Promise.all([remote.close(), local.made?.then((host) => host.close())]);
  };
  return {
    async spawn(request, options) {
      checkNesting(request, `the input of '${request.walker}'`);
      if (request.root === ':memory:') return (await inMemory.get()).spawn(request, options);
      if (!embedded) return remote.spawn(request, options);
      return released(remote, request.root, () => here(request, options));
    },
    describe: async (folders, deadlineMs) => (await usual()).describe(folders, deadlineMs),
    backup: async (root) =>
      embedded ? released(remote, root, async () => (await local.get()).backup(root)) : remote.backup(root),
    drain: async () => (await usual()).drain(),
    release: async (root) => (await usual()).release(root),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Made when it is asked for first. */
function once<T>(make: () => Promise<T>) {
  let made: Promise<T> | null = null;
  return {
    get made() {
      return made;
    },
    get() {
      made ??= make();
      return made;
    },
  };
}
