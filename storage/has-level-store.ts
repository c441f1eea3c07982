import { formerStore, isStore } from './swap-store.js';

/** Whether a LevelDB store was ever made in a folder. */
export function hasLevelStore(folder: string): boolean {
  // A store whose rewriting was cut off stands aside.
  return isStore(folder) || isStore(formerStore(folder));
}
