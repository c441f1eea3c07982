import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a LevelDB store was ever made in a folder. */
export function hasLevelStore(folder: string): boolean {
  // LevelDB names its current manifest in this file from the first opening on.
  return existsSync(join(folder, 'CURRENT'));
}
