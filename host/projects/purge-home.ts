import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CodewalkError, HOME_MARKER } from '../../schema/index.js';
import { folderSize } from '../folders.js';
import { listProjects, type ProjectBytes } from './project-list.js';

/** What stands in a graphs home: projects and histories by their hashes, and what serves all of them. */
const OURS =
  /^(?:[0-9a-f]{16}(?:[.-].*)?|daemon(?:[.-].*)?|(?:config|installs)\.json(?:\..*)?|journal|spool|paused|\.codewalk-home)$/u;

/** What a graphs home takes on disk, in bytes. */
export interface HomeSizes {
  readonly total: number;
  readonly projects: number;
  /** Code graphs. */
  readonly derived: number;
  /** Traces and memories. */
  readonly durable: number;
  /** Backups of these. */
  readonly backups: number;
  /** The journal, settings, the daemon's log, what is not ours. */
  readonly rest: number;
}

/** What a graphs home holds; all 0 where there is none. */
export function homeSizes(home: string): HomeSizes {
  const projects = listProjects({ home });
  const sum = (layer: keyof ProjectBytes) => projects.reduce((all, { bytes }) => all + bytes[layer], 0);
  const [derived, durable, backups] = [sum('derived'), sum('durable'), sum('backups')];
  const total = folderSize(home);
  const rest = total - derived - durable - backups;
  return { total, projects: projects.length, derived, durable, backups, rest };
}

/**
 * Removes all that there is in a graphs home, and the folder, if nobody else has anything in it. Its daemon has ended.
 *
 * @returns what is not ours and stays.
 * @throws CodewalkError `INVALID_INPUT` where the folder is no graphs home.
 */
export function purgeHome(home: string): string[] {
  if (!existsSync(home)) return [];
  const names = readdirSync(home);
  const left = names.filter((name) => !OURS.test(name)).sort();
  if (left.length > 0 && !names.includes(HOME_MARKER))
    throw new CodewalkError('INVALID_INPUT', `${home} is no folder of graphs: nothing in it is removed`, {
      input: home,
      suggestion: 'Name the right one with --home or GRAPHS_HOME.',
    });
  // The mark goes last: what a crash leaves is still known as ours.
  const ours = names.filter((name) => OURS.test(name) && name !== HOME_MARKER);
  for (const name of [...ours, HOME_MARKER]) rmSync(join(home, name), { recursive: true, force: true });
  if (left.length === 0) rmdirSync(home);
  return left;
}
