import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { SIBLING_STORES } from '../graphs/code/index.js';
import { type Asked, askedOf, draftOf, fitted, tokensOf, withDraft } from '../present/index.js';
import {
  type Arrival,
  Catalog,
  Graph,
  type GraphTransaction,
  type InputOf,
  type Limits,
  Resources,
  type RunOptions,
  type RunResult,
  type SpawnTarget,
  type Transaction,
  type WalkerInstance,
  type WalkerType,
  type WithoutGraph,
} from '../runtime/index.js';
import {
  ARCHETYPES,
  type EdgeType,
  type Layer,
  LIMITS,
  type NodeType,
  projectNotIndexed,
} from '../schema/index.js';
import { EMBEDDER, type Embedder } from '../search/index.js';
import { checkRoot, platformOf } from '../source/index.js';
import {
  type CountingStore,
  countRoundTrips,
  isDamage,
  type KeyValueSnapshot,
  type KeyValueStore,
  type LayerStore,
  markHome,
  openLayer,
  openLevelStore,
  openMemoryStore,
  removeStore,
} from '../storage/index.js';
import { type CodeEdge, type CodeNode, HistoryTexts, ProjectTexts } from '../walkers/index.js';
import { configuredEmbedder, indexDefaults } from './config.js';
import { type HeldHistory, History } from './history.js';
import { timeSortableIds } from './ids.js';
import {
  type BuildOptions,
  type CodeLibrary,
  type LibraryParts,
  libraryOf,
  type WrittenCounts,
} from './library/code-library.js';
import { enclosingRootOf, hasGraph } from './project-root.js';
import { noteUse, siblingStores } from './projects/project-list.js';
import { WalkerRegistry } from './registry.js';
import { graphsFolderOf, homesOf, processSurroundings, type Surroundings } from './surroundings.js';

/** Limits of a run when the caller names none. */
export const DEFAULT_LIMITS: Limits = {
  deadlineMs: LIMITS.runTime.default,
  maxVisits: LIMITS.runVisits.default,
  maxBytes: LIMITS.runBytes.default,
};

/**
 * What is done for a root that has no graph: one is `made`; it is `refused` with `PROJECT_NOT_INDEXED`; or an `empty`
 * one is opened in memory, and nothing is made on disk.
 */
export type Absent = 'made' | WithoutGraph;

/** How a graph is opened. */
export interface OpenOptions {
  /** The folder of all graphs. Default: `GRAPHS_HOME`, else `~/.graphs` (ruling X-16). */
  home?: string;
  /** Archetypes in addition to the built-in schema. */
  archetypes?: readonly (NodeType | EdgeType)[];
  /** Abilities of locations, in their order. */
  arrivals?: readonly Arrival[];
  /** Walkers that can be spawned by name in addition to the built-in ones. */
  walkers?: readonly WalkerType[];
  /** Without the built-in schema and walkers: a graph of the given archetypes alone. Default false. */
  bare?: boolean;
  /** What is done for a root that has no graph. Default `made`. */
  absent?: Absent;
  /** Keep the graph of the root in memory alone: nothing is read or made on disk but its files. Default false. */
  inMemory?: boolean;
  /** Open a root that is `/`, a drive root or a home directory (spec P-05). Default false. */
  force?: boolean;
  /**
   * Milliseconds that are waited for a graph that another process holds, before `STORE_LOCKED`. Default
   * `LIMITS.storeWait`; `LIMITS.storeWaitReading` where `absent` is not `made`.
   */
  waitMs?: number;
  /** Bounds of every run that names no others. Default {@link DEFAULT_LIMITS}. */
  limits?: Partial<Limits>;
  /**
   * What it shares with the graphs of the other worktrees of its repository that are open in this thread. Default:
   * nothing, and only one of them can be open at a time.
   */
  history?: History;
  /** Makes vectors of texts; null: none are made. Default: the endpoint of the configuration, which has none at first. */
  embedder?: Embedder | null;
  /** The working directory, environment and user's home. Default: those of this process. */
  surroundings?: Surroundings;
  /** Stores that another thread has open, for a graph that is only read: nothing is opened or noted. Default: opens them. */
  stores?: Readonly<Record<Layer, KeyValueStore>>;
}

