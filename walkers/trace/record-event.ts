import type { NodeIdentity, NodeRef, WriteContext } from '../../runtime/index.js';
import {
  Step,
  StepDependsOnStep,
  StepHasCheckpoint,
  StepHasError,
  StepInvokesTool,
  Task,
  TaskHasStep,
  ToolInvocation,
  ToolTouchesFile,
  TraceCursor,
  TraceEvent,
} from '../../schema/index.js';
import { traceId } from './event-ids.js';
import { addEvent, isLate, keyOf } from './fold.js';
import { compareKeys, FoldState, newFold } from './fold-state.js';
import { placedEvent } from './placed-events.js';
import { linkKey, NOTHING_STORED, type StoredTrace, TaskDraft } from './task-draft.js';
import { writeDraft } from './write-draft.js';

/** What recording needs of a context. */
export type RecordContext = Pick<
  WriteContext,
  'node' | 'nodesOf' | 'find' | 'q' | 'create' | 'createAll' | 'connectAll' | 'del' | 'set'
>;

/** The id of the node that keeps a task's state of folding. */
export const cursorId = (task: string): string => traceId('cursor', task);

/**
 * Adds a kept event to its task: at the task's end in a few look-ups, however long the task is; one that comes late
 * by folding the task's events again (C-02).
 */
export async function recordEvent(event: NodeRef<typeof TraceEvent>, context: RecordContext): Promise<void> {
  const [cursor] = await context.nodesOf(TraceCursor, [cursorId(event.task)]);
  const state = cursor === undefined || cursor.gone ? newFold() : FoldState.parse(cursor.state);
  const placed = placedEvent(event);
  if (isLate(state, placed)) return refold(event.task, context);
  const draft = new TaskDraft(storedTrace(context));
  const placement = await addEvent(state, placed, draft);
  await writeDraft(draft, context);
  context.set<typeof TraceEvent>(event, placement);
  await keepState(event.task, state, context);
}

/** Makes a task from all its events, and removes what they no longer make; a task without events goes. */
export async function refold(task: string, context: RecordContext): Promise<void> {
  const events = await context.find(TraceEvent, { task });
  const inOrder = events
    .map((event) => ({ event, placed: placedEvent(event) }))
    .sort((a, b) => compareKeys(keyOf(a.placed), keyOf(b.placed)));
  const state = newFold();
  const draft = new TaskDraft(NOTHING_STORED);
  for (const { event, placed } of inOrder)
    context.set<typeof TraceEvent>(event, await addEvent(state, placed, draft));
  await removeOthers(task, draft, context);
  await writeDraft(draft, context);
  await keepState(task, state, context);
}

async function keepState(task: string, state: FoldState, context: RecordContext): Promise<void> {
  await context.create(TraceCursor({ state }, { id: cursorId(task) }));
}

/** Removes nodes and edges of a task that its draft has not. */
async function removeOthers(task: string, draft: TaskDraft, { q, del }: RecordContext): Promise<void> {
  const wanted = new Set(draft.links.map(({ from, to, edge }) => linkKey(edge.archetype.name, from, to)));
  const steps = q(task).out(TaskHasStep);
  const tools = q(task).out(TaskHasStep).out(StepInvokesTool);
  const edges = [
    ...(await steps.edges()),
    ...(await tools.edges()),
    ...(await tools.out(ToolTouchesFile).edges()),
    ...(await steps.out(StepHasCheckpoint).edges()),
    ...(await steps.out(StepHasError).edges()),
    ...(await steps.out(StepDependsOnStep).edges()),
  ];
  const gone = edges.filter(({ archetype, from, to }) => !wanted.has(linkKey(archetype.name, from, to)));
  const nodes = [
    ...(await steps).filter(({ id }) => !draft.steps.has(id)),
    ...(await tools).filter(({ id }) => !draft.tools.has(id)),
  ];
  await del(gone);
  await del(nodes);
  if (draft.tasks.size === 0)
    await del((await q(task)).filter(({ archetype }) => archetype.name === Task.name));
}

function storedTrace({ nodesOf }: RecordContext): StoredTrace {
  return {
    task: async (id) => copyOf((await nodesOf(Task, [id]))[0]),
    step: async (id) => copyOf((await nodesOf(Step, [id]))[0]),
    tool: async (id) => copyOf((await nodesOf(ToolInvocation, [id]))[0]),
  };
}

/** The properties of a node, for changing; undefined for a stub. */
function copyOf<R extends NodeIdentity>(ref: R | undefined): Omit<R, keyof NodeIdentity> | undefined {
  if (ref === undefined || ref.gone) return undefined;
  const { id: _, archetype: __, gone: ___, ...props } = ref;
  return props;
}
