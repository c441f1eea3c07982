import { existsSync } from 'node:fs';
import { projectNotIndexed } from '../../schema/index.js';
import { hasLevelStore } from '../../storage/index.js';
import type { StoreOwner } from '../projects/store-owner.js';
import { type HomeOptions, homesOf } from '../surroundings.js';
import { type RebuildOptions, type Rebuilt, rebuildDurable } from './rebuild.js';

/**
 * Makes the durable layer of a root's history again: see {@link rebuildDurable}.
 *
 * @param root Its real path.
 * @throws CodewalkError `PROJECT_NOT_INDEXED` when nothing was ever recorded of it.
 */
export async function rebuildHistory(
  root: string,
  owner: Pick<StoreOwner, 'release'>,
  options: HomeOptions & RebuildOptions = {},
): Promise<Rebuilt> {
  const homes = homesOf(root, options);
  await owner.release(root);
  if (!hasLevelStore(homes.durable) && !existsSync(homes.archive)) throw projectNotIndexed(root);
  return rebuildDurable(homes, options);
}
