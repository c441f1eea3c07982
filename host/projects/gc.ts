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

/** What a collection came to. */
export interface Collection {
  readonly dry_run: boolean;
  readonly dropped: readonly Garbage[];
  /** Of what was dropped. */
  readonly bytes: number;
}

/** What is not in its place yet, or not any more. */
const ASIDE = /\.(?:tmp|new|removed)$/;

type Candidate = Omit<Garbage, 'kept'>;

/**
 * Drops what retention allows to drop (spec P-08): derived layers of roots that have vanished; of the others the least
 * recently used while all take more than `cache_bytes`; backups beyond those of P-07; what crashes left. Facts of files are kept in the derived layer, where every update
 * needs them, so they go with it or not at all. The project used last keeps its graph.
 *
 * @param now Milliseconds since 1970.
 * @throws CodewalkError `CONFIG_INVALID`
 */
export async function collectGarbage(
  owner: Pick<StoreOwner, 'release'>,
  now: number,
  options: HomeOptions & { readonly dryRun?: boolean } = {},
): Promise<Collection> {
  const { dryRun = false } = options;
  const graphs = graphsFolderOf(options);
  const projects = listProjects(options);
  const { cache_bytes } = settingsFor(null, options);
  const found = [
    ...leftovers(graphs, projects, now),
    ...spareGraphs(graphs, projects, cache_bytes),
    ...spareBackups(graphs, projects),
  ];
  const dropped: Garbage[] = [];
  for (const one of found) dropped.push({ ...one, kept: dryRun ? null : await drop(one, owner) });
  for (const { hash } of dryRun ? [] : projects) tidyFolder(join(graphs, hash));
  const bytes = dropped.reduce((sum, one) => sum + (one.kept === null ? one.bytes : 0), 0);
  return { dry_run: dryRun, dropped, bytes };
}

async function drop(
  { what, path, root }: Candidate,
  owner: Pick<StoreOwner, 'release'>,
): Promise<string | null> {
  try {
    if (what === 'derived') {
      await withStoresFree(owner, root ?? path, () => removeStore(path));
    } else rmSync(path, { recursive: true, force: true });
    return null;
  } catch (thrown) {
    return toCodewalkError(thrown).message;
  }
}

function spareGraphs(graphs: string, projects: readonly Project[], most: number): Candidate[] {
  const of = ({ hash, root, bytes }: Project, why: string): Candidate => ({
    what: 'derived',
    path: join(graphs, hash, 'derived'),
    root,
    bytes: bytes.derived,
    why,
  });
  const having = projects.filter(({ bytes }) => bytes.derived > 0);
  const [gone, there] = [having.filter((one) => one.gone), having.filter((one) => !one.gone)];
  const byUse = there.sort(leastRecent);
  let total = byUse.reduce((sum, { bytes }) => sum + bytes.derived, 0);
  const spare: Candidate[] = [];
  for (const project of byUse.slice(0, -1)) {
    if (total <= most) break;
    total -= project.bytes.derived;
    spare.push(of(project, `all graphs take more than ${most} bytes`));
  }
  return [...gone.map((project) => of(project, 'its root has vanished')), ...spare];
}

/** As after restores, which remove none. */
function spareBackups(graphs: string, projects: readonly Project[]): Candidate[] {
  return projects.flatMap(({ hash, root }) =>
    outdatedBackups(join(graphs, hash, 'backups')).map(({ path, bytes }) => ({
      ...({ what: 'backup', path, root, bytes } as const),
      why: `the history has ${LIMITS.backupsKept.default} newer ones`,
    })),
  );
}

/** What nobody will ask for: answers that nobody read, files and stores that were set aside before a crash. */
function leftovers(graphs: string, projects: readonly Project[], now: number): Candidate[] {
  const places = [
    ...entriesOf(join(graphs, 'spool')).map(({ name }) => join(graphs, 'spool', name)),
    ...asideIn(graphs),
    ...projects.flatMap(({ hash }) => [
      ...asideIn(join(graphs, hash)),
      ...asideIn(join(graphs, hash, 'backups')),
    ]),
  ];
  return places
    .filter((path) => now - timeOf(path) > LIMITS.leftoverAge.max)
    .map((path) => ({
      what: 'leftover',
      path,
      root: null,
      bytes: folderSize(path) || sizeOf(path),
      why: 'a run that did not come to its end left it',
    }));
}

function asideIn(folder: string): string[] {
  return entriesOf(folder)
    .filter(({ name }) => ASIDE.test(name))
    .map(({ name }) => join(folder, name));
}

function leastRecent(a: Project, b: Project): number {
  return compareText(a.used_at ?? '', b.used_at ?? '') || compareText(a.hash, b.hash);
}

function timeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
