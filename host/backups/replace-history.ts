import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { Catalog, defineWalker, type GraphTransaction } from '../../runtime/index.js';
import {
  ARCHETYPES,
  CodewalkError,
  type EdgeType,
  LIMITS,
  type NodeType,
  parseProps,
  projectNotIndexed,
} from '../../schema/index.js';
import {
  hasLevelStore,
  isDamage,
  type LayerStore,
  nextToStore,
  openLayer,
  openLevelStore,
  openMemoryStore,
  swapStore,
} from '../../storage/index.js';
import { StoredEvent } from '../../walkers/index.js';
import { type OpenGraph, openEmbedded, wholeHistoryTexts } from '../open-graph.js';
import { noteUse } from '../projects/project-list.js';
import { type StoreOwner, withStoresFree } from '../projects/remove.js';
import { type HomeOptions, homesOf } from '../surroundings.js';
import { loadUserWalkers } from '../user-walkers.js';
import {
  type BackupCounts,
  type BackupLine,
  checkBackup,
  countLine,
  type LineOf,
  listBackups,
  NO_LINES,
  readBackup,
} from './backup-file.js';
import { layerLines, type MadeBackup, makeBackup } from './make-backup.js';

/** How a durable layer is replaced. */
interface ReplaceOptions extends HomeOptions {
  /** Absolute folders of the user's own walkers, whose archetypes it may have nodes and edges of. Default: none. */
  readonly walkers?: readonly string[];
}

/** What a layer was built from: events, nodes and edges that follow from none, lines of an unknown shape, left out. */
type BuiltCounts = Readonly<Record<'events' | 'others' | 'refused', number>>;

