import { storeAttempts } from '../../graphs/trace/index.js';
import { compareText, type NodeRef, type NodeType, type WriteContext } from '../../runtime/index.js';
import {
  AddedConcept,
  Concept,
  grouped,
  LIMITS,
  parseId,
  Task,
  TaskRelatedToConcept,
  TraceCursor,
  TraceEvent,
} from '../../schema/index.js';
import { NamedConcepts } from '../concept-words.js';
import { type Assigned, TaskAssignment } from './assigned-task.js';
import { addEvent, isLate } from './fold.js';
import { compareKeys, FoldState } from './fold-state.js';
import { type Folded, keepState, placeSteps, storedTrace } from './kept-fold.js';
import type { NewEvent } from './new-event.js';
import { deniedBy, type PlacedEvent, type Placement } from './placed-events.js';
import { cursorId, type RecordContext } from './record-context.js';
import { refold } from './refold.js';
import { TaskDraft } from './task-draft.js';
import { writeDraft } from './write-draft.js';

type Relating = Pick<WriteContext, 'findIds' | 'nodesOf' | 'q' | 'connectAll' | 'del'>;

type EventRef = NodeRef<typeof TraceEvent>;

/** Where an event went. */
export interface Recorded extends Placement {
  readonly task: string;
  /** Whether it opened the task: the one that it names was not known, or it named none. */
  readonly opened: boolean;
}

/** How events are recorded. */
export interface RecordOptions {
  /** Whether prompts are looked through for names of concepts. Default true. */
  readonly relate?: boolean;
}

/** An event on its way: what was decided of it. */
interface Arriving {
  readonly event: NewEvent;
  readonly assigned: Assigned;
  ref: EventRef | null;
  placement: Placement;
}

const NOWHERE: Placement = { step: null, tool: null };

/**
 * Records events, whatever their order: the graph after it depends on which events there are, not on how they came
 * (C-02). Those that are there already are left as they are. A task is written once, however many events it gets: at
 * its end in a few look-ups, however long it is; where one comes late by folding all its events again.
 *
 * @param events Each id once; none is in the graph but for those of `made`.
 * @param made Nodes that some of the events have already, by their ids.
 * @returns where each went, by its id.
 */
export async function recordEvents(
  events: readonly NewEvent[],
  context: RecordContext,
  { relate = true }: RecordOptions = {},
  made: ReadonlyMap<string, EventRef> = new Map(),
): Promise<ReadonlyMap<string, Recorded>> {
  const inOrder = [...events].sort((a, b) => compareKeys([a.at, a.id], [b.at, b.id]));
  const arriving: Arriving[] = [];
  const assignment = new TaskAssignment(context, () => makeNodes(arriving, context));
  await assignment.load(inOrder.flatMap(({ session }) => session ?? []));
  const robbed = new Set<string>();
  const again = new Set<string>();
  for (const event of inOrder) {
    const assigned = await assignment.assign(event);
    for (const task of assigned.robbed) robbed.add(task);
    if (assigned.robbed.length > 0) again.add(assigned.task);
    arriving.push({ event, assigned, ref: null, placement: NOWHERE });
    const ref = made.get(event.id);
    if (ref) giveNode(arriving.at(-1), ref, context);
  }
  await assignment.save();
  // A late beginning may have taken it meanwhile.
  const byTask = grouped(arriving, ({ ref, assigned }) => ref?.task ?? assigned.task);
  const known = await knownTasks(byTask.keys(), context);
  const folded = await foldAll(byTask, { robbed, again, known }, context);
  await makeNodes(arriving, context);
  for (const { draft } of folded) await writeDraft(draft, context);
  await keepState(folded, context);
  const prompted = new Set<string>();
  for (const { task, draft } of folded) {
    const mine = byTask.get(task) ?? [];
    if (mine.some(({ event }) => event.fact.kind === 'task_start')) prompted.add(task);
    const stepped = mine.some(({ event }) => event.fact.kind === 'step');
    const failures = draft.failures();
    const settled = [...draft.steps].filter(
      ([id, { ended_at }]) => ended_at !== null || stepped || (failures.get(id) ?? []).length > 0,
    );
    await placeSteps(
      draft,
      settled.map(([id]) => id),
      false,
      context,
    );
  }
  // Those that lost events first: with these goes what the events had made there, before it is made in its place.
  for (const tasks of [robbed, again])
    for (const task of [...tasks].sort(compareText)) if (await refold(task, context)) prompted.add(task);
  await storeAttempts([...byTask.keys(), ...robbed, ...again], context);
  if (relate) await relateTasks([...prompted].sort(compareText), context);
  return new Map(
    arriving.map(({ event, assigned: { opens }, ref, placement }) => {
      const task = ref?.task ?? '';
      const { step, tool } = ref ?? placement;
      const opened = opens && !known.has(task);
      if (opened) known.add(task);
      return [event.id, { task, step, tool, opened }];
    }),
  );
}

