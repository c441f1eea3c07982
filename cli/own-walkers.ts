import { resolve } from 'node:path';
import type { EarlyFlags } from './early-flags.js';
import { hostFor } from './host-for.js';
import type { OwnWalkers } from './session.js';
import type { Heartbeat } from './watchdog/heartbeat.js';

/**
 * What the folders of `--walkers` hold. Without any, nothing is asked.
 *
 * @param cwd What a relative folder is relative to.
 * @throws CodewalkError `WALKER_INVALID` naming the file or folder.
 */
export async function ownWalkers(
  { walkers: folders, home, deadline }: EarlyFlags,
  cwd: string,
  heartbeat: Heartbeat,
): Promise<OwnWalkers> {
  if (folders.length === 0) return { folders, signatures: [] };
  const absolute = folders.map((folder) => resolve(cwd, folder));
  // The engine may take longer to load than a short deadline: what is watched is people's code.
  await import('../host/index.js');
  await using host = hostFor({ home });
  const signatures = await heartbeat.watch(
    `loading ${folders.join(', ')}`,
    () => host.describe(absolute, deadline === null ? null : deadline * 1000),
    { failure: 'WALKER_INVALID' },
  );
  return { folders: absolute, signatures };
}
