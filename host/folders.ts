import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of all files beneath a folder; 0 where there is none. What vanishes meanwhile counts nothing. */
export function folderSize(folder: string): number {
  return entriesOf(folder).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? folderSize(path) : sizeOf(path));
  }, 0);
}

/** What stands in a folder; nothing where there is none. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Bytes of a file; 0 where there is none. */
export function sizeOf(path: string): number {
  try {
    return lstatSync(path).size;
  } catch {
    return 0;
  }
}

/** The paths of all files beneath a folder. Links are passed over, wherever they lead, and whatever else is no file. */
export function filesBeneath(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBeneath(path);
    return entry.isFile() ? [path] : [];
  });
}
