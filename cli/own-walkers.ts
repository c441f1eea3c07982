import { resolve } from 'node:path';
import type { EarlyFlags } from './early-flags.js';
import { hostFor } from './host-for.js';
import type { OwnWalkers } from './session.js';
import { walkerFolders } from './walker-folders.js';

/**
 * What the folders of people's own walkers hold. Without any, nothing is asked.
 *
 * @param cwd What a relative folder is relative to.
 * @throws CodewalkError `WALKER_INVALID` naming the file or folder, `CONFIG_INVALID`.
 */
export async function ownWalkers(early: EarlyFlags, cwd: string): Promise<OwnWalkers> {
  const { home, embedded, deadline } = early;
  const folders = await walkerFolders(early);
  if (folders.length === 0) return { folders, signatures: [] };
  const absolute = folders.map((folder) => resolve(cwd, folder));
  await using host = hostFor({ home, embedded });
  const signatures = await host.describe(absolute, deadline === null ? null : deadline * 1000);
  return { folders: absolute, signatures };
}
