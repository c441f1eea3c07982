import { readFileSync } from 'node:fs';
import { configFile } from '../host/index.js';
import type { EarlyFlags } from './early-flags.js';

/**
 * The folders of people's own walkers: those of `--walkers`, and those that the user's configuration names. Where that
 * names none, nothing is loaded to find it out. The commands that mend a configuration go without.
 *
 * @throws CodewalkError `CONFIG_INVALID`
 */
export async function walkerFolders({ walkers, home, command }: EarlyFlags): Promise<readonly string[]> {
  if (command === 'config' || !mentionsWalkers(configFile({ home }))) return walkers;
  const { settingsFor } = await import('../host/index.js');
  return [...new Set([...walkers, ...settingsFor(null, { home }).walkers])];
}

function mentionsWalkers(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes('"walkers"');
  } catch {
    return false;
  }
}
