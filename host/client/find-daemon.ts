import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { makeFolder } from '../../storage/index.js';
import { checkOwnSocket, daemonAddress, type Hello, isNewer, ownHello, readRecord } from '../daemon/wire.js';
import { realPath } from '../files.js';
import type { HookAsk } from '../host.js';
import { configFile } from '../surroundings.js';
import { Link } from './link.js';

/** The daemon's script, as it is built. */
export const DAEMON_SCRIPT = new URL('./daemon.js', import.meta.url);

/** Milliseconds between two tries to reach a daemon that is starting, and between two looks whether one has ended. */
const TRY_MS = 25;
const LOOK_MS = 10;
/** Milliseconds that a process has to end once its stores are closed. */
const ENDING_MS = 200;
/** Milliseconds after which a start that somebody announced is not waited for any more. */
const STALE_MS = 3000;
/** Bytes that the log may have before it is written over. */
const LONGEST_LOG = 1024 * 1024;

/** What this program says of itself to a daemon. */
export function daemonHello(): Hello {
  return ownHello(DAEMON_SCRIPT);
}

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
 * A connection to the daemon that runs for a home (a real path); null where none does.
 *
 * @throws CodewalkError `DAEMON_FAILED` when its socket is not the user's.
 */
export async function runningDaemon(home: string, own: Hello): Promise<Link | null> {
  const usual = daemonAddress(home);
  for (const address of new Set([readRecord(home)?.address ?? usual, usual])) {
    checkOwnSocket(address);
    const link = await Link.open(address, own);
    if (link) return link;
  }
  return null;
}

/**
 * A connection to the daemon of a home (a real path): the one that runs, or a new one. An older daemon is asked to make
 * way.
 *
 * @throws CodewalkError `DAEMON_FAILED`, `DAEMON_NEWER`, `STORE_FULL`.
 */
export async function reachDaemon(home: string, own: Hello, script: URL): Promise<Link> {
  const until = performance.now() + LIMITS.daemonStart.max;
  let started: ChildProcess | null = null;
  try {
    for (;;) {
      const link = await runningDaemon(home, own);
      // One that this client started is as new as it gets.
      if (link && (started !== null || !isNewer(own, link.hello))) {
        if (link.hello.protocol === own.protocol) return link;
        link.close();
        const versions = `the daemon is of version ${link.hello.version}, this is ${own.version}`;
        throw new CodewalkError('DAEMON_NEWER', `${versions}, and they do not speak the same protocol`, {
          input: link.hello,
          suggestion: "Update this one, or run 'codewalk stop' with the newer one and try again.",
        });
      }
      // It ended for no fault of its own: another one holds the home, and may be leaving; or it was killed.
      if (started?.exitCode === 0 || started?.signalCode) {
        forgetStart(home);
        started = null;
      }
      if (link) await retired(link);
      else started ??= startDaemon(home, script);
      const isLate = performance.now() > until;
      if (started?.exitCode || isLate) throw unreached(home, link?.hello ?? null);
      await new Promise((done) => setTimeout(done, TRY_MS));
    }
  } finally {
    forgetStart(home);
  }
}

/** Asks an older daemon to leave once what it does is done, and waits for it a while. */
async function retired(link: Link): Promise<void> {
  const left = link.ask({ retire: true }).catch(() => undefined);
  await within(
    LIMITS.daemonStop.max,
    left.then(() => link.closed),
  );
  link.close();
}

/** The value of a promise; `late` if it takes longer. Its timer keeps the process alive: a connection does not. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((done) => {
    timer = setTimeout(done, ms, 'late');
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Starts the daemon of a home. It lives on when its starter has gone. Its `NODE_OPTIONS` are `CODEWALK_NODE_OPTIONS`.
 *
 * @returns null when another client is just doing so.
 * @throws CodewalkError `STORE_FULL`.
 */
function startDaemon(home: string, script: URL): ChildProcess | null {
  try {
    if (!announced(join(home, 'daemon.starting'))) return null;
    const file = join(home, 'daemon.log');
    const log = openSync(file, (statusOf(file)?.size ?? 0) > LONGEST_LOG ? 'w' : 'a', 0o600);
    const daemon = spawn(process.execPath, [fileURLToPath(script), '--home', home], {
      detached: true,
      stdio: ['ignore', log, log],
      // Few arenas: threads that come and go would each keep freed memory of their own. A debugger's options, say, are for
      // who was started with them, and not for a process that outlives it.
      env: { MALLOC_ARENA_MAX: '2', ...process.env, NODE_OPTIONS: process.env.CODEWALK_NODE_OPTIONS ?? '' },
      cwd: home,
      windowsHide: true,
    });
    // Its exit code says that it failed.
    daemon.on('error', () => undefined).unref();
    closeSync(log);
    return daemon;
  } catch (cause) {
    throw unwritable(home, cause);
  }
}

