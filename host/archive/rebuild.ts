import { rmSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { Catalog, Graph, Ledger } from '../../runtime/index.js';
import { ARCHETYPES, type EdgeType, LIMITS, type NodeType, TraceEvent } from '../../schema/index.js';
import {
  besideStore,
  hasLevelStore,
  isDamage,
  type LayerStore,
  openLayer,
  openLevelStore,
  openMemoryStore,
  type ProjectHomes,
  swapStore,
} from '../../storage/index.js';
import { KeptEvent } from '../../walkers/index.js';
import { wholeHistoryTexts } from '../history-texts.js';
import { timeSortableIds } from '../ids.js';
import { DEFAULT_LIMITS } from '../open-graph.js';
import { WalkerRegistry } from '../registry.js';
import { Archive } from './archive.js';
import { eventLine, followsFromEvents } from './archive-line.js';
import { OtherWrites } from './other-writes.js';

/** What making a durable layer again came to. */
export interface Rebuilt {
  /** Events that it was made from. */
  readonly events: number;
  /** Of these, those that the archive has. */
  readonly archived: number;
  /** Nodes and edges that follow from no event. */
  readonly others: number;
  /** Whether the old store could be read: what only it had is in the new one. */
  readonly old_store: boolean;
  /** Records that were damaged there, or of an unknown shape: of these the new one has what the archive tells. */
  readonly damaged: number;
}

/** How a durable layer is made again. */
export interface RebuildOptions {
  /** Archetypes of people's own that it has nodes or edges of. */
  readonly archetypes?: readonly (NodeType | EdgeType)[];
}

/**
 * Makes the durable layer of a history again, from its archive and from what the old store still tells: events that are
 * older than the archive, and what follows from no event. The new store is made beside the old one, and takes its place
 * when it is whole: cut off at any point, one of the two is there. Nobody may have it open.
 *
 * @throws CodewalkError `STORE_LOCKED` while somebody has it open; `STORE_NEWER`; `STORE_FULL`; `INVALID_ARCHETYPE` when
 * it has nodes of people's own archetypes that were not given.
 */
export async function rebuildDurable(homes: ProjectHomes, options: RebuildOptions = {}): Promise<Rebuilt> {
  const { durable } = homes;
  const catalog = new Catalog([...ARCHETYPES, ...(options.archetypes ?? [])]);
  const old = await openOld(durable, catalog);
  try {
    rmSync(besideStore(durable), { recursive: true, force: true });
    const layer = await openLayer(await openLevelStore(besideStore(durable)), 'durable', catalog);
    const rebuilt = await made(layer, catalog, new Archive(homes.archive), old).finally(() => layer.close());
    await swapStore(durable, old);
    return rebuilt;
  } finally {
    await old?.close();
  }
}

/** The old store; null where there is none, or none that could be read. */
async function openOld(folder: string, catalog: Catalog): Promise<LayerStore | null> {
  if (!hasLevelStore(folder)) return null;
  try {
    const store = await openLevelStore(folder, { waitMs: LIMITS.storeWaitReading.default });
    return await openLayer(store, 'durable', catalog).catch(async (error) => {
      await store.close();
      throw error;
    });
  } catch (thrown) {
    return onlyCorrupt(thrown, null);
  }
}

/** What holds of a store that cannot be read; any other error goes on. */
function onlyCorrupt<T>(thrown: unknown, value: T): T {
  if (isDamage(thrown)) return value;
  throw thrown;
}

async function made(
  layer: LayerStore,
  catalog: Catalog,
  archive: Archive,
  old: LayerStore | null,
): Promise<Rebuilt> {
  const graph = await graphOver(layer, catalog);
  const events = new EventReplay(graph);
  const others = new OtherWrites(catalog);
  for (const line of archive.replay()) {
    if (line.type === 'event') await events.add(line);
    else others.tell(line);
  }
  await events.flush();
  const archived = events.count;
  // What cannot be read of it any more is in the archive, or nowhere.
  const told =
    old !== null && (await tellOld(old, layer, events, others).catch((error) => onlyCorrupt(error, false)));
  await events.flush();
  await graph.write((tx) => others.write(tx));
  await wholeHistoryTexts(graph, { anew: true });
  await graph.close();
  const damaged = (old?.damaged.size ?? 0) + events.refused + others.refused;
  return { events: events.count, archived, others: others.size, old_store: told, damaged };
}

/** What the old store has and the archive has not: the archive is written first, and the store may be damaged. */
async function tellOld(
  old: LayerStore,
  layer: LayerStore,
  events: EventReplay,
  others: OtherWrites,
): Promise<boolean> {
  for await (const page of old.allNodes())
    for (const node of page) {
      if (node.type === TraceEvent.name) await events.add(eventLine(node));
      else if (!followsFromEvents(node.type)) others.node(node);
    }
  await events.flush();
  const types = new Map<string, string>();
  for await (const page of old.allNodes()) {
    const known = await layer.types(page.map(({ id }) => id));
    for (const [at, node] of page.entries()) {
      types.set(node.id, node.type);
      // A task that no event made: of a version that kept none.
      if (known[at] === undefined && node.type !== TraceEvent.name) others.node(node);
    }
  }
  const typeOf = (id: string) => types.get(id) ?? null;
  for await (const page of old.allEdges()) {
    const found = await layer.edges(page);
    const turned = await layer.edges(page.map((edge) => ({ ...edge, from: edge.to, to: edge.from })));
    for (const [at, edge] of page.entries()) {
      const isThere = found[at] !== undefined || (edge.undirected && turned[at] !== undefined);
      if (!followsFromEvents(edge.type) || !isThere) others.edge(edge, typeOf);
    }
  }
  return true;
}

/** Records events again, in batches. */
class EventReplay {
  readonly #walker = new WalkerRegistry([], { bare: false }).get('trace_replay');
  readonly #seen = new Set<string>();
  #batch: KeptEvent[] = [];
  /** Of an unknown shape. */
  refused = 0;

  constructor(private readonly graph: Graph) {}

  /** Different events so far. */
  get count(): number {
    return this.#seen.size;
  }

  async add(told: KeptEvent): Promise<void> {
    if (this.#seen.has(told.id)) return;
    const event = KeptEvent.safeParse(told).data;
    if (event === undefined) {
      this.refused++;
      return;
    }
    this.#seen.add(event.id);
    this.#batch.push(event);
    if (this.#batch.length >= LIMITS.journalBatch.max) await this.flush();
  }

  async flush(): Promise<void> {
    const events = this.#batch.map(({ id, at, task, session, begins, step_name, tool_name, fact }) => ({
      ...{ id, at, task, session, begins },
      ...{ step_name, tool_name, fact },
    }));
    this.#batch = [];
    if (events.length > 0) await this.graph.spawn(this.#walker, null, { events });
  }
}

/** A graph over a durable layer alone. */
async function graphOver(durable: LayerStore, catalog: Catalog): Promise<Graph> {
  const derived = await openLayer(await openMemoryStore(), 'derived', catalog);
  return new Graph({
    layers: { derived, durable },
    catalog,
    ledger: new Ledger(),
    arrivals: [],
    projectRoot: null,
    now: Date.now,
    clock: () => performance.now(),
    ids: timeSortableIds(Date.now),
    roundTrips: () => 0,
    limits: { ...DEFAULT_LIMITS, deadlineMs: Number.POSITIVE_INFINITY },
    release: () => derived.close(),
  });
}
