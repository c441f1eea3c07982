import { CodewalkError } from '../../schema/index.js';
import type { Agents } from '../agents.js';
import { type Hello, ownHello } from '../daemon/wire.js';
import { realPath } from '../files.js';
import type { Ask, Host, SpawnOptions } from '../host.js';
import { reportsEvents } from '../journal/reporting.js';
import { withStoresFree } from '../projects/remove.js';
import { checkNesting, isRepeatable, repeatable, TransportHost } from '../protocol.js';
import { DAEMON_SCRIPT, madeHome, reachDaemon, runningDaemon } from './find-daemon.js';
import { type Link, LinkLost } from './link.js';

/** Daemons that one request is sent to before it is given up, and those of them that may end while it runs in them. */
const DAEMONS = 4;
const ENDED = 2;

/** How a remote host is made. */
export interface RemoteHostOptions {
  /** The folder of all graphs; absolute. */
  readonly home: string;
  /** The daemon's script. Default: the one of this build. */
  readonly script?: URL;
}

/** The daemon of a home as a host: started by the first request, found again when it has gone. */
export class RemoteHost extends TransportHost {
  readonly #home: string;
  readonly #script: URL;
  readonly #own: Hello;
  #link: Promise<Link> | null = null;

  constructor({ home, script = DAEMON_SCRIPT }: RemoteHostOptions) {
    super();
    this.#home = home;
    this.#script = script;
    this.#own = ownHello(script);
  }

  /** What the daemon says of itself and its graphs. */
  status(): Promise<unknown> {
    return this.ask({ status: true });
  }

  async release(root: string): Promise<void> {
    // A daemon that does not run has nothing open.
    const home = realPath(this.#home);
    // Nor has one that cannot be the user's: opening a store that is held says so.
    const link = home === null ? null : await runningDaemon(home, this.#own).catch(() => null);
    await link?.ask({ release: root }).catch((thrown) => {
      if (!(thrown instanceof LinkLost)) throw thrown;
    });
    link?.close();
  }

  async close(): Promise<void> {
    const link = await this.#link?.catch(() => null);
    this.#link = null;
    link?.close();
  }

  protected async ask(asked: Ask, options?: SpawnOptions): Promise<unknown> {
    const ask = 'spawn' in asked ? { spawn: repeatable(asked.spawn) } : asked;
    // Another daemon may be asked again, but not to run what may not be done twice.
    const isOnce = 'spawn' in ask && !isRepeatable(ask.spawn);
    let ended = 0;
    for (let attempt = 1; ; attempt++) {
      const link = await this.#reached();
      try {
        return await link.ask(ask, options);
      } catch (thrown) {
        if (!(thrown instanceof LinkLost)) throw thrown;
        if (thrown.mayHaveBegun) ended++;
        if (isOnce || attempt >= DAEMONS || ended >= ENDED)
          throw lostError('spawn' in ask ? ask.spawn.walker : Object.keys(ask).join());
      }
    }
  }

  /** The connection that there is, or a new one. */
  async #reached(): Promise<Link> {
    const before = this.#link;
    const known = await before?.catch(() => null);
    if (known && !known.isLost) return known;
    // Another request may have begun to connect meanwhile.
    if (this.#link === before)
      this.#link = (async () => reachDaemon(madeHome(this.#home), this.#own, this.#script))();
    return this.#link ?? this.#reached();
  }
}

function lostError(what: string): CodewalkError {
  return new CodewalkError('DAEMON_FAILED', `the daemon ended while '${what}' ran`, {
    input: what,
    suggestion: 'It is not known whether it was done: look before you run it again.',
  });
}

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
 * loaded, started or opened before it is asked for something.
 */
export function hostAt({ home, embedded, agents }: HostPlace): Host {
  const remote = new RemoteHost({ home });
  const local = lazy(async () => {
    // As the daemon's process: what LevelDB makes in the background is the user's alone, too.
    process.umask(0o077);
    const { LocalHost } = await import('../local/local-host.js');
    return new LocalHost({ home, agents: await agents?.() });
  });
  const inMemory = lazy(async () => (await import('../direct-host.js')).directHost(home));
  const usual = async () => (embedded ? local() : remote);
  const close = async () => {
    await Promise.all([remote.close(), local.made()?.then((host) => host.close())]);
  };
  return {
    async spawn(request, options) {
      checkNesting(request, `the input of '${request.walker}'`);
      if (request.root === ':memory:') return (await inMemory()).spawn(request, options);
      if (!embedded) return remote.spawn(request, options);
      return withStoresFree(remote, request.root, async () => {
        const host = await local();
        // What cannot be recorded now waits; `codewalk doctor` reports it.
        if (reportsEvents(request.walker)) await host.drain(request.root).catch(() => undefined);
        return host.spawn(request, options);
      });
    },
    describe: async (folders, deadlineMs) => (await usual()).describe(folders, deadlineMs),
    backup: async (root) => {
      if (!embedded) return remote.backup(root);
      return withStoresFree(remote, root, async () => (await local()).backup(root));
    },
    drain: async () => (await usual()).drain(),
    release: async (root) => (await usual()).release(root),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Makes something when it is asked for first; `made` gives it if that was so. */
function lazy<T>(make: () => Promise<T>) {
  let known: Promise<T> | null = null;
  const get = () => {
    known ??= make();
    return known;
  };
  return Object.assign(get, { made: () => known });
}
