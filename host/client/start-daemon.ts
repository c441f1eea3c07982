import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Milliseconds after which a start that somebody announced is not waited for any more. */
const STALE_MS = 3000;
/** Bytes that the log may have before it is written over. */
const LONGEST_LOG = 1024 * 1024;

/** A daemon that was started. */
export interface Started {
  /** Whether it has failed: its log says why. */
  readonly failed: boolean;
  /** Whether it ended for no fault of its own: another one held the home, and may be leaving; or it was killed. */
  readonly gone: boolean;
  /** Takes the announcement back, once the daemon has answered or is given up. */
  forget(): void;
}

/**
 * Starts the daemon of a home. It lives on when its starter has gone. Its `NODE_OPTIONS` are `CODEWALK_NODE_OPTIONS`.
 *
 * @returns null when another client is just doing so.
 */
export function startDaemon(home: string, script: URL): Started | null {
  const announcement = join(home, 'daemon.starting');
  if (!announced(announcement)) return null;
  let code: number | null | undefined;
  const isLong = (statusOf(join(home, 'daemon.log'))?.size ?? 0) > LONGEST_LOG;
  const log = openSync(join(home, 'daemon.log'), isLong ? 'w' : 'a', 0o600);
  try {
    spawn(process.execPath, [fileURLToPath(script), '--home', home], {
      detached: true,
      stdio: ['ignore', log, log],
      // Few arenas: threads that come and go would each keep freed memory of their own. A debugger's options, say, are for
      // who was started with them, and not for a process that outlives it.
      env: { MALLOC_ARENA_MAX: '2', ...process.env, NODE_OPTIONS: process.env.CODEWALK_NODE_OPTIONS ?? '' },
      cwd: home,
      windowsHide: true,
    })
      .on('error', () => {
        code = 1;
      })
      .on('exit', (exitCode) => {
        code = exitCode;
      })
      .unref();
  } finally {
    closeSync(log);
  }
  return {
    get failed() {
      return typeof code === 'number' && code !== 0;
    },
    get gone() {
      return code === 0 || code === null;
    },
    forget() {
      if (contentOf(announcement) === String(process.pid)) rmSync(announcement, { force: true });
    },
  };
}

/** The last line of the daemon's log; null where there is none. */
export function lastLogLine(home: string): string | null {
  return contentOf(join(home, 'daemon.log')).trim().split('\n').at(-1) || null;
}

/** Whether a process runs, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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
