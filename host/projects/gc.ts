import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compareText } from '../../runtime/index.js';
import { LIMITS, toCodewalkError } from '../../schema/index.js';
import { removeStore } from '../../storage/index.js';
import { outdatedBackups } from '../backups/index.js';
import { settingsFor } from '../config.js';
import { entriesOf, folderSize, sizeOf } from '../folders.js';
import { graphsFolderOf, type HomeOptions } from '../surroundings.js';
import { listProjects, type Project } from './project-list.js';
import { tidyFolder } from './remove.js';
import { type StoreOwner, withStoresFree } from './store-owner.js';

/** One thing that is dropped. */
export interface Garbage {
  /** `derived`: a code graph, which the next index makes again; `backup`: an old one; `leftover`: of a crash. */
  readonly what: 'derived' | 'backup' | 'leftover';
  readonly path: string;
  /** Null: of no project. */
  readonly root: string | null;
  readonly bytes: number;
  readonly why: string;
  /** Why it is still there; null: it is dropped. */
  readonly kept: string | null;
}

/** What a collection dropped. */
export interface Collection {
  readonly dry_run: boolean;
  readonly dropped: readonly Garbage[];
  /** Of what was dropped. */
  readonly bytes: number;
}

/** Files and stores that were being written or replaced. */
const TEMPORARY = /\.(?:tmp|new|removed)$/;

type Candidate = Omit<Garbage, 'kept'>;

/**
 * Drops what retention allows to drop (spec P-08): derived layers of roots that have vanished; of the others the least
 * recently used while all take more than `cache_bytes`, but never the last one; backups beyond those of P-07; leftovers
 * of crashes.
 *
 * @param now Milliseconds since 1970.
 * @throws CodewalkError `CONFIG_INVALID`
 */
export async function collectGarbage(
  owner: Pick<StoreOwner, 'release'>,
  now: number,
  { dryRun = false, ...options }: HomeOptions & { readonly dryRun?: boolean } = {},
): Promise<Collection> {
  const graphs = graphsFolderOf(options);
  const projects = listProjects(options);
  const found = [
    ...leftovers(graphs, projects, now),
    ...spareGraphs(graphs, projects, settingsFor(null, options).cache_bytes),
    ...spareBackups(graphs, projects),
  ];
  const dropped: Garbage[] = [];
  for (const one of found) dropped.push({ ...one, kept: dryRun ? null : await drop(one, owner) });
  for (const { hash } of dryRun ? [] : projects) tidyFolder(join(graphs, hash));
  const bytes = dropped.reduce((sum, one) => sum + (one.kept === null ? one.bytes : 0), 0);
  return { dry_run: dryRun, dropped, bytes };
}

/** @returns why it could not be dropped; null: it was. */
async function drop(
  { what, path, root }: Candidate,
  owner: Pick<StoreOwner, 'release'>,
): Promise<string | null> {
  try {
    if (what === 'derived') await withStoresFree(owner, root ?? path, () => removeStore(path));
    else rmSync(path, { recursive: true, force: true });
    return null;
  } catch (thrown) {
    return toCodewalkError(thrown).message;
  }
}

function spareGraphs(graphs: string, projects: readonly Project[], most: number): Candidate[] {
  const indexed = projects
    .filter(({ bytes }) => bytes.derived > 0)
    .sort((a, b) => compareText(a.used_at ?? '', b.used_at ?? '') || compareText(a.hash, b.hash));
  const there = indexed.filter(({ gone }) => !gone);
  let total = there.reduce((sum, { bytes }) => sum + bytes.derived, 0);
  return indexed.flatMap(({ hash, root, bytes: { derived: bytes }, gone }) => {
    if (!gone && (total <= most || hash === there.at(-1)?.hash)) return [];
    if (!gone) total -= bytes;
    const why = gone ? 'its root has vanished' : `all graphs take more than ${most} bytes`;
    return [{ what: 'derived' as const, path: join(graphs, hash, 'derived'), root, bytes, why }];
  });
}

/** Backups that restores left beyond the number that is stored. */
function spareBackups(graphs: string, projects: readonly Project[]): Candidate[] {
  const why = `the history has ${LIMITS.backupsKept.default} newer ones`;
  return projects.flatMap(({ hash, root }) =>
    outdatedBackups(join(graphs, hash, 'backups')).map(({ path, bytes }) => ({
      ...{ what: 'backup' as const, path, root, bytes, why },
    })),
  );
}

/** Answers that were not fetched, and files and stores that were set aside before a crash. */
function leftovers(graphs: string, projects: readonly Project[], now: number): Candidate[] {
  const folders = projects.flatMap(({ hash }) => [join(graphs, hash), join(graphs, hash, 'backups')]);
  const temporary = [graphs, ...folders].flatMap((folder) =>
    pathsIn(folder).filter((path) => TEMPORARY.test(path)),
  );
  return [...pathsIn(join(graphs, 'spool')), ...temporary]
    .filter(
      (path) => now - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LIMITS.leftoverAge.max,
    )
    .map((path) => ({
      what: 'leftover',
      path,
      root: null,
      bytes: folderSize(path) || sizeOf(path),
      why: 'a run that did not come to its end left it',
    }));
}

function pathsIn(folder: string): string[] {
  return entriesOf(folder).map(({ name }) => join(folder, name));
}
