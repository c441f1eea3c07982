import type { NodeIdentity, NodeRef, NodeType, WriteContext } from '../../runtime/index.js';
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
import { relateConcepts } from './related-concepts.js';
import { placeAmongSimilar, removeFromSimilar } from './similar-steps.js';
import { linkKey, NOTHING_STORED, type StoredTrace, TaskDraft } from './task-draft.js';
import { writeDraft } from './write-draft.js';

/** What recording needs of a context. */
export type RecordContext = Pick<
  WriteContext,
  | 'node'
  | 'nodesOf'
  | 'find'
  | 'findIds'
  | 'q'
  | 'create'
  | 'createAll'
  | 'connectAll'
  | 'connect'
  | 'disconnect'
  | 'del'
  | 'set'
>;

/** The id of the node that keeps a task's state of folding. */
export const cursorId = (task: string): string => traceId('cursor', task);

/** The id of the node that keeps which step of a task touched a file last. */
const toucherId = (task: string, path: string): string => traceId('cursor', task, 'file', path);

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
  const { placement, unsettled } = await addEvent(state, placed, draft);
  if (unsettled) return refold(event.task, context);
  await writeDraft(draft, context);
  context.set<typeof TraceEvent>(event, placement);
  await keepState(event.task, state, draft, context);
  if (event.kind === 'task_start') await relateTask(event.task, context);
  const settled = [...draft.steps].filter(
    ([id, { ended_at }]) => ended_at !== null || event.kind === 'step' || draft.failuresOf(id).length > 0,
  );
  for (const [id] of settled) await placeStep(id, draft, false, context);
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
    context.set<typeof TraceEvent>(event, (await addEvent(state, placed, draft)).placement);
  await settle(task, draft);
  const [before] = await context.nodesOf(Task, [task]);
  const left = (before?.files_touched ?? []).filter((path) => !draft.touchers.has(path));
  await removeNodes(
    TraceCursor,
    left.map((path) => toucherId(task, path)),
    context,
  );
  for (const step of await context.q(task).out(TaskHasStep).ids())
    if (!draft.steps.has(step)) await removeFromSimilar(step, context);
  await removeOthers(task, draft, context);
  if (events.length === 0) {
    await removeNodes(TraceCursor, [cursorId(task)], context);
    return removeNodes(Task, [task], context);
  }
  await writeDraft(draft, context);
  await keepState(task, state, draft, context);
  if (events.some(({ kind }) => kind === 'task_start')) await relateTask(task, context);
  for (const step of draft.steps.keys()) await placeStep(step, draft, true, context);
}

/** @param whole Whether the draft has all failures of the step. */
async function placeStep(
  step: string,
  draft: TaskDraft,
  whole: boolean,
  context: RecordContext,
): Promise<void> {
  const { ended_at = null, files_touched = [] } = draft.steps.get(step) ?? {};
  const likeness = {
    step,
    ended: ended_at !== null,
    files: files_touched,
    fingerprints: draft.failuresOf(step),
    whole,
  };
  await placeAmongSimilar(likeness, context);
}

async function relateTask(id: string, context: RecordContext): Promise<void> {
  const [task] = await context.nodesOf(Task, [id]);
  if (task && !task.gone) await relateConcepts(task, context);
}

/** Which step builds on which, where all events are known: per file, each step on the one before it that touched it. */
async function settle(task: string, draft: TaskDraft): Promise<void> {
  draft.forgetBuilding();
  for (const [id, { files_touched }] of draft.steps)
    for (const path of files_touched) await draft.build(task, id, path);
}

async function keepState(
  task: string,
  state: FoldState,
  { touchers }: TaskDraft,
  { createAll }: RecordContext,
): Promise<void> {
  await createAll([
    TraceCursor({ state }, { id: cursorId(task) }),
    ...[...touchers].map(([path, step]) => TraceCursor({ state: { step } }, { id: toucherId(task, path) })),
  ]);
}

async function removeNodes(
  type: typeof TraceCursor | typeof Task,
  ids: readonly string[],
  { nodesOf, del }: RecordContext,
): Promise<void> {
  await del((await nodesOf<NodeType>(type, ids)).filter(({ gone }) => !gone));
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
}

function storedTrace({ nodesOf }: RecordContext): StoredTrace {
  return {
    task: async (id) => copyOf((await nodesOf(Task, [id]))[0]),
    step: async (id) => copyOf((await nodesOf(Step, [id]))[0]),
    tool: async (id) => copyOf((await nodesOf(ToolInvocation, [id]))[0]),
    toucher: async (task, path) => {
      const [known] = await nodesOf(TraceCursor, [toucherId(task, path)]);
      return typeof known?.state.step === 'string' ? known.state.step : undefined;
    },
  };
}

/** The properties of a node, for changing; undefined for a stub. */
function copyOf<R extends NodeIdentity>(ref: R | undefined): Omit<R, keyof NodeIdentity> | undefined {
  if (ref === undefined || ref.gone) return undefined;
  const { id: _, archetype: __, gone: ___, ...props } = ref;
  return props;
}
