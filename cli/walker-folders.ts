import { readFileSync } from 'node:fs';
import { configFile } from '../host/index.js';
import type { EarlyFlags } from './early-flags.js';

const WITHOUT: ReadonlySet<string> = new Set(
  'config status stop doctor projects adopt remove forget gc rebuild pause resume'.split(' '),
);

/**
 * The folders of people's own walkers: those of `--walkers`, and those that the user's configuration names. Where that
 * names none, nothing is loaded to find it out. Commands that run none go without: what is broken can be mended.
 *
 * @throws CodewalkError `CONFIG_INVALID`
 */
export async function walkerFolders({ walkers, home, command }: EarlyFlags): Promise<readonly string[]> {
  if (WITHOUT.has(command ?? '') || !mentionsWalkers(configFile({ home }))) return walkers;
  const { settingsFor } = await import('./home.js');
  return [...new Set([...walkers, ...settingsFor(null, { home }).walkers])];
}

function mentionsWalkers(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes('"walkers"');
  } catch {
    return false;
  }
}
