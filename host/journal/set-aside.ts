import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** Why a file of the journal was set aside. Its folder in the quarantine is called so. */
export type AsideReason =
  /** It has no payload. */
  | 'empty'
  /** It has no label at its end. */
  | 'truncated'
  /** Larger than `LIMITS.journalFile`. */
  | 'too-large'
  /** Its name is none that a recorder makes, or it is no file. */
  | 'not-ours'
  /** A later version of Codewalk recorded it. */
  | 'other-version'
  /** Its payload is no JSON object. */
  | 'not-json'
  /** Its fields are not those of an event. */
  | 'refused'
  /** Its root is not there any more: back in `new/` it is recorded, when the root is. */
  | 'root-gone'
  /** Recording it failed, and failed again by itself: only what it told without its texts may be recorded. */
  | 'failed';

/** How many files lie in each of the folders below one, by name. */
export type Counted = Readonly<Record<string, number>>;

/** Moves a file into a folder that only the user can enter. Nothing that lies there is written over. */
export function setAside(file: string, folder: string, name: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let place = join(folder, name);
  for (let at = 2; existsSync(place); at++) place = join(folder, `${name}.${at}`);
  renameSync(file, place);
}

/** Counts what was set aside. */
export function countAside(folder: string): Counted {
  return Object.fromEntries(namesIn(folder).map((name) => [name, namesIn(join(folder, name)).length]));
}

/** The names in a folder, sorted; none where there is no folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw thrown;
  }
}

/** Whether there was no such file or folder, or a file in the place of one. */
export function isMissing(thrown: unknown): boolean {
  return (
    thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')
  );
}