/** Folds what every task got into what it has; tasks of which an event is late go to `again`. */
async function foldAll(
  byTask: ReadonlyMap<string, readonly Arriving[]>,
  {
    robbed,
    again,
    known,
  }: {
    readonly robbed: ReadonlySet<string>;
    readonly again: Set<string>;
    readonly known: ReadonlySet<string>;
  },
  context: RecordContext,
): Promise<Folded[]> {
  for (const task of byTask.keys()) if (robbed.has(task)) again.add(task);
  const tasks = [...byTask.keys()].filter((task) => !again.has(task));
  const cursors = await context.nodesOf(TraceCursor, tasks.map(cursorId));
  const stored = storedTrace(context);
  const folded: Folded[] = [];
  for (const [at, task] of tasks.entries()) {
    const cursor = cursors[at];
    const { data: state } = FoldState.safeParse(cursor?.state ?? {});
    // What events made of it cannot be read any more.
    const isLost = cursor !== undefined && !cursor.gone && !known.has(task);
    if (state === undefined || isLost) {
      again.add(task);
      continue;
    }
    const mine = byTask.get(task) ?? [];
    const draft = new TaskDraft(stored, deniedBy(mine.map(placedOf)));
    if (await fold(state, draft, mine)) folded.push({ task, state, draft });
    else again.add(task);
  }
  return folded;
}

/** Whether all of them could be added. */
async function fold(state: FoldState, draft: TaskDraft, arriving: readonly Arriving[]): Promise<boolean> {
  for (const one of arriving) {
    const placed = placedOf(one);
    if (isLate(state, placed)) return false;
    const { placement, unsettled } = await addEvent(state, placed, draft);
    if (unsettled) return false;
    one.placement = placement;
  }
  return true;
}

function placedOf({ event, assigned: { task, at, session } }: Arriving): PlacedEvent {
  const { id, stepName, toolName, fact } = event;
  return { id, task, at, bySession: session !== null, stepName, toolName, fact };
}

/** Makes the nodes of those events that have none, with what is known of them. */
async function makeNodes(arriving: readonly Arriving[], context: RecordContext): Promise<void> {
  for (const one of arriving)
    if (one.ref && (one.ref.step !== one.placement.step || one.ref.tool !== one.placement.tool))
      context.set<typeof TraceEvent>(one.ref, one.placement);
  const without = arriving.filter(({ ref }) => ref === null);
  const refs = await context.createAll(
    without.map((one) => TraceEvent({ ...propsOf(one) }, { id: one.event.id })),
  );
  for (const [at, one] of without.entries()) one.ref = refs[at] ?? null;
}

function giveNode(one: Arriving | undefined, ref: EventRef, context: RecordContext): void {
  if (one === undefined) return;
  context.set<typeof TraceEvent>(ref, propsOf(one));
  one.ref = ref;
}

function propsOf({ event, assigned: { task, at, session, begins }, placement }: Arriving) {
  const { stepName: step_name, toolName: tool_name, fact } = event;
  return { kind: fact.kind, fact, at, step_name, tool_name, task, session, begins, ...placement };
}

async function knownTasks(tasks: Iterable<string>, { nodesOf }: RecordContext): Promise<Set<string>> {
  const found = await nodesOf(Task, [...tasks]);
  return new Set(found.flatMap(({ id, gone }) => (gone ? [] : [id])));
}

async function relateTasks(ids: readonly string[], context: RecordContext): Promise<void> {
  const tasks = (await context.nodesOf(Task, ids)).filter(({ gone }) => !gone);
  if (tasks.length > 0) await relateConcepts(tasks, context);
}

/**
 * Joins tasks to the concepts that their prompts name: those that are there when a prompt comes. A concept that
 * is added later is joined when it is added; what indexing finds later is not.
 */
async function relateConcepts(tasks: readonly NodeRef<typeof Task>[], context: Relating): Promise<void> {
  const all: { readonly type: typeof Concept | typeof AddedConcept; readonly id: string }[] = [];
  for (const type of [Concept, AddedConcept])
    for (const id of await context.findIds(type)) all.push({ type, id });
  for (const task of tasks) {
    const prompt = new NamedConcepts(task.user_prompt);
    const named = all.filter(({ id }) => prompt.names(parseId(id)?.name ?? ''));
    const wanted = [...new Map(named.map((concept) => [concept.id, concept])).values()]
      .sort((a, b) => compareText(a.id, b.id))
      .slice(0, LIMITS.taskConcepts.max);
    const ids = new Set(wanted.map(({ id }) => id));
    const edges = await context.q(task).out(TaskRelatedToConcept).edges();
    await context.del(edges.filter(({ to, derived }) => derived && !ids.has(to)));
    const concepts = await Promise.all(wanted.map(({ type, id }) => context.nodesOf<NodeType>(type, [id])));
    context.connectAll(concepts.flat().map((to) => ({ from: task, to, edge: TaskRelatedToConcept() })));
  }
}
