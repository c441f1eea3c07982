import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Catalog } from '../../runtime/index.js';
import { ARCHETYPES, CodewalkError, LIMITS, projectNotIndexed } from '../../schema/index.js';
import {
  besideStore,
  hasLevelStore,
  isDamage,
  type LayerStore,
  openLayer,
  openLevelStore,
  type ProjectHomes,
  swapStore,
} from '../../storage/index.js';
import { entriesOf } from '../folders.js';
import { noteUse } from '../projects/project-file.js';
import { type StoreOwner, withStoresFree } from '../projects/store-owner.js';
import { type HomeOptions, homesOf } from '../surroundings.js';
import { loadUserWalkers } from '../user-walkers.js';
import { countLines, listBackups, newestIntact, readBackup } from './backup-file.js';
import { type BackupLine, layerLines, mergedLines } from './backup-line.js';
import { type BuiltCounts, buildLayer } from './build-layer.js';
import { type MadeBackup, makeBackup } from './make-backup.js';
import { archiveLines } from './old-archive.js';

/** How a durable layer is replaced. */
export interface ReplaceOptions extends HomeOptions {
  /** Absolute folders of the user's own walkers, whose archetypes it may have nodes and edges of. Default: none. */
  readonly walkers?: readonly string[];
}

const FROM = ['store', 'archive', 'backup'] as const;

/** What was recovered from one place. */
export interface Recovered {
  /** `store`: the old store; `archive`: that of an earlier version; `backup`: the newest intact one. */
  readonly from: (typeof FROM)[number];
  readonly path: string;
  /** What no place before it had. */
  readonly events: number;
  readonly nodes: number;
  readonly edges: number;
}

/** What a rebuild made. */
export interface Rebuilt extends BuiltCounts {
  readonly sources: readonly Recovered[];
  /** Whether the old store could be read to its end. */
  readonly old_store: boolean;
  /** Records that were damaged there. */
  readonly damaged: number;
}

/**
 * Builds the durable layer of a root's history again from its own event records. Where the old store is damaged or gone,
 * what it lacks comes from the newest intact backup; what was deleted since then comes back with it. The new store is
 * built next to the old one and takes its place when it is complete.
 *
 * @param root Its real path.
 * @throws CodewalkError `PROJECT_NOT_INDEXED` when nothing was ever recorded of it, `STORE_LOCKED`, `STORE_NEWER`,
 * `STORE_FULL`, `INVALID_ARCHETYPE`.
 */
export async function rebuildHistory(
  root: string,
  owner: Pick<StoreOwner, 'release'>,
  options: ReplaceOptions = {},
): Promise<Rebuilt> {
  const homes = homesOf(root, options);
  const { durable, archive, backups } = homes;
  return replaced(root, homes, owner, options, async (old, build) => {
    const hasArchive = entriesOf(archive).length > 0;
    if (!hasLevelStore(durable) && !hasArchive && listBackups(backups).length === 0)
      throw projectNotIndexed(root);
    let isRead = old !== null;
    let newest: string | null = null;
    async function* storeLines(): AsyncGenerator<BackupLine[]> {
      if (old === null) return;
      try {
        yield* layerLines(old);
      } catch (thrown) {
        isRead = onlyDamage(thrown, false);
      }
    }
    async function* backupLines(): AsyncGenerator<BackupLine[]> {
      if (isRead && old?.damaged.size === 0) return;
      newest = (await newestIntact(backups))?.path ?? null;
      if (newest !== null) yield* readBackup(newest);
    }
    const sources = [storeLines(), archiveLines(archive), backupLines()].map((lines) => ({
      lines,
      fresh: { event: 0, node: 0, edge: 0 },
    }));
    const built = await build(mergedLines(sources));
    const paths = [old && durable, hasArchive ? archive : null, newest];
    const recovered = sources.flatMap(({ fresh: { event, node, edge } }, at) => {
      const [from, path] = [FROM[at] ?? 'store', paths[at] ?? null];
      return path === null ? [] : [{ from, path, events: event, nodes: node, edges: edge }];
    });
    return { ...built, sources: recovered, old_store: isRead, damaged: old?.damaged.size ?? 0 };
  });
}

