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
import { KeptEvent } from '../../walkers/index.js';

const text = z.string();
const props = z.record(text, z.unknown());

/**
 * One line of a backup. `event`: the record of an event as it is stored, masked and cut; its other fields are checked
 * when it is recorded again. `node`, `edge`: what follows from no event, with the archetypes of an edge's ends.
 */
export const BackupLine = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('event'), id: text, at: z.number(), task: text }),
  z.object({ type: z.literal('node'), id: text, archetype: text, props }),
  z.object({
    type: z.literal('edge'),
    archetype: text,
    from: text,
    to: text,
    seq: z.number().int(),
    ends: z.tuple([text, text]),
    undirected: z.boolean(),
    props,
  }),
]);
export type BackupLine = z.infer<typeof BackupLine>;
/** A line of one type. */
export type LineOf<T extends BackupLine['type']> = Extract<BackupLine, { readonly type: T }>;

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
/** Records that are read at a time. */
const BATCH = 256;

/**
 * The durable layer as lines, in pages: nodes, then events in time order, then edges. Tasks that have no events, as in a
 * damaged store, are nodes with all that belongs to them. Records that cannot be read are left out.
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
  for await (const page of pagesOf(layer, [...orphans])) yield page.map(nodeLine);
  events.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  for await (const page of pagesOf(
    layer,
    events.map(({ id }) => id),
  ))
    yield page.map(eventLine);
  for await (const page of layer.allEdges()) {
    const edges = page.filter(({ type, from }) => !FROM_EVENTS.has(type) || orphans.has(from));
    if (edges.length > 0) yield await edgeLines(layer, edges);
  }
}

async function* pagesOf(layer: LayerReader, ids: readonly string[]): AsyncGenerator<StoredNode[]> {
  for (let at = 0; at < ids.length; at += BATCH)
    yield (await layer.nodes(ids.slice(at, at + BATCH))).filter((node) => node !== undefined);
}

/** Tasks, and the ids of their steps, tools, checkpoints and errors. */
async function withParts(layer: LayerReader, tasks: readonly string[]): Promise<Set<string>> {
  const found = new Set(tasks);
  for (let next = [...tasks]; next.length > 0; ) {
    const requests = next.flatMap((node) =>
      PARTS.map((edgeType) => ({ node, edgeType, direction: 'out' }) as const),
    );
    const far = (await layer.adjacency(requests)).flat().map((entry) => entry.far);
    next = [...new Set(far)].filter((id) => !found.has(id));
    for (const id of next) found.add(id);
  }
  return found;
}

function nodeLine({ id, type: archetype, props }: StoredNode): LineOf<'node'> {
  return { type: 'node', id, archetype, props };
}

function eventLine({ id, props }: StoredNode): LineOf<'event'> {
  const fields = Object.keys(KeptEvent.shape).flatMap((name) =>
    Object.hasOwn(props, name) ? [[name, props[name]] as const] : [],
  );
  return { ...Object.fromEntries(fields), type: 'event', id, at: Number(props.at), task: String(props.task) };
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

/** Lines of one place, and how many of them no place before it had. */
export interface LineSource {
  readonly lines: AsyncIterable<readonly BackupLine[]>;
  readonly fresh: Record<BackupLine['type'], number>;
}

/** Lines of several sources as those of one: of what several have, the first one's. */
export async function* mergedLines(sources: readonly LineSource[]): AsyncGenerator<readonly BackupLine[]> {
  const known = new Set<string>();
  for (const [at, { lines, fresh }] of sources.entries()) {
    const own: string[] = [];
    for await (const page of lines) {
      const unknown = page.filter((line) => !known.has(keyOf(line)));
      for (const line of unknown) fresh[line.type] += 1;
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
