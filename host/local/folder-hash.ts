import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A hash of what a folder of people's walkers holds: equal hashes, equal code. A folder that cannot be read has one too. */
export function folderHash(folder: string): string {
  const hash = createHash('sha256');
  for (const path of filesUnder(folder)) {
    hash.update(`\0${path}\0`);
    hash.update(contentOf(join(folder, path)));
  }
  return hash.digest('hex');
}

/** Packages are taken as they were: they are installed, not edited. */
function filesUnder(folder: string, inside = ''): string[] {
  let entries: ReturnType<typeof readEntries>;
  try {
    entries = readEntries(join(folder, inside));
  } catch {
    return [];
  }
  return entries
    .filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) return filesUnder(folder, path);
      return /\.(?:[cm]?js|json)$/u.test(entry.name) ? [path] : [];
    });
}

function readEntries(path: string) {
  return readdirSync(path, { withFileTypes: true });
}

function contentOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array();
  }
}
