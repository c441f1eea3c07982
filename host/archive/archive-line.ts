import { z } from 'zod';
import {
  CheckpointNode,
  ErrorResolvedByStep,
  Memory,
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
import type { LayerChanges, StoredEdge, StoredNode } from '../../storage/index.js';
import { KeptEvent } from '../../walkers/index.js';

const text = z.string();
const props = z.record(text, z.unknown());

/** What tells one edge from another. */
const address = { archetype: text, from: text, to: text, seq: z.number().int() };

/**
 * One line of an archive: all that making the durable layer again needs. `event`: an event of a trace as it was recorded,
 * normalised, masked and cut. `node`, `edge`: what was written and follows from no event (a concept that a person
 * stated), as it was then; `gone`, `cut`: that it was taken away.
 */
export const ArchiveLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('event'), ...KeptEvent.shape }),
  z.object({ type: z.literal('node'), id: text, archetype: text, props }),
  z.object({ type: z.literal('gone'), id: text }),
  z.object({
    type: z.literal('edge'),
    ...address,
    /** The archetypes of its ends. */
    ends: z.tuple([text, text]),
    undirected: z.boolean(),
    props,
  }),
  z.object({ type: z.literal('cut'), ...address }),
]);
export type ArchiveLine = z.infer<typeof ArchiveLine>;
/** A line of one type. */
export type LineOf<T extends ArchiveLine['type']> = Extract<ArchiveLine, { readonly type: T }>;

/** What events make: it is made again from them. */
const FROM_EVENTS: ReadonlySet<string> = new Set(
  [
    ...[Task, Step, ToolInvocation, CheckpointNode, TraceError, TraceEvent, TraceCursor],
    ...[TaskHasStep, StepInvokesTool, ToolTouchesFile, StepHasCheckpoint, StepHasError],
    ...[ToolTouchesSymbol, ErrorResolvedByStep, StepDependsOnStep, SimilarStep],
  ].map(({ name }) => name),
);

/** Whether nodes or edges of an archetype follow from events. */
export function followsFromEvents(archetype: string): boolean {
  return FROM_EVENTS.has(archetype);
}

/** Whether a memory says what it said, and was only read: no archive grows by what is asked of it. */
function isCountedOnly(before: StoredNode | undefined, after: StoredNode): boolean {
  if (after.type !== Memory.name || before?.type !== after.type) return false;
  const told = ({ usage_count: _, last_accessed: __, ...props }: StoredNode['props']) =>
    JSON.stringify(props);
  return told(before.props) === told(after.props);
}

/** What a commit to the durable layer adds to the archive. */
export function linesOf({ nodes, edges, removedEdges, typeOf }: LayerChanges): ArchiveLine[] {
  const lines: ArchiveLine[] = [];
  for (const { id, before, after } of nodes) {
    if (after?.type === TraceEvent.name) {
      // What changes of an event later follows from the others.
      if (before === undefined) lines.push(eventLine(after));
    } else if (after !== undefined) {
      if (!followsFromEvents(after.type) && !isCountedOnly(before, after)) lines.push(nodeLine(after));
    } else if (before !== undefined && !followsFromEvents(before.type)) lines.push({ type: 'gone', id });
  }
  for (const edge of edges) if (!followsFromEvents(edge.type)) lines.push(edgeLine(edge, typeOf));
  for (const { type: archetype, from, to, seq } of removedEdges)
    if (!followsFromEvents(archetype)) lines.push({ type: 'cut', archetype, from, to, seq });
  return lines;
}

/** The line of a stored event. Its archetype checked it when it was made. */
export function eventLine({ id, props }: StoredNode): LineOf<'event'> {
  const { at, task, session, begins, step_name, tool_name, fact } = props as Omit<KeptEvent, 'id'>;
  return { type: 'event', id, at, task, session, begins, step_name, tool_name, fact };
}

/** The line of a stored node that follows from no event. */
export function nodeLine({ id, type: archetype, props }: StoredNode): LineOf<'node'> {
  return { type: 'node', id, archetype, props };
}

/** The line of a stored edge that follows from no event. */
export function edgeLine(edge: StoredEdge, typeOf: (id: string) => string): LineOf<'edge'> {
  const { type: archetype, from, to, seq, undirected, props } = edge;
  return { type: 'edge', archetype, from, to, seq, ends: [typeOf(from), typeOf(to)], undirected, props };
}
