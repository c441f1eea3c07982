import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Catalog } from '../../runtime/index.js';
import { ARCHETYPES, CodewalkError } from '../../schema/index.js';
import {
  hasLevelStore,
  moveStore,
  openLayer,
  openLevelStore,
  type ProjectHomes,
  removeStore,
} from '../../storage/index.js';
import { moveSettings } from '../config.js';
import { sizeOf } from '../files.js';
import { graphsFolderOf, type HomeOptions, homesOf } from '../surroundings.js';
import { knownProject } from './project-list.js';
import { type StoreOwner, tidyFolder, withStoresFree } from './remove.js';

interface AdoptOptions extends HomeOptions {
  /** Take it from a root that is still there: another folder has its place. Default false. */
  readonly force?: boolean;
}

/**
 * Makes the history of a root that has moved (its traces, memories, backups and settings) that of its new place, and
 * indexes it there: all paths in a history are relative to its root. One that was cut off is done by doing it again.
 *
 * @throws CodewalkError `PROJECT_NOT_INDEXED` when nothing is stored of the old root, `HISTORY_REFUSED` when that is still
 * there or the new one has a history of its own, `STORE_LOCKED`, or as the index does.
 */
export async function adopt(from: string, to: string, owner: StoreOwner, options: AdoptOptions = {}) {
  const old = knownProject(from, options);
  const homes = homesOf(to, options);
  if (!old.gone && !options.force)
    throw new CodewalkError('HISTORY_REFUSED', `${from} is still there, and has its history`, {
      input: { from, to },
      suggestion: 'Adopt what has moved. If another folder has its place now, give --force.',
    });
  const source = join(graphsFolderOf(options), old.hash);
  const { durable, backups } = old.bytes;
  // A worktree that moved within its repository has its history where it was.
  if (old.kind !== 'worktree' && old.hash !== homes.historyHash) {
    await owner.release(from);
    await withStoresFree(owner, to, () => moveHistory(source, homes));
  }
  await withStoresFree(owner, from, () => removeStore(join(source, 'derived')));
  moveSettings(from, to, options);
  tidyFolder(source);
  const { body } = await owner.spawn({ walker: 'graph_index_project', root: to, input: {} });
  // Null where no index was made.
  const files = typeof body.files_total === 'number' ? body.files_total : null;
  return { from, to, bytes: { durable, backups }, files };
}

async function moveHistory(source: string, homes: ProjectHomes): Promise<void> {
  const [durable, backups] = [join(source, 'durable'), join(source, 'backups')];
  const moves = { durable: hasLevelStore(durable), backups: sizeOf(backups) > 0 };
  const isRefused =
    (moves.durable && (await hasNodes(homes.durable))) || (moves.backups && sizeOf(homes.backups) > 0);
  if (isRefused)
    throw new CodewalkError(
      'HISTORY_REFUSED',
      `${homes.root} has a history of its own; two are not made one`,
      {
        input: homes.root,
        suggestion: `If it is of no use, 'codewalk remove ${homes.root} --with-history' makes room.`,
      },
    );
  if (moves.backups) {
    rmSync(homes.backups, { recursive: true, force: true });
    mkdirSync(dirname(homes.backups), { recursive: true, mode: 0o700 });
    renameSync(backups, homes.backups);
  }
  if (moves.durable) {
    await removeStore(homes.durable);
    await moveStore(durable, homes.durable);
  }
}

/** Whether a durable layer has anything in it: one that was made by indexing alone has not. */
async function hasNodes(durable: string): Promise<boolean> {
  if (!hasLevelStore(durable)) return false;
  const store = await openLevelStore(durable, { waitMs: 2000 });
  const layer = await openLayer(store, 'durable', new Catalog(ARCHETYPES));
  try {
    for await (const page of layer.allNodes()) if (page.length > 0) return true;
    return false;
  } finally {
    await layer.close();
  }
}
