import { accessSync, constants, statSync } from 'node:fs';
import { toCodewalkError } from '../../schema/index.js';
import { madeHome, reachDaemon } from '../client/find-daemon.js';
import { DAEMON_SCRIPT, daemonHello } from '../client/own-hello.js';
import { configFile, readConfig } from '../config.js';
import { daemonAddress } from '../daemon/address.js';
import { journalFolders } from '../journal/folders.js';
import { homeStatus } from './home-status.js';

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
    await check('journal', async () => {
      const { journal } = await homeStatus(home);
      if (journal.quarantined > 0)
        throw new Error(
          `${journal.quarantined} files in ${journalFolders(home).quarantine} could not be read`,
        );
      return `${journal.waiting} events wait`;
    }),
  ];
}

async function check(name: string, look: () => string | Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, found: await look(), suggestion: '' };
  } catch (thrown) {
    const { message, suggestion } = toCodewalkError(thrown);
    return { name, ok: false, found: message, suggestion: suggestion || 'Look at it, or file an issue.' };
  }
}
