import type { NodeType } from '../../runtime/index.js';
import {
  ErrorResolvedByStep,
  StepDependsOnStep,
  StepHasCheckpoint,
  StepHasError,
  StepInvokesTool,
  Task,
  TaskHasStep,
  ToolTouchesFile,
  ToolTouchesSymbol,
  TraceCursor,
  TraceEvent,
} from '../../schema/index.js';
import { addEvent } from './fold.js';
import { compareKeys, newFold } from './fold-state.js';
import { keepState, placeSteps } from './kept-fold.js';
import { deniedBy, keyOf, placedEvent } from './placed-events.js';
import { cursorId, type RecordContext, toucherId } from './record-context.js';
import { removeFromSimilar } from './similar-steps.js';
import { linkKey, NOTHING_STORED, TaskDraft } from './task-draft.js';
import { writeDraft } from './write-draft.js';

/**
 * Makes a task from all its events, and removes what they no longer make; a task without events goes. Whether its
 * prompt is among them.
 */
export async function refold(task: string, context: RecordContext): Promise<boolean> {
  const events = await context.find(TraceEvent, { task });
  const inOrder = events
    .flatMap((event) => {
      const placed = placedEvent(event);
      return placed === null ? [] : [{ event, placed }];
    })
    .sort((a, b) => compareKeys(keyOf(a.placed), keyOf(b.placed)));
  const state = newFold();
  const draft = new TaskDraft(NOTHING_STORED, deniedBy(inOrder.map(({ placed }) => placed)));
  for (const { event, placed } of inOrder) {
    const { step, tool } = (await addEvent(state, placed, draft)).placement;
    if (event.step !== step || event.tool !== tool) context.set<typeof TraceEvent>(event, { step, tool });
  }
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
  if (!draft.tasks.has(task)) await removeNodes(Task, [task], context);
  if (events.length === 0) {
    await removeNodes(TraceCursor, [cursorId(task)], context);
    return false;
  }
  await writeDraft(draft, context);
  await keepState([{ task, state, draft }], context);
  await placeSteps(draft, [...draft.steps.keys()], true, context);
  return events.some(({ kind }) => kind === 'task_start');
}

/** Which step builds on which, where all events are known: per file, each step on the one before it that touched it. */
async function settle(task: string, draft: TaskDraft): Promise<void> {
  draft.forgetBuilding();
  for (const [id, { files_touched }] of draft.steps)
    for (const path of files_touched) await draft.build(task, id, path);
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
    ...(await tools.out(ToolTouchesSymbol).edges()),
    ...(await steps.out(StepHasCheckpoint).edges()),
    ...(await steps.out(StepHasError).edges()),
    ...(await steps.out(StepHasError).out(ErrorResolvedByStep).edges()),
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
