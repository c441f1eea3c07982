import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formerStore } from './swap-store.js';

/** Whether a LevelDB store was ever made in a folder. */
export function hasLevelStore(folder: string): boolean {
  // LevelDB names its current manifest in this file from the first opening on. A store whose rewriting was cut off
  // stands aside.
  return existsSync(join(folder, 'CURRENT')) || existsSync(join(formerStore(folder), 'CURRENT'));
}
