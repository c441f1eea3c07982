import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of all files in a folder and below it; 0 for one that is not there. What vanishes meanwhile counts nothing. */
export function folderBytes(folder: string): number {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.reduce(
      (sum, entry) => sum + (entry.isFile() ? sizeOf(join(entry.parentPath, entry.name)) : 0),
      0,
    );
  } catch {
    return 0;
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
