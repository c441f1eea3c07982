import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  CheckpointNode,
  ErrorResolvedByStep,
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
import type { LayerReader, StoredEdge, StoredNode } from '../../storage/index.js';
import { StoredEvent } from '../../walkers/index.js';
import { entriesOf } from '../folders.js';
import { type BackupCounts, BackupLine, countLine, type LineOf } from './backup-file.js';

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
  const orphans = await withParts(
    layer,
    [...tasks].filter((task) => !withEvents.has(task)),
  );
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

/** Tasks, and the ids of their steps, tools, checkpoints and errors. */
async function withParts(layer: LayerReader, tasks: readonly string[]): Promise<Set<string>> {
  const found = new Set(tasks);
  // What is added while a set is looped over has its turn too.
  for (const node of found) {
    const parts = PARTS.map((edgeType) => ({ node, edgeType, direction: 'out' }) as const);
    for (const { far } of (await layer.adjacency(parts)).flat()) found.add(far);
  }
  return found;
}

function nodeLine({ id, type, props }: StoredNode): BackupLine {
  if (type !== TraceEvent.name) return { type: 'node', id, archetype: type, props };
  const fields = Object.keys(StoredEvent.shape).filter((name) => Object.hasOwn(props, name));
  const event = Object.fromEntries(fields.map((name) => [name, props[name]]));
  return { ...event, type: 'event', id, at: Number(props.at), task: String(props.task) };
}

/** An end in the other layer has no record here: its archetype is found in the adjacency of the edge's other end. */
async function edgeLines(layer: LayerReader, edges: readonly StoredEdge[]): Promise<LineOf<'edge'>[]> {
  const types = await layer.types(edges.flatMap(({ from, to }) => [from, to]));
  const far = await layer.adjacency(
    edges.flatMap(({ type: edgeType, from, to }) => [
      { node: to, edgeType, direction: 'in' } as const,
      { node: from, edgeType, direction: 'out' } as const,
    ]),
  );
  return edges.flatMap(({ type: archetype, from, to, seq, undirected, props }, at) => {
    const [source, target] = [from, to].map(
      (id, end) => types[at * 2 + end] ?? far[at * 2 + end]?.find((entry) => entry.far === id)?.farType,
    );
    if (source === undefined || target === undefined) return [];
    return [{ type: 'edge', archetype, from, to, seq, ends: [source, target], undirected, props }];
  });
}

/** A line of an archive: those of a backup, and what was deleted later. */
const ArchiveLine = z.discriminatedUnion('type', [
  ...BackupLine.options,
  z.object({ type: z.literal('gone'), id: z.string() }),
  BackupLine.options[2]
    .pick({ archetype: true, from: true, to: true, seq: true })
    .extend({ type: z.literal('cut') }),
]);

/**
 * The lines of an archive, to which earlier versions appended with every commit: each event once, and the nodes and edges
 * that were not deleted. Damaged lines are left out; there are none where there is no folder.
 */
export async function* archiveLines(folder: string): AsyncGenerator<BackupLine[]> {
  const lines = new Map<string, BackupLine>();
  for (const { name } of entriesOf(folder).filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl')))
    for (const written of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const line = archiveLine(written);
      if (line === null) continue;
      const key = 'seq' in line ? JSON.stringify([line.archetype, line.from, line.to, line.seq]) : line.id;
      if (line.type === 'gone' || line.type === 'cut') lines.delete(key);
      else lines.set(line.type === 'event' ? `event ${key}` : key, line);
    }
  yield [...lines.values()];
}

function archiveLine(written: string): z.infer<typeof ArchiveLine> | null {
  try {
    return ArchiveLine.safeParse(JSON.parse(written)).data ?? null;
  } catch {
    return null;
  }
}

/** Lines of one place, and where those are counted that no place before it had. */
interface LineSource {
  readonly lines: AsyncIterable<readonly BackupLine[]>;
  readonly fresh?: BackupCounts;
}

/** Lines of several sources as those of one: of what several have, the first one's. */
export async function* mergedLines(sources: readonly LineSource[]): AsyncGenerator<readonly BackupLine[]> {
  const known = new Set<string>();
  for (const [at, { lines, fresh }] of sources.entries()) {
    const own: string[] = [];
    for await (const page of lines) {
      const unknown = page.filter((line) => !known.has(keyOf(line)));
      if (fresh) for (const line of unknown) countLine(fresh, line);
      // One source may have several edges of a type between two nodes.
      if (at + 1 < sources.length) for (const line of unknown) own.push(keyOf(line));
      yield unknown;
    }
    for (const key of own) known.add(key);
  }
}

/** Without an edge's number: a layer that was rebuilt numbers its edges again. */
function keyOf(line: BackupLine): string {
  if (line.type !== 'edge') return `${line.type}\0${line.id}`;
  const ends = line.undirected ? [line.from, line.to].sort() : [line.from, line.to];
  return `edge\0${line.archetype}\0${ends.join('\0')}`;
}
