import { LIMITS } from '../../schema/index.js';
import { type Hello, readRecord } from '../daemon/wire.js';
import { realPath } from '../files.js';
import { daemonHello, runningDaemon } from './find-daemon.js';
import { isAlive } from './start-daemon.js';

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
  const left = link.ask({ stop: true }).catch(() => undefined);
  // The timer keeps this process alive: a connection that waits for nothing does not.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((done) => {
    timer = setTimeout(done, LIMITS.daemonStop.max, 'late');
  });
  const how = await Promise.race([left.then(() => link.closed), late]);
  clearTimeout(timer);
  link.close();
  if (pid === null) return null;
  if (how === 'late') end(pid);
  else await gone(pid);
  return pid;
}

/** Its stores are closed when its connections are; the process is over a moment later. */
async function gone(pid: number): Promise<void> {
  for (let looks = 0; looks < 20; looks++) {
    if (!isAlive(pid)) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  end(pid);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has gone by itself.
  }
}