/** One version of both stores of a graph. */
export interface PinnedStores extends Readonly<Record<Layer, KeyValueSnapshot>> {
  /** Identifies the version among those of the same open graph. */
  readonly number: number;
}

/** The versions of an open graph, for readers other than its own runs. */
export interface Versions {
  /** The {@link PinnedStores.number} of the newest version. */
  readonly number: number;
  /** Pins the newest version. The caller closes both stores. */
  pin(): Promise<PinnedStores>;
}

/** The parts of an open graph that do not change, and the versions of one that is not in memory. */
interface Inside extends Omit<LibraryParts, 'spawn'> {
  readonly home: string | null;
  readonly enclosingRoot: string | null;
  readonly walkers: WalkerRegistry;
  readonly versions: Versions | null;
}

const INSIDE = new WeakMap<OpenGraph, Inside>();

/** See {@link Inside}. */
export function insideOf(graph: OpenGraph): Inside {
  return INSIDE.get(graph) as Inside;
}

/**
 * An open graph: spawn walkers on it by name or by value, build it and ask it for nodes and edges, and close it.
 */
export interface OpenGraph extends AsyncDisposable, CodeLibrary {
  /** The real path of the root; null for a graph in memory. */
  readonly root: string | null;
  /** The folder of all graphs; null for a graph in memory. */
  readonly home: string | null;
  /** The deepest indexed root above this one; null where there is none. */
  readonly enclosingRoot: string | null;
  /** The walkers that can be spawned by name. */
  readonly walkers: WalkerRegistry;
  /** Counts commits. */
  readonly revision: number;
  /**
   * Runs a walker from `target`; null or left out: where the walker itself starts, else from the root.
   *
   * @throws CodewalkError `WALKER_NOT_FOUND` with the nearest names, or as the run does.
   */
  spawn<W extends WalkerType>(
    walker: W | WalkerInstance<W>,
    target?: SpawnTarget | null,
    input?: InputOf<W>,
    options?: RunOptions,
  ): Promise<RunResult<W>>;
  spawn(
    name: string,
    target?: SpawnTarget | null,
    input?: Record<string, unknown>,
    options?: RunOptions,
  ): Promise<RunResult>;
  /** Path expressions and look-ups outside a walk, on one consistent version. */
  read<T>(body: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Changes outside a walk: one atomic batch or nothing. */
  write<T>(body: (tx: GraphTransaction) => Promise<T>): Promise<T>;
  /** Nodes and edges of code as an upsert: see {@link CodeLibrary.write}. */
  write(
    nodes: readonly CodeNode[],
    edges: readonly CodeEdge[],
    options?: BuildOptions,
  ): Promise<WrittenCounts>;
  /**
   * What was damaged of all that was read of each layer since the graph was opened, and is left out of answers: ids of
   * nodes, or what else identifies a record.
   */
  readonly damaged: Readonly<Record<Layer, ReadonlySet<string>>>;
  /** Bytes that the layers take on disk. */
  sizeOnDisk(): Promise<Record<Layer, number>>;
  close(): Promise<void>;
}

/**
 * Opens a graph in this process, until it is closed: see `openGraph` of the library.
 *
 * @throws CodewalkError `INVALID_ROOT`, `ROOT_REFUSED`, `STORE_LOCKED`, `STORE_NEWER`, `STORE_CORRUPT`, `STORE_FULL`.
 */
export async function openEmbedded(root: string, options: OpenOptions = {}): Promise<OpenGraph> {
  const { absent = 'made', inMemory = false, bare = false } = options;
  const realRoot = root === ':memory:' ? null : realRootOf(root, options);
  const walkers = new WalkerRegistry(options.walkers ?? [], { bare });
  const catalog = new Catalog([...(bare ? [] : ARCHETYPES), ...(options.archetypes ?? [])]);
  const stored = inMemory ? null : realRoot;
  const enclosingRoot = stored === null ? null : enclosingRootOf(stored, options);
  const isThere = stored === null || absent === 'made' || hasGraph(stored, options);
  if (!isThere && absent === 'refused') throw projectNotIndexed(stored, enclosingRoot);
  const waitMs = options.waitMs ?? (absent === 'made' ? LIMITS.storeWait : LIMITS.storeWaitReading).default;
  const { derived, history } = await openStores(isThere ? stored : null, catalog, { ...options, waitMs });
  const { transactions } = history;
  const { embedder = configuredEmbedder(realRoot, options) } = options;
  const embedderNow = typeof embedder === 'function' ? embedder : () => embedder;
  const siblings = () => (stored === null ? [] : siblingStores(homesOf(stored, options)));
  const graph = new Graph({
    layers: { derived: derived.layer, durable: history.layer },
    catalog,
    transactions,
    arrivals: options.arrivals ?? [],
    projectRoot: realRoot,
    resources: new Resources().give(EMBEDDER, embedderNow).give(SIBLING_STORES, siblings),
    now: Date.now,
    clock: () => performance.now(),
    ids: timeSortableIds(Date.now),
    roundTrips: () => derived.store.roundTrips + history.store.roundTrips,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    release: async () => void (await Promise.all([derived.layer.close(), history.release()])),
  });
  const isOwn = isThere && stored !== null && !options.stores;
  // What cannot be repaired now, on a full disk, is tried again by the next who opens it.
  if (isOwn && !bare) await wholeHistoryTexts(graph).catch(() => undefined);
  const versions: Versions = {
    get number() {
      return transactions.number;
    },
    async pin() {
      // A commit of both layers is seen as a whole or not at all.
      while (transactions.settling) await transactions.settling;
      const [code, traces] = [derived.store.snapshot(), history.store.snapshot()];
      return { number: transactions.number, derived: code, durable: traces };
    },
  };
  const inside: Inside = {
    root: realRoot,
    home: stored === null ? null : graphsFolderOf(options),
    enclosingRoot,
    walkers,
    store: isThere && stored !== null ? homesOf(stored, options).derived : null,
    indexInput: () => ({ ...indexDefaults(realRoot, options) }),
    embeds: () => embedderNow() !== null,
    versions: isOwn ? versions : null,
  };
  const core: Core = {
    spawn: (async (
      named: string | WalkerType | WalkerInstance,
      target?: SpawnTarget,
      input: Record<string, unknown> = {},
      runOptions?: RunOptions,
    ) => {
      const walker = typeof named === 'string' ? walkers.get(named) : named;
      const result = await graph.spawn(walker, target, input, runOptions);
      // A rebuild of the text indexes is one of all of them.
      if (walker === ProjectTexts) await wholeHistoryTexts(graph, { rebuild: true });
      const type = 'instanceOf' in walker ? walker.instanceOf : walker;
      return withinBudget(result, () => askedOf(type, realRoot, input));
    }) as OpenGraph['spawn'],
    read: (body) => graph.read(body),
    write: (body) => graph.write(body),
    sizeOnDisk: () => graph.sizeOnDisk(),
  };
  return graphOver(inside, { use: (body) => body(core), known: () => graph, close: () => graph.close() });
}

/** The real path of a root. @throws CodewalkError `INVALID_ROOT`, `ROOT_REFUSED`. */
export function realRootOf(root: string, options: OpenOptions): string {
  const { cwd, userHome } = options.surroundings ?? processSurroundings();
  const force = options.force ?? false;
  return checkRoot(root, { force, mustBeAbsolute: false, home: userHome, platform: platformOf(), cwd });
}

interface Stores {
  readonly derived: { readonly store: CountingStore; readonly layer: LayerStore };
  readonly history: HeldHistory;
}

async function openStores(
  root: string | null,
  catalog: Catalog,
  options: OpenOptions & { waitMs: number },
): Promise<Stores> {
  const { waitMs, history = new History() } = options;
  if (root === null) {
    const derived = await openDerived(await openMemoryStore(), catalog);
    return { derived, history: await new History().hold(':memory:', catalog, openMemoryStore) };
  }
  if (options.stores) {
    const { derived, durable } = options.stores;
    const held = await history.hold('another thread', catalog, async () => durable);
    return { derived: await openDerived(derived, catalog), history: held };
  }
  const homes = homesOf(root, options);
  const derived = await openWhole(homes.derived, waitMs, catalog);
  try {
    markHome(homes.graphs);
    const open = () => openLevelStore(homes.durable, { waitMs });
    const held = await history.hold(homes.durable, catalog, open);
    noteUse(homes, Date.now());
    return { derived, history: held };
  } catch (error) {
    await derived.layer.close();
    throw error;
  }
}

/** Bytes of its store that stay uncompressed in memory: little, since packs are read once. */
const DERIVED_CACHE = 16 * 1024 * 1024;
/** Times that a store is opened before an error is reported: twice as it is, then emptied. */
const TRIES = 3;
const AGAIN_MS = 100;

/** A store of the code graph that cannot be read is emptied: an index builds it again from the files. */
async function openWhole(folder: string, waitMs: number, catalog: Catalog): Promise<Stores['derived']> {
  for (let tries = 1; ; tries++)
    try {
      return await openDerived(await openLevelStore(folder, { waitMs, cacheSize: DERIVED_CACHE }), catalog);
    } catch (thrown) {
      if (!isDamage(thrown) || tries === TRIES) throw thrown;
      // What is there for a moment alone is no damage.
      if (tries === TRIES - 1) await removeStore(folder);
      else await sleep(AGAIN_MS);
    }
}

async function openDerived(opened: KeyValueStore, catalog: Catalog): Promise<Stores['derived']> {
  const store = countRoundTrips(opened);
  try {
    return { store, layer: await openLayer(store, 'derived', catalog) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The functions of an open graph that need its stores. */
export interface Core extends Pick<OpenGraph, 'spawn' | 'read' | 'sizeOnDisk'> {
  write<T>(body: (tx: GraphTransaction) => Promise<T>): Promise<T>;
}

/** How {@link graphOver} gets at the stores. */
interface Access {
  /** Runs something while the stores are open. */
  use<T>(body: (core: Core) => Promise<T>): Promise<T>;
  /** What was known when they were used last. */
  known(): Pick<OpenGraph, 'revision' | 'damaged'>;
  close(): Promise<void>;
}

/** An open graph over stores that this or another owner has open. */
export function graphOver(inside: Inside, { use, known, close }: Access): OpenGraph {
  const spawn = ((walker: WalkerType, ...rest: []) =>
    use((core) => core.spawn(walker, ...rest))) as OpenGraph['spawn'];
  const library = libraryOf({ ...inside, spawn });
  const { root, home, enclosingRoot, walkers } = inside;
  const graph: OpenGraph = {
    ...library,
    ...{ root, home, enclosingRoot, walkers, spawn, close },
    get revision() {
      return known().revision;
    },
    get damaged() {
      return known().damaged;
    },
    read: (body) => use((core) => core.read(body)),
    write: (first: Changes | readonly CodeNode[], edges: readonly CodeEdge[] = [], options?: BuildOptions) =>
      (typeof first === 'function'
        ? use((core) => core.write(first))
        : library.write(first, edges, options)) as Promise<never>,
    sizeOnDisk: () => use((core) => core.sizeOnDisk()),
    [Symbol.asyncDispose]: close,
  };
  INSIDE.set(graph, inside);
  return graph;
}

type Changes = (tx: GraphTransaction) => Promise<unknown>;

/**
 * Rebuilds the text indexes of attempts and memories that are missing, incomplete or of an earlier version; with `rebuild`
 * all of them. Otherwise it only reads two marks.
 */
export async function wholeHistoryTexts(
  graph: Pick<Graph, 'spawn'>,
  { rebuild = false }: { readonly rebuild?: boolean } = {},
): Promise<void> {
  const limits = { deadlineMs: Number.POSITIVE_INFINITY };
  for (let [again, done] = [rebuild, false]; !done; again = false)
    ({ done } = (await graph.spawn(HistoryTexts, null, { rebuild: again }, { limits })).output);
}

/** The outcome of a run with an answer that fits as JSON; it is made when it is first read. */
function withinBudget<R extends { readonly output: unknown }>(run: R, asked: () => Asked): R {
  const draft = draftOf(run.output as object);
  if (!draft) return run;
  let known: object | null = null;
  const output = () => {
    const cost = (one: object, extent: object) => tokensOf({ ...one, extent });
    const { output: made, cut, cursor } = fitted(draft, asked(), cost);
    const { state } = draft.whole as { state?: { cut?: readonly string[] } };
    const page = cursor === null ? {} : { cursor };
    return { ...made, state: { ...state, cut: [...(state?.cut ?? []), ...cut], ...page } };
  };
  const fitting = { enumerable: true, get: () => (known ??= output()) };
  const own = Object.getOwnPropertyDescriptors(run);
  return withDraft(Object.defineProperties({}, { ...own, output: fitting }) as R, draft);
}
