import { toolEntry } from '../../schema/index.js';
import type { MadeBackup } from '../backups/index.js';
import { ownHello } from '../daemon/hello.js';
import type { Hello } from '../daemon/lines.js';
import type { Ask } from '../daemon/protocol.js';
import type { Host, Spawned, SpawnOptions, SpawnRequest } from '../host.js';
import { repeatable } from '../local/event-id.js';
import { realHome } from '../real-home.js';
import type { WalkerSignature } from '../signature.js';
import { madeHome, reachDaemon, runningDaemon } from './find-daemon.js';
import { type Link, LinkLost, lostError } from './link.js';
import { DAEMON_SCRIPT } from './own-hello.js';

/** Daemons that one request is sent to before it is given up, and those of them that may end while it runs in them. */
const DAEMONS = 4;
const ENDED = 2;

/** How a remote host is made. */
export interface RemoteHostOptions {
  /** The folder of all graphs; absolute. */
  readonly home: string;
  /** The daemon's script. Default: the one that is built beside this file. */
  readonly script?: URL;
}

/** The daemon of a home as a host: started by the first request, found again when it has gone. */
export class RemoteHost implements Host {
  readonly #home: string;
  readonly #script: URL;
  readonly #own: Hello;
  #link: Promise<Link> | null = null;

  constructor({ home, script = DAEMON_SCRIPT }: RemoteHostOptions) {
    this.#home = home;
    this.#script = script;
    this.#own = ownHello(script);
  }

  async spawn(request: SpawnRequest, options: SpawnOptions = {}): Promise<Spawned> {
    const spawn = repeatable(request);
    const ours = toolEntry(request.walker) !== undefined || spawn.input.event_id !== undefined;
    return (await this.#ask({ spawn }, options, ours ? null : request.walker)) as Spawned;
  }

  /** What the daemon says of itself and its graphs. */
  status(): Promise<unknown> {
    return this.#ask({ status: true }, {}, null);
  }

  async describe(folders: readonly string[], deadlineMs: number | null): Promise<readonly WalkerSignature[]> {
    const signatures = await this.#ask({ describe: folders, deadlineMs }, {}, null);
    return signatures as readonly WalkerSignature[];
  }

  async release(root: string): Promise<void> {
    // A daemon that does not run has nothing open.
    const home = realHome(this.#home);
    // Nor has one that cannot be the user's: who opens a store that is held is told so.
    const link = home === null ? null : await runningDaemon(home, this.#own).catch(() => null);
    await link?.ask({ release: root }).catch((thrown) => {
      if (!(thrown instanceof LinkLost)) throw thrown;
    });
    link?.close();
  }

  async backup(root: string): Promise<MadeBackup> {
    return (await this.#ask({ backup: root }, {}, null)) as MadeBackup;
  }

  /** Takes in what is in the journal. */
  async drain(): Promise<void> {
    await this.#ask({ drain: true }, {}, null);
  }

  async close(): Promise<void> {
    const link = await this.#link?.catch(() => null);
    this.#link = null;
    link?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @param once what must not be done twice, by its name; null for what may be asked again of another daemon. */
  async #ask(ask: Ask, options: SpawnOptions, once: string | null): Promise<unknown> {
    let ended = 0;
    for (let attempt = 1; ; attempt++) {
      const link = await this.#reached();
      try {
        return await link.ask(ask, options);
      } catch (thrown) {
        if (!(thrown instanceof LinkLost)) throw thrown;
        if (thrown.mayHaveBegun) ended++;
        if (once !== null || attempt >= DAEMONS || ended >= ENDED) throw lostError(nameOf(ask));
      }
    }
  }

  /** One connection for all who ask at the same time. */
  async #reached(): Promise<Link> {
    for (;;) {
      const before = this.#link;
      const known = await before?.catch(() => null);
      if (known && !known.isLost) return known;
      // Somebody else is at it.
      if (this.#link !== before) continue;
      const opening = (async () => reachDaemon(madeHome(this.#home), this.#own, this.#script))();
      this.#link = opening;
      return opening;
    }
  }
}

/** What was asked, by the name of its walker. */
function nameOf(ask: Ask): string {
  return 'spawn' in ask ? ask.spawn.walker : Object.keys(ask).join();
}