/** What a restore did. */
export interface Restored extends BuiltCounts {
  /** The file that was restored. */
  readonly path: string;
  /** The backup of what it replaced; null: there was nothing, or nothing that could be read. */
  readonly before: MadeBackup | null;
}

/**
 * Replaces the durable layer of a root's history by what a backup holds. The present state is backed up first; what is
 * recorded meanwhile waits in the journal.
 *
 * @param root Its real path.
 * @param file A path, the name of one of the history's backups, or `latest`.
 * @throws CodewalkError `INVALID_INPUT` when there is no such file, `BACKUP_INVALID` when it is damaged, `STORE_NEWER`
 * when a newer version wrote it, `STORE_LOCKED`, `STORE_FULL`, `INVALID_ARCHETYPE`: then nothing was changed.
 */
export async function restoreHistory(
  root: string,
  file: string,
  owner: Pick<StoreOwner, 'release'>,
  options: ReplaceOptions = {},
): Promise<Restored> {
  const homes = homesOf(root, options);
  const path = backupNamed(file, homes);
  await countLines(path, () => true);
  return replaced(root, homes, owner, options, async (old, build) => {
    let before: MadeBackup | null = null;
    if (old && (await old.counts()).nodes.size > 0)
      before = await makeBackup(old, homes, { now: Date.now() }).catch((thrown) => onlyDamage(thrown, null));
    const built = await build(readBackup(path));
    noteUse(homes, Date.now());
    return { path, ...built, before };
  });
}

function backupNamed(file: string, { backups, root }: ProjectHomes): string {
  const known = file === 'latest' ? listBackups(backups).at(-1)?.path : undefined;
  const path = [known ?? file, join(backups, basename(file))].find((one) => existsSync(one));
  if (path !== undefined) return path;
  throw new CodewalkError('INVALID_INPUT', `there is no backup '${file}' of ${root}`, {
    input: file,
    suggestion: "'codewalk restore --list' shows those that there are; 'codewalk backup' makes one.",
  });
}

type Build = (lines: AsyncIterable<readonly BackupLine[]>) => Promise<BuiltCounts>;

/** Builds another durable layer next to the old one, which is held meanwhile, and swaps the two. */
async function replaced<T>(
  root: string,
  { durable }: ProjectHomes,
  owner: Pick<StoreOwner, 'release'>,
  { walkers = [] }: ReplaceOptions,
  work: (old: LayerStore | null, build: Build) => Promise<T>,
): Promise<T> {
  const { archetypes } = await loadUserWalkers(walkers, { cwd: root });
  const catalog = new Catalog([...ARCHETYPES, ...archetypes]);
  const folder = besideStore(durable);
  return withStoresFree(owner, root, async () => {
    const old = await opened(durable, catalog);
    try {
      const done = await work(old, (lines) => buildLayer({ folder, root, catalog, archetypes }, lines));
      await swapStore(durable, old);
      return done;
    } finally {
      await old?.close();
    }
  });
}

/** The durable layer in a folder; null where there is none, or none that can be opened. */
async function opened(folder: string, catalog: Catalog): Promise<LayerStore | null> {
  if (!hasLevelStore(folder)) return null;
  const waitMs = LIMITS.storeWaitReading.default;
  const store = await openLevelStore(folder, { waitMs }).catch((thrown) => onlyDamage(thrown, null));
  return (
    store &&
    openLayer(store, 'durable', catalog).catch(async (thrown) => {
      await store.close();
      return onlyDamage(thrown, null);
    })
  );
}

/** A value in place of an error that says that a store is damaged; any other error goes on. */
function onlyDamage<T>(thrown: unknown, value: T): T {
  if (isDamage(thrown)) return value;
  throw thrown;
}
