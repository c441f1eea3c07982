import { rmSync } from 'node:fs';
import {
  CheckpointNode,
  CodewalkError,
  ErrorResolvedByStep,
  LIMITS,
  SimilarStep,
  Step,
  StepDependsOnStep,
  StepHasCheckpoint,
  StepHasError,
  StepInvokesTool,
  Task,
  TaskHasStep,
  ToolInvocation,
  ToolTouchesFile,
  ToolTouchesSymbol,
  TraceCursor,
  TraceError,
  TraceEvent,
} from '../../schema/index.js';
import type { LayerReader, LayerStore, ProjectHomes, StoredEdge, StoredNode } from '../../storage/index.js';
import { StoredEvent } from '../../walkers/index.js';
import { sizeOf } from '../files.js';
import {
  type Backup,
  type BackupCounts,
  type BackupLine,
  backupPath,
  type LineOf,
  listBackups,
  outdatedBackups,
  writeBackup,
} from './backup-file.js';

/** Archetypes of nodes and edges that recording an event makes. */
const FROM_EVENTS: ReadonlySet<string> = new Set(
  [
    ...[Task, Step, ToolInvocation, CheckpointNode, TraceError, TraceEvent, TraceCursor],
    ...[TaskHasStep, StepInvokesTool, ToolTouchesFile, StepHasCheckpoint, StepHasError],
    ...[ToolTouchesSymbol, ErrorResolvedByStep, StepDependsOnStep, SimilarStep],
  ].map(({ name }) => name),
);
/** Edges from a task to all that its events made. */
const PARTS = [TaskHasStep, StepInvokesTool, StepHasCheckpoint, StepHasError].map(({ name }) => name);
/** Blobs that follow from nothing else: the roots that memories were made in, the requests that were done. */
const BLOBS = 'memory/';
/** Records that are read at a time. */
const BATCH = 256;

/**
 * The durable layer as lines, in pages: nodes, then events in time order, then edges and blobs. Tasks that have no events,
 * as in a damaged store, are nodes with all that belongs to them. Records that cannot be read are left out.
 *
 * @throws CodewalkError `STORE_CORRUPT` where reading has to stop.
 */
export async function* layerLines(layer: LayerReader): AsyncGenerator<BackupLine[]> {
  const events: { readonly at: number; readonly id: string }[] = [];
  const tasks = new Set<string>();
  const withEvents = new Set<unknown>();
  for await (const page of layer.allNodes()) {
    for (const { id, type, props } of page) {
      if (type === Task.name) tasks.add(id);
      if (type !== TraceEvent.name) continue;
      events.push({ at: Number(props.at), id });
      withEvents.add(props.task);
    }
    yield page.filter(({ type }) => !FROM_EVENTS.has(type)).map(nodeLine);
  }
  const orphans = new Set([...tasks].filter((task) => !withEvents.has(task)));
  // What is added while a set is looped over has its turn too.
  for (const node of orphans) {
    const parts = PARTS.map((edgeType) => ({ node, edgeType, direction: 'out' }) as const);
    for (const { far } of (await layer.adjacency(parts)).flat()) orphans.add(far);
  }
  events.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const ids = [...orphans, ...events.map(({ id }) => id)];
  for (let at = 0; at < ids.length; at += BATCH)
    yield (await layer.nodes(ids.slice(at, at + BATCH))).flatMap((node) => (node ? [nodeLine(node)] : []));
  for await (const page of layer.allEdges())
    yield edgeLines(
      layer,
      page.filter(({ type, from }) => !FROM_EVENTS.has(type) || orphans.has(from)),
    );
  for await (const page of layer.blobsUnder(BLOBS))
    yield page.map(({ name: id, value }) => ({
      type: 'blob',
      id,
      value: Buffer.from(value).toString('utf8'),
    }));
}

function nodeLine({ id, type, props }: StoredNode): BackupLine {
  if (type !== TraceEvent.name) return { type: 'node', id, archetype: type, props };
  const fields = Object.keys(StoredEvent.shape).filter((name) => Object.hasOwn(props, name));
  const event = Object.fromEntries(fields.map((name) => [name, props[name]]));
  return { ...event, type: 'event', id, at: Number(props.at), task: String(props.task) };
}

