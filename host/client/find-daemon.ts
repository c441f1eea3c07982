import { realpathSync } from 'node:fs';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { makeFolder } from '../../storage/index.js';
import { checkOwnSocket, daemonAddress } from '../daemon/address.js';
import { type Hello, isNewer, isSame, ownHello, readRecord } from '../daemon/wire.js';
import { Link } from './link.js';
import { lastLogLine, type Started, startDaemon } from './start-daemon.js';

/** The daemon's script, as it is built. */
export const DAEMON_SCRIPT = new URL('./daemon.js', import.meta.url);

/** What this program says of itself to a daemon. */
export function daemonHello(): Hello {
  return ownHello(DAEMON_SCRIPT);
}

/** Milliseconds between two tries to reach a daemon that is starting. */
const TRY_MS = 25;

/**
 * The real path of the folder of all graphs; made, for its owner alone, when it is not there.
 *
 * @throws CodewalkError `STORE_FULL` when it cannot be made.
 */
export function madeHome(home: string): string {
  try {
    makeFolder(home);
    return realpathSync(home);
  } catch (cause) {
    throw unwritable(home, cause);
  }
}

/**
 * A connection to the daemon that runs for a home; null where none does.
 *
 * @param home A real path.
 * @throws CodewalkError `DAEMON_FAILED` when its socket is not the user's.
 */
export async function runningDaemon(home: string, own: Hello): Promise<Link | null> {
  const addresses = new Set([readRecord(home)?.address, daemonAddress(home)]);
  for (const address of addresses) {
    if (address === undefined) continue;
    checkOwnSocket(address);
    const link = await Link.open(address, own);
    if (link) return link;
  }
  return null;
}

/**
 * A connection to the daemon of a home: the one that runs, or a new one. An older daemon is asked to make way.
 *
 * @param home A real path.
 * @throws CodewalkError `DAEMON_FAILED`, `DAEMON_NEWER`, `STORE_FULL`.
 */
export async function reachDaemon(home: string, own: Hello, script: URL): Promise<Link> {
  const until = performance.now() + LIMITS.daemonStart.max;
  let started: Started | null = null;
  try {
    for (;;) {
      const link = await runningDaemon(home, own);
      // One that this client started is as new as it gets.
      if (link && (started !== null || isSame(link.hello, own) || !isNewer(own, link.hello))) {
        if (link.hello.protocol === own.protocol) return link;
        link.close();
        throw newerDaemon(link.hello, own);
      }
      if (started?.gone) {
        started.forget();
        started = null;
      }
      if (link) await retired(link);
      else started ??= begun(home, script);
      if (link && performance.now() > until) throw stillThere(link.hello);
      if (started?.failed || performance.now() > until) throw unreachable(home);
      await new Promise((done) => setTimeout(done, TRY_MS));
    }
  } finally {
    started?.forget();
  }
}

function begun(home: string, script: URL): Started | null {
  try {
    return startDaemon(home, script);
  } catch (cause) {
    throw unwritable(home, cause);
  }
}

/** Asks an older daemon to leave once what it does is done, and waits for it a while. */
async function retired(link: Link): Promise<void> {
  const left = link
    .ask({ retire: true })
    .catch(() => undefined)
    .then(() => link.closed);
  await Promise.race([left, new Promise((done) => setTimeout(done, LIMITS.daemonStop.max))]);
  link.close();
}

function newerDaemon(daemon: Hello, own: Hello): CodewalkError {
  return new CodewalkError(
    'DAEMON_NEWER',
    `the daemon is of version ${daemon.version}, this is ${own.version}, and they do not speak the same protocol`,
    {
      input: daemon,
      suggestion: "Update this one, or run 'codewalk stop' with the newer one and try again.",
    },
  );
}

function stillThere(daemon: Hello): CodewalkError {
  return new CodewalkError(
    'DAEMON_FAILED',
    `the daemon of version ${daemon.version} is to make way, and has not left yet`,
    {
      input: daemon,
      suggestion: "It may be at the end of something long: try again, or end it with 'codewalk stop'.",
    },
  );
}

function unreachable(home: string): CodewalkError {
  const said = lastLogLine(home);
  return new CodewalkError(
    'DAEMON_FAILED',
    `the daemon of ${home} did not start${said === null ? '' : `: ${said}`}`,
    {
      input: home,
      suggestion: `${home}/daemon.log says more. --embedded works without it.`,
    },
  );
}

function unwritable(home: string, cause: unknown): CodewalkError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CodewalkError('STORE_FULL', `the folder of all graphs cannot be written: ${why}`, {
    input: home,
    suggestion: 'Free some space or mend its permissions, or name another folder with --home or GRAPHS_HOME.',
    cause,
  });
}