/** Takes the announcement of this client's start back. */
function forgetStart(home: string): void {
  const announcement = join(home, 'daemon.starting');
  if (contentOf(announcement) === String(process.pid)) rmSync(announcement, { force: true });
}

/** Whether the start is this client's to make: one announces it, the others wait. */
function announced(file: string): boolean {
  if (isStale(file)) rmSync(file, { force: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the client that announced a start has gone, or takes too long. One of the future was made before the clock jumped back. */
function isStale(file: string): boolean {
  const made = statusOf(file)?.mtimeMs;
  if (made === undefined) return false;
  if (Math.abs(Date.now() - made) > STALE_MS) return true;
  const pid = Number(contentOf(file));
  // Its name is not in it yet: it is being made.
  return pid > 0 && !isAlive(pid);
}

/**
 * Ends the daemon of a home: asked first, then from outside. Nothing that was acknowledged is lost by it.
 *
 * @returns the process that was ended; null where no daemon ran.
 */
export async function stopDaemon(home: string, own: Hello = daemonHello()): Promise<number | null> {
  const real = realPath(home);
  const link = real === null ? null : await runningDaemon(real, own);
  if (real === null || link === null) return null;
  const pid = link.hello.pid ?? readRecord(real)?.pid ?? null;
  const stopped = link.ask({ stop: true }).catch(() => undefined);
  const how = await within(
    LIMITS.daemonStop.max,
    stopped.then(() => link.closed),
  );
  link.close();
  if (pid === null) return null;
  // Its stores are closed when its connections are; the process is over a moment later.
  for (let left = how === 'late' ? 0 : ENDING_MS; left > 0 && isAlive(pid); left -= LOOK_MS)
    await new Promise((done) => setTimeout(done, LOOK_MS));
  try {
    // The number of one that has gone may be that of another by now.
    if (how === 'late' || isAlive(pid)) process.kill(pid, 'SIGKILL');
  } catch {
    // It has gone by itself.
  }
  return pid;
}

/**
 * Milliseconds that a hook waits for its answer: the setting `hooks.deadline`, else the default. A hook reads nothing
 * else of the configuration, so it does not load what checks the rest; what does not fit is ignored.
 */
export function hookDeadline(home: string): number {
  const { default: usual, min, max } = LIMITS.hookAnswer;
  try {
    const text = readFileSync(configFile({ home }), 'utf8');
    if (!text.includes('"hooks.deadline"')) return usual;
    const value: unknown = JSON.parse(text)['hooks.deadline'];
    return typeof value === 'number' ? Math.min(Math.max(value, min), max) : usual;
  } catch {
    return usual;
  }
}

/**
 * Asks the daemon what a hook is to print. Where none runs one is started, and not waited for: the next hook has it.
 *
 * @param ms Milliseconds that there are.
 * @returns the hook's whole standard output; empty: nothing.
 */
export async function askHook(home: string, ask: HookAsk, ms: number): Promise<string> {
  const real = realPath(home);
  if (real === null || ms <= 0) return '';
  const own = daemonHello();
  const until = performance.now() + ms;
  const link = await within(ms, runningDaemon(real, own));
  if (link === 'late') return '';
  if (link === null) {
    startDaemon(real, DAEMON_SCRIPT);
    return '';
  }
  try {
    if (link.hello.protocol !== own.protocol) return '';
    const answer = await within(until - performance.now(), link.ask({ hook: ask }));
    return typeof answer === 'string' && answer !== 'late' ? answer : '';
  } finally {
    link.close();
  }
}

/** @param older The daemon that was asked to make way; null: none answered. */
function unreached(home: string, older: Hello | null): CodewalkError {
  const lastLine = contentOf(join(home, 'daemon.log')).trim().split('\n').at(-1);
  if (older === null)
    return new CodewalkError(
      'DAEMON_FAILED',
      `the daemon of ${home} did not start${lastLine ? `: ${lastLine}` : ''}`,
      { input: home, suggestion: `${home}/daemon.log says more. --embedded works without it.` },
    );
  const what = `the daemon of version ${older.version} is to make way, and has not left yet`;
  return new CodewalkError('DAEMON_FAILED', what, {
    input: older,
    suggestion: "It may be at the end of something long: try again, or end it with 'codewalk stop'.",
  });
}

function unwritable(home: string, cause: unknown): CodewalkError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CodewalkError('STORE_FULL', `the folder of all graphs cannot be written: ${why}`, {
    input: home,
    suggestion: 'Free some space or mend its permissions, or name another folder with --home or GRAPHS_HOME.',
    cause,
  });
}

/** Whether a process runs, of any user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function statusOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}
