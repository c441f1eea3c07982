import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of files beneath a folder whose path ends as asked, by path; none where there is no folder. */
export function textsBeneath(folder: string, endings: readonly string[]): { path: string; text: string }[] {
  let entries: { name: string; parentPath: string; isFile(): boolean }[];
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}
