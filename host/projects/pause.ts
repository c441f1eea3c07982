import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { changeSetting, settingsFor } from '../config.js';
import { graphsFolderOf, type HomeOptions } from '../surroundings.js';
import { writeWhole } from '../whole-file.js';

/**
 * The file that recorders look for: while it is there, they record nothing at all. A single project is paused by its
 * setting, which whoever ingests its events looks at.
 */
export function pauseFile(options: HomeOptions = {}): string {
  return join(graphsFolderOf(options), 'paused');
}

/**
 * Why nothing is recorded of a project: all are paused, or it alone; null while it is recorded.
 *
 * @param root Its real path; null: whether all are.
 * @throws CodewalkError `CONFIG_INVALID`
 */
export function pausedBy(root: string | null, options: HomeOptions = {}): 'all' | 'project' | null {
  if (existsSync(pauseFile(options))) return 'all';
  return root !== null && settingsFor(root, options).paused ? 'project' : null;
}

/**
 * Stops recording, or goes on with it.
 *
 * @param root The real path of the one project; null: all. What was paused by itself stays so when all go on.
 * @throws CodewalkError `CONFIG_INVALID`, `STORE_FULL`
 */
export function setPaused(paused: boolean, root: string | null, options: HomeOptions = {}): void {
  if (root !== null) changeSetting('paused', paused ? true : undefined, root, options);
  else if (paused) writeWhole(pauseFile(options), 'Recording is paused: codewalk resume --all\n');
  else rmSync(pauseFile(options), { force: true });
}
