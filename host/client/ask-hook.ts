import { readFileSync } from 'node:fs';
import { LIMITS } from '../../schema/index.js';
import type { HookAsk } from '../daemon/wire.js';
import { realPath } from '../files.js';
import { configFile } from '../surroundings.js';
import { DAEMON_SCRIPT, daemonHello, runningDaemon } from './find-daemon.js';
import { startDaemon } from './start-daemon.js';

/**
 * Milliseconds that a hook waits for its answer: the setting `hooks.deadline`, else the default. A hook reads nothing
 * else of the configuration, so it does not load what checks the rest; what does not fit is ignored.
 *
 * @param home The graphs home; absolute.
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
 * @param home The graphs home; absolute.
 * @param ms Milliseconds that there are.
 * @returns the hook's whole standard output; empty: nothing.
 */
export async function askHook(home: string, ask: HookAsk, ms: number): Promise<string> {
  const real = realPath(home);
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
