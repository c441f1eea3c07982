import type { HookAsk } from '../daemon/hook-desk.js';
import { realHome } from '../real-home.js';
import { runningDaemon } from './find-daemon.js';
import { DAEMON_SCRIPT, daemonHello } from './own-hello.js';
import { startDaemon } from './start-daemon.js';

/**
 * Asks the daemon what a hook is to print. Where none runs one is started, and not waited for: the next hook has it.
 *
 * @param home The graphs home; absolute.
 * @param ms Milliseconds that there are.
 * @returns the hook's whole standard output; empty: nothing.
 */
export async function askHook(home: string, ask: HookAsk, ms: number): Promise<string> {
  const real = realHome(home);
  if (real === null || ms <= 0) return '';
  const own = daemonHello();
  const late = new Promise<'late'>((done) => setTimeout(done, ms, 'late').unref());
  const link = await Promise.race([runningDaemon(real, own), late]);
  if (link === 'late') return '';
  if (link === null) {
    startDaemon(real, DAEMON_SCRIPT);
    return '';
  }
  try {
    if (link.hello.protocol !== own.protocol) return '';
    const answer = await Promise.race([link.ask({ hook: ask }), late]);
    return typeof answer === 'string' && answer !== 'late' ? answer : '';
  } finally {
    link.close();
  }
}
