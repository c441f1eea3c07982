import { accessSync, constants, statSync } from 'node:fs';
import { CodewalkError, toCodewalkError } from '../../schema/index.js';
import { madeHome, reachDaemon, runningDaemon } from '../client/find-daemon.js';
import { DAEMON_SCRIPT, daemonHello } from '../client/own-hello.js';
import { configFile, readConfig } from '../config.js';
import { daemonAddress } from '../daemon/address.js';
import { journalCounts } from '../journal/counts.js';
import { journalFolders } from '../journal/folders.js';
import { namesIn } from '../journal/set-aside.js';

/** One thing that was tried. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was found. */
  readonly found: string;
  /** What to do; empty where all is well. */
  readonly suggestion: string;
}

/** Tries, in the order in which they stand on each other, what commands and agents need. Starts the daemon. */
export async function examine(home: string): Promise<Check[]> {
  return [
    await check('node', () => `${process.version} on ${process.platform}-${process.arch}`),
    await check('home', () => {
      const real = madeHome(home);
      accessSync(real, constants.R_OK | constants.W_OK);
      const mode = statSync(real).mode & 0o777;
      return `${real} (mode ${mode.toString(8)})`;
    }),
    await check('config', () => {
      readConfig({ home });
      return configFile({ home });
    }),
    await check('socket', () => daemonAddress(madeHome(home))),
    await check('daemon', async () => {
      const link = await reachDaemon(madeHome(home), daemonHello(), DAEMON_SCRIPT);
      const began = performance.now();
      await link.ask({ status: true });
      const took = performance.now() - began;
      const { pid, version } = link.hello;
      link.close();
      return `process ${pid}, version ${version}, answers in ${took.toFixed(1)} ms`;
    }),
    await check('journal', () => examineJournal(home)),
  ];
}

/** What waited before a daemon took in all that it could, and still waits, waits for a person. */
async function examineJournal(home: string): Promise<string> {
  const { fresh, quarantine } = journalFolders(home);
  const before = namesIn(fresh);
  const link = await runningDaemon(madeHome(home), daemonHello());
  const failure = await link?.ask({ drain: true }).catch(toCodewalkError);
  link?.close();
  const still = new Set(link ? namesIn(fresh) : []);
  const stuck = before.filter((name) => still.has(name)).length;
  if (stuck > 0) {
    const why = failure instanceof CodewalkError ? `: ${failure.message}` : '';
    throw new CodewalkError('DAEMON_FAILED', `${stuck} files in ${fresh} are not taken in${why}`, {
      input: fresh,
      suggestion: 'Mend what the message names; the daemon looks again every two seconds.',
    });
  }
  const { pending, quarantine: aside } = journalCounts(home);
  const quarantined = Object.values(aside).reduce((sum, count) => sum + count, 0);
  if (quarantined > 0) throw new Error(`${quarantined} files in ${quarantine} could not be read`);
  return `${pending} events wait`;
}

async function check(name: string, look: () => string | Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, found: await look(), suggestion: '' };
  } catch (thrown) {
    const { message, suggestion } = toCodewalkError(thrown);
    return { name, ok: false, found: message, suggestion: suggestion || 'Look at it, or file an issue.' };
  }
}