/** What a rebuild made. */
interface Rebuilt extends BuiltCounts {
  /** The old store, and the newest intact backup with what the store did not have. */
  readonly sources: readonly (BackupCounts & { readonly from: 'store' | 'backup'; readonly path: string })[];
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
 * @throws CodewalkError `PROJECT_NOT_INDEXED` when nothing was ever recorded of it, `STORE_LOCKED`, `STORE_NEWER`,
 * `STORE_FULL`, `INVALID_ARCHETYPE`.
 */
export async function rebuildHistory(
  root: string,
  owner: Pick<StoreOwner, 'release'>,
  options: ReplaceOptions = {},
): Promise<Rebuilt> {
  const { durable, backups } = homesOf(root, options);
  return replaced(root, durable, owner, options, async (old, build) => {
    if (!hasLevelStore(durable) && listBackups(backups).length === 0) throw projectNotIndexed(root);
    const sources: Rebuilt['sources'][number][] = [];
    let isRead = old !== null;
    async function* lines(): AsyncGenerator<BackupLine[]> {
      const known = new Set<string>();
      if (old) {
        const source = { from: 'store' as const, path: durable, ...NO_LINES };
        sources.push(source);
        try {
          for await (const page of layerLines(old)) {
            for (const line of page) countLine(source, line);
            for (const line of page) known.add(keyOf(line));
            yield page;
          }
        } catch (thrown) {
          isRead = onlyDamage(thrown, false);
        }
      }
      const path = isRead && old?.damaged.size === 0 ? null : await newestIntact(backups);
      if (path === null) return;
      const source = { from: 'backup' as const, path, ...NO_LINES };
      sources.push(source);
      for await (const page of readBackup(path)) {
        const unknown = page.filter((line) => !known.has(keyOf(line)));
        for (const line of unknown) countLine(source, line);
        yield unknown;
      }
    }
    const built = await build(lines());
    return { ...built, sources, old_store: isRead, damaged: old?.damaged.size ?? 0 };
  });
}

/** Without an edge's number: a layer that was rebuilt numbers its edges again. */
function keyOf(line: BackupLine): string {
  if (line.type !== 'edge') return `${line.type}\0${line.id}`;
  const ends = line.undirected ? [line.from, line.to].sort() : [line.from, line.to];
  return `edge\0${line.archetype}\0${ends.join('\0')}`;
}

/** The path of the newest backup of a folder that is intact; null where there is none. */
async function newestIntact(folder: string): Promise<string | null> {
  for (const { path } of listBackups(folder).reverse()) {
    const isIntact = await checkBackup(path).then(
      () => true,
      () => false,
    );
    if (isIntact) return path;
  }
  return null;
}

/** What a restore did. */
interface Restored extends BuiltCounts {
  /** The file that was restored. */
  readonly path: string;
  /** The backup of what it replaced; null: there was nothing, or nothing that could be read. */
  readonly before: MadeBackup | null;
}

/**
 * Replaces the durable layer of a root's history by what a backup holds. The present state is backed up first; what is
 * recorded meanwhile waits in the journal.
 *
 * @param file A path, the name of one of the history's backups, or `latest`.
 * @throws CodewalkError `BACKUP_INVALID` when there is no such file or it is damaged, `STORE_NEWER`
 * when a newer version wrote it, `STORE_LOCKED`, `STORE_FULL`, `INVALID_ARCHETYPE`: then nothing was changed.
 */
export async function restoreHistory(
  root: string,
  file: string,
  owner: Pick<StoreOwner, 'release'>,
  options: ReplaceOptions = {},
): Promise<Restored> {
  const homes = homesOf(root, options);
  const { backups, durable } = homes;
  const latest = file === 'latest' ? listBackups(backups).at(-1)?.path : undefined;
  const path = [latest ?? file, join(backups, basename(file))].find((one) => existsSync(one));
  if (path === undefined)
    throw new CodewalkError('BACKUP_INVALID', `there is no backup '${file}' of ${homes.root}`, {
      input: file,
      suggestion: "'codewalk restore --list' shows those that there are; 'codewalk backup' makes one.",
    });
  await checkBackup(path);
  return replaced(root, durable, owner, options, async (old, build) => {
    let before: MadeBackup | null = null;
    if (old && (await old.counts()).nodes.size > 0)
      before = await makeBackup(old, homes, { now: Date.now() }).catch((thrown) => onlyDamage(thrown, null));
    const built = await build(readBackup(path));
    noteUse(homes, Date.now());
    return { path, ...built, before };
  });
}

type Build = (lines: AsyncIterable<readonly BackupLine[]>) => Promise<BuiltCounts>;

/** Builds another durable layer next to the old one, which is held meanwhile, and swaps the two. */
async function replaced<T>(
  root: string,
  durable: string,
  owner: Pick<StoreOwner, 'release'>,
  { walkers = [] }: ReplaceOptions,
  work: (old: LayerStore | null, build: Build) => Promise<T>,
): Promise<T> {
  const { archetypes } = await loadUserWalkers(walkers, { cwd: root });
  const catalog = new Catalog([...ARCHETYPES, ...archetypes]);
  const folder = nextToStore(durable);
  const build: Build = async (lines) => {
    rmSync(folder, { recursive: true, force: true });
    const stores = { derived: await openMemoryStore(), durable: await openLevelStore(folder) };
    const limits = { deadlineMs: Number.POSITIVE_INFINITY };
    const graph = await openEmbedded(root, { archetypes, stores, limits, force: true, embedder: null });
    try {
      const built = await fill(graph, catalog, lines);
      await graph.close();
      return built;
    } catch (thrown) {
      await graph.close().catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
      throw thrown;
    }
  };
  return withStoresFree(owner, root, async () => {
    const old = await opened(durable, catalog);
    try {
      const done = await work(old, build);
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
  try {
    const store = await openLevelStore(folder, { waitMs: LIMITS.storeWaitReading.default });
    return await openLayer(store, 'durable', catalog).catch(async (thrown) => {
      await store.close();
      throw thrown;
    });
  } catch (thrown) {
    return onlyDamage(thrown, null);
  }
}

/** A value in place of an error that says that a store is damaged; any other error goes on. */
function onlyDamage<T>(thrown: unknown, value: T): T {
  if (isDamage(thrown)) return value;
  throw thrown;
}

/** Stores bytes alongside the durable layer. */
const PutBlobs = defineWalker('put_blobs', {
  description: 'Store bytes alongside the durable layer again.',
  access: 'write',
  input: { blobs: z.array(z.object({ id: z.string(), value: z.string() })) },
  output: z.object({}),
  finish: async ({ state: { blobs }, context }) => {
    for (const { id, value } of blobs) context.putBlob(id, Buffer.from(value), 'durable');
    return {};
  },
});

/**
 * Fills an empty graph: records the events again, then writes what follows from none.
 *
 * @throws CodewalkError `INVALID_ARCHETYPE` for an archetype that the catalog does not have, `STORE_FULL`, or as reading
 * the lines does.
 */
async function fill(
  graph: OpenGraph,
  catalog: Catalog,
  lines: AsyncIterable<readonly BackupLine[]>,
): Promise<BuiltCounts> {
  const nodes: LineOf<'node'>[] = [];
  const edges: LineOf<'edge'>[] = [];
  const blobs: LineOf<'blob'>[] = [];
  let batch: StoredEvent[] = [];
  let [events, refused] = [0, 0];
  const flush = async () => {
    if (batch.length > 0) await graph.spawn('trace_replay', null, { events: batch });
    events += batch.length;
    batch = [];
  };
  for await (const page of lines)
    for (const line of page) {
      if (line.type === 'node') nodes.push(line);
      else if (line.type === 'edge') edges.push(line);
      else if (line.type === 'blob') blobs.push(line);
      else {
        const event = StoredEvent.safeParse(line).data;
        if (event === undefined) refused += 1;
        else if (batch.push(event) >= LIMITS.journalBatch.max) await flush();
      }
    }
  await flush();
  refused += await graph.write((tx) => writeOthers(tx, catalog, nodes, edges));
  await graph.spawn(PutBlobs, null, { blobs });
  await wholeHistoryTexts(graph, { rebuild: true });
  return { events, others: nodes.length + edges.length, refused };
}

/** @returns how many do not fit their archetypes. */
async function writeOthers(
  tx: GraphTransaction,
  catalog: Catalog,
  nodes: readonly LineOf<'node'>[],
  edges: readonly LineOf<'edge'>[],
): Promise<number> {
  let refused = 0;
  const checked = ({ name, schema }: NodeType | EdgeType, props: LineOf<'node'>['props']) => {
    try {
      return parseProps(name, schema, props);
    } catch {
      refused += 1;
      return null;
    }
  };
  const nodeType = (name: string) => known(catalog.node(name), name);
  // Of what stood in a damaged store a name or an id may be left empty.
  const drafts = nodes.flatMap(({ id, archetype: name, props: given }) => {
    if (id === '' || name === '') {
      refused += 1;
      return [];
    }
    const archetype = nodeType(name);
    const props = checked(archetype, given);
    return props === null ? [] : [{ draft: 'node', archetype, id, props } as const];
  });
  await tx.createAll(drafts);
  for (const edge of edges.toSorted((a, b) => a.seq - b.seq)) {
    const { archetype: name, from, to, ends, undirected, props: given } = edge;
    if ([from, to, name, ...ends].includes('')) {
      refused += 1;
      continue;
    }
    const archetype = known(catalog.edge(name), name);
    const props = checked(archetype, given);
    // An end that is not there is named all the same: its own layer has it, or had it (ruling X-34).
    const [source] = await tx.nodesOf(nodeType(ends[0]), [from]);
    const [target] = await tx.nodesOf(nodeType(ends[1]), [to]);
    if (props !== null && source !== undefined && target !== undefined)
      await tx.connect(source, target, { draft: 'edge', archetype, props }, { undirected });
  }
  return refused;
}

function known<T extends NodeType | EdgeType>(type: T | undefined, name: string): T {
  if (type) return type;
  throw new CodewalkError('INVALID_ARCHETYPE', `the history has '${name}', which nothing here defines`, {
    input: name,
    suggestion: 'Give the folder of the walkers that define it: --walkers DIR. Nothing was changed.',
  });
}
