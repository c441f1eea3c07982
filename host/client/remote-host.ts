import { CodewalkError, toolEntry } from '../../schema/index.js';
import { type Ask, type Hello, ownHello } from '../daemon/wire.js';
import { realPath } from '../files.js';
import type { SpawnOptions } from '../host.js';
import { repeatable } from '../local/event-id.js';
import { DAEMON_SCRIPT, madeHome, reachDaemon, runningDaemon } from './find-daemon.js';
import { type Link, LinkLost } from './link.js';
import { TransportHost } from './transport-host.js';

/** Daemons that one request is sent to before it is given up, and those of them that may end while it runs in them. */
const DAEMONS = 4;
const ENDED = 2;
/** How often a daemon is asked to release the stores of a root. */
const RELEASES = 3;

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
    const isOnce = 'spawn' in ask && !toolEntry(ask.spawn.walker) && ask.spawn.input.event_id === undefined;
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

  /** One connection for all who ask at the same time. */
  async #reached(): Promise<Link> {
    for (;;) {
      const before = this.#link;
      const known = await before?.catch(() => null);
      if (known && !known.isLost) return known;
      // Another request is connecting.
      if (this.#link !== before) continue;
      const opening = (async () => reachDaemon(madeHome(this.#home), this.#own, this.#script))();
      this.#link = opening;
      return opening;
    }
  }
}

function lostError(what: string): CodewalkError {
  return new CodewalkError('DAEMON_FAILED', `the daemon ended while '${what}' ran`, {
    input: what,
    suggestion: 'It is not known whether it was done: look before you run it again.',
  });
}

/**
 * Does something with the stores of a root, which one process has at a time, once the daemon that may run has released
 * them.
 *
 * @throws CodewalkError as `work` does; `STORE_LOCKED` where another process has them.
 */
export async function released<T>(daemon: RemoteHost, root: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await daemon.release(root);
    try {
      return await work();
    } catch (thrown) {
      // Another question had the daemon open them again.
      const isHeld = thrown instanceof CodewalkError && thrown.code === 'STORE_LOCKED';
      if (!isHeld || attempt >= RELEASES) throw thrown;
    }
  }
}
