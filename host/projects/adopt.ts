import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
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
import { entriesOf, folderSize } from '../folders.js';
import { graphsFolderOf, type HomeOptions, homesOf } from '../surroundings.js';
import { knownProject, tidyFolder } from './remove.js';
import { type StoreOwner, withStoresFree } from './store-owner.js';

/** What an adoption came to. */
export interface Adoption {
  readonly from: string;
  readonly to: string;
  /** Bytes of what moved. */
  readonly bytes: { readonly durable: number; readonly backups: number };
  /** Files in the new index; null: none was made. */
  readonly files: number | null;
}

/** How a history is adopted. */
export interface AdoptOptions extends HomeOptions {
  /** Take it from a root that is still there: another folder has its place. Default false. */
  readonly force?: boolean;
}

/**
 * Makes the history of a root that has moved (its traces, memories, backups and settings) that of its new place, and
 * indexes it there: all paths in a history are relative to its root. One that was cut off is done by doing it again.
 *
 * @param from The real path that the root had.
 * @param to The real path that it has now.
 * @throws CodewalkError `PROJECT_NOT_INDEXED` when nothing is kept of the old root, `HISTORY_REFUSED` when that is still
 * there or the new one has a history of its own, `STORE_LOCKED`, or as the index does.
 */
export async function adopt(
  from: string,
  to: string,
  owner: StoreOwner,
  options: AdoptOptions = {},
): Promise<Adoption> {
  const old = knownProject(from, options);
  const homes = homesOf(to, options);
  if (!old.gone && !options.force)
    throw new CodewalkError('HISTORY_REFUSED', `${from} is still there, and has its history`, {
      input: { from, to },
      suggestion: 'Adopt what has moved. If another folder has its place now, give --force.',
    });
  const source = join(graphsFolderOf(options), old.hash);
  const bytes = { durable: old.bytes.durable, backups: old.bytes.backups };
  // A worktree that moved within its repository has its history where it was.
  if (old.kind !== 'worktree' && old.hash !== homes.historyHash) {
    await owner.release(from);
    await withStoresFree(owner, to, () => moveHistory(source, homes));
  }
  await withStoresFree(owner, from, () => removeStore(join(source, 'derived')));
  moveSettings(from, to, options);
  tidyFolder(source);
  const { body } = await owner.spawn({ walker: 'graph_index_project', root: to, input: {} });
  return { from, to, bytes, files: typeof body.files_total === 'number' ? body.files_total : null };
}

async function moveHistory(source: string, homes: ProjectHomes): Promise<void> {
  if (hasLevelStore(join(source, 'durable'))) await refuseOwnHistory(homes.durable, homes.root);
  const kinds = (['backups', 'archive'] as const).filter((name) => hasFiles(join(source, name)));
  for (const name of kinds) if (hasFiles(homes[name])) throw ownHistory(homes.root);
  for (const name of kinds) moveFolder(join(source, name), homes[name]);
  if (hasLevelStore(join(source, 'durable'))) {
    await removeStore(homes.durable);
    await moveStore(join(source, 'durable'), homes.durable);
  }
}

/** A history that was made by indexing alone has nothing in it. */
async function refuseOwnHistory(durable: string, root: string): Promise<void> {
  if (!hasLevelStore(durable)) return;
  const layer = await openLayer(
    await openLevelStore(durable, { waitMs: 2000 }),
    'durable',
    new Catalog(ARCHETYPES),
  );
  try {
    for await (const page of layer.allNodes()) if (page.length > 0) throw ownHistory(root);
  } finally {
    await layer.close();
  }
}

function ownHistory(root: string): CodewalkError {
  return new CodewalkError('HISTORY_REFUSED', `${root} has a history of its own; two are not made one`, {
    input: root,
    suggestion: `If it is of no use, 'codewalk remove ${root} --with-history' makes room.`,
  });
}

function hasFiles(folder: string): boolean {
  return existsSync(folder) && folderSize(folder) > 0 && entriesOf(folder).length > 0;
}

function moveFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
}