/** An end in the other layer has no record here: its archetype is found in the adjacency of the edge's other end. */
async function edgeLines(layer: LayerReader, edges: readonly StoredEdge[]): Promise<LineOf<'edge'>[]> {
  const ends = await layer.nodes(edges.flatMap(({ from, to }) => [from, to]));
  const far = await layer.adjacency(
    edges.flatMap(({ type: edgeType, from, to }) => [
      { node: to, edgeType, direction: 'in' } as const,
      { node: from, edgeType, direction: 'out' } as const,
    ]),
  );
  return edges.flatMap(({ type: archetype, from, to, seq, undirected, props }, at) => {
    const [source, target] = [from, to].map(
      (id, end) => ends[at * 2 + end]?.type ?? far[at * 2 + end]?.find((entry) => entry.far === id)?.farType,
    );
    if (source === undefined || target === undefined) return [];
    return [{ type: 'edge', archetype, from, to, seq, ends: [source, target], undirected, props }];
  });
}

/** A backup that was made, and what it holds. */
export type MadeBackup = Omit<Backup, 'revision'> & BackupCounts;

/**
 * Makes a backup of one version of a durable layer, which others may read and write meanwhile.
 *
 * @param options.rolls Whether a damaged layer is refused, and old backups give way to the new one. Default false.
 * @throws CodewalkError as {@link writeBackup}; `STORE_CORRUPT` for a damaged layer that is refused.
 */
export async function makeBackup(
  layer: LayerStore,
  { backups }: Pick<ProjectHomes, 'backups'>,
  { now, rolls = false, signal }: { now: number; rolls?: boolean; signal?: AbortSignal },
): Promise<MadeBackup> {
  const path = backupPath(backups, now, layer.revision);
  const snapshot = layer.snapshot();
  try {
    const counts = await writeBackup(path, layerLines(snapshot), signal);
    // Older backups have what a damaged layer lacks: they must not give way to one of that.
    if (rolls && layer.damaged.size > 0) {
      rmSync(path);
      throw new CodewalkError('STORE_CORRUPT', `${layer.damaged.size} records are damaged`);
    }
    for (const old of rolls ? outdatedBackups(backups) : []) rmSync(old.path, { force: true });
    return { path, made_at: new Date(now).toISOString(), bytes: sizeOf(path), ...counts };
  } finally {
    await snapshot.close();
  }
}

/** What {@link RollingBackups} stands on. */
interface RollingOptions {
  /** The durable layer while it is open; null: it is not. */
  readonly layer: () => Promise<LayerStore> | null;
  /** Called when a backup begins and when it ends. */
  readonly onRun: (change: 1 | -1) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds between a request and the look whether a backup is due. Default `LIMITS.backupDelay`. */
  readonly delayMs?: number;
}

/** Makes a backup of a history once a day while something changed, in the background. */
export class RollingBackups {
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<unknown> | null = null;
  #stopped = new AbortController();

  constructor(private readonly options: RollingOptions) {}

  /** Looks soon whether a backup is due. To be called after each request. What fails is tried again after the next. */
  look(homes: ProjectHomes): void {
    if (this.#timer !== null || this.#running !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.makeDue(homes).catch(() => undefined);
    }, this.options.delayMs ?? LIMITS.backupDelay.default).unref();
  }

  /** Makes a backup now. @param rolls As for {@link makeBackup}. @throws CodewalkError as {@link makeBackup}. */
  async make(homes: ProjectHomes, layer: LayerStore, rolls = false): Promise<MadeBackup> {
    while (this.#running) await this.#running.catch(() => undefined);
    const { onRun, now } = this.options;
    const made = makeBackup(layer, homes, { now: now(), rolls, signal: this.#stopped.signal });
    this.#running = made;
    onRun(1);
    try {
      return await made;
    } finally {
      this.#running = null;
      onRun(-1);
    }
  }

  /** Gives up the backup that is being made. To be called before the layer is closed; it may be opened again. */
  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#stopped.abort();
    await this.#running?.catch(() => undefined);
    this.#stopped = new AbortController();
  }

  /** Makes a backup if one is due; null: none is. @throws CodewalkError as {@link makeBackup}. */
  async makeDue(homes: ProjectHomes): Promise<MadeBackup | null> {
    const layer = await this.options.layer();
    if (layer === null || layer.damaged.size > 0) return null;
    const newest = listBackups(homes.backups).at(-1);
    // A clock that was set back makes the age negative.
    const age = Math.abs(this.options.now() - Date.parse(newest?.made_at ?? ''));
    if (newest?.revision === layer.revision || age < LIMITS.backupInterval.default) return null;
    return (await layer.counts()).nodes.size === 0 ? null : this.make(homes, layer, true);
  }
}
