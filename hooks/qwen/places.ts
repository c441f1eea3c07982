import { join, resolve } from 'node:path';
import type { Machine } from '../install/client.js';

/** Qwen Code's own folder: `QWEN_HOME` moves it (both version families, read in their bundles). */
function qwenFolder({ env, userHome, cwd }: Machine): string {
  const moved = env.QWEN_HOME ?? '';
  if (moved === '') return join(userHome, '.qwen');
  return resolve(cwd, /^~(?=$|[/\\])/u.test(moved) ? userHome + moved.slice(1) : moved);
}

/** The folder of our extension. */
export function extensionFolder(machine: Machine): string {
  return join(qwenFolder(machine), 'extensions', 'codewalk');
}

/** The user's settings. */
export function userSettings(machine: Machine): string {
  return join(qwenFolder(machine), 'settings.json');
}

/** The settings of a project. */
export function projectSettings(root: string): string {
  return join(root, '.qwen', 'settings.json');
}
