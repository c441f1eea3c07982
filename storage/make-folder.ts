import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, with those above it that are not there, for its owner alone. Node's own way never ends where a folder
 * is there and takes no other (`/proc`: Node 20 to 24).
 *
 * @throws what `mkdir` does.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw thrown;
    makeFolder(dirname(path));
    makeFolder(path);
  }
}
