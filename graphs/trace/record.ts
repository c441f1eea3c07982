import { compareText, type NodeRef, type Slot, type WriteContext } from '../../runtime/index.js';
import {
  AddedConcept,
  CodeSymbol,
  Concept,
  ErrorResolvedByStep,
  File,
  grouped,
  LIMITS,
  type NodeType,
  parseId,
  Step,
  StepDependsOnStep,
  StepHasCheckpoint,
  StepHasError,
  StepInvokesTool,
  Task,
  TaskHasStep,
  TaskRelatedToConcept,
  ToolInvocation,
  ToolTouchesFile,
  ToolTouchesSymbol,
  TraceError,
  TraceEvent,
} from '../../schema/index.js';
import { storeAttempts } from './attempts/index.js';
import { compareKeys, type EventKey, type NewEvent } from './event.js';
import { Fact } from './fact.js';
import { NamedConcepts } from './named-concepts.js';
import { type Assigned, TaskAssignment } from './sessions.js';
import { type Link, type PlacedEvent, type Placement, TaskFold } from './task-fold.js';

/** What recording needs of a run's context. */
export type RecordContext = Pick<
  WriteContext,
  | 'nodes'
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
  | 'blobs'
  | 'version'
  | 'blobsUnder'
  | 'putBlob'
  | 'kept'
>;

type EventRef = NodeRef<typeof TraceEvent>;

/** Where an event was recorded. */
export interface Recorded extends Placement {
  readonly task: string;
  /** Whether it opened the task: the one that it names was not known, or it named none. */
  readonly opened: boolean;
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
 * Records events in whatever order they arrive: the graph depends on which events there are, not on their order
 * (C-02). Events that are stored already must be left out by the caller. A task is written once per call. Where an
 * event comes before others of its task, the task is folded again from all its events.
 *
 * @param events Each id once; none is in the graph but those of `made`.
 * @param options.relate Whether prompts are related to the concepts that they name. Default true.
 * @param made Nodes that some of the events have already, by id.
 * @returns where each event was recorded, by its id.
 */
export async function recordEvents(
  events: readonly NewEvent[],
  context: RecordContext,
  { relate = true }: { readonly relate?: boolean } = {},
  made: ReadonlyMap<string, EventRef> = new Map(),
): Promise<ReadonlyMap<string, Recorded>> {
  const inOrder = [...events].sort((a, b) => compareKeys([a.at, a.id], [b.at, b.id]));
  const arriving: Arriving[] = [];
  const folds = new Folds(context);
  const lastOf = async (task: string) => latest(arriving, task) ?? (await folds.of(task)).last;
  const assignment = new TaskAssignment(context, lastOf, () => makeNodes(arriving, context));
  await assignment.load(inOrder.flatMap(({ session }) => session ?? []));
  const again = new Set<string>();
  for (const event of inOrder) {
    const assigned = await assignment.assign(event);
    for (const task of assigned.robbed) again.add(task);
    if (assigned.robbed.length > 0) again.add(assigned.task);
    const one: Arriving = { event, assigned, ref: made.get(event.id) ?? null, placement: NOWHERE };
    if (one.ref) context.set<typeof TraceEvent>(one.ref, propsOf(one));
    arriving.push(one);
  }
  await assignment.save();
  // A late beginning may have taken an event of this batch meanwhile.
  const byTask = grouped(arriving, ({ ref, assigned }) => ref?.task ?? assigned.task);
  const found = await context.nodesOf(Task, [...byTask.keys()]);
  const known = new Set(found.flatMap(({ id, gone }) => (gone ? [] : [id])));
  const written: TaskFold[] = [];
  for (const [task, mine] of byTask) {
    if (again.has(task)) continue;
    const fold = await folds.of(task);
    const isLost = fold.exists && !known.has(task);
    if (isLost || !addAll(fold, mine)) again.add(task);
    else written.push(fold);
  }
  await makeNodes(arriving, context);
  for (const fold of written) await writeChanges(fold, context);
  // Tasks that lost events come first: what these had made there goes before it is made in its new place.
  const robbed = new Set(arriving.flatMap(({ assigned }) => assigned.robbed));
  for (const task of [...again].sort(
    (a, b) => Number(robbed.has(b)) - Number(robbed.has(a)) || compareText(a, b),
  ))
    written.push(await refold(task, context));
  for (const fold of written) folds.store(fold);
  await storeAttempts([...byTask.keys(), ...again], context);
  if (relate) {
    const prompted = written.filter(
      ({ id, hasPrompt }) =>
        hasPrompt && (again.has(id) || byTask.get(id)?.some(({ event }) => event.fact.kind === 'task_start')),
    );
    await relateConcepts(prompted.map(({ id }) => id).sort(compareText), context);
  }
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

/**
 * Makes a task from all its stored events, and removes what they no longer make. A task without events goes.
 *
 * @returns its fold; `exists` is false where nothing is left.
 */
export async function refold(task: string, context: RecordContext): Promise<TaskFold> {
  const fold = new TaskFold(task);
  for (const { event, placed } of await storedEvents(task, context)) {
    const placement = fold.add(placed);
    if (event.step !== placement.step || event.tool !== placement.tool)
      context.set<typeof TraceEvent>(event, placement);
  }
  fold.settle();
  await removeOthers(fold, context);
  await writeChanges(fold, context);
  context.kept(FOLDS).delete(task);
  return fold;
}

/** Folds of recent tasks, in memory while a graph is open, each with its last event: a proof that its commit succeeded. */
const FOLDS: Slot<Map<string, { readonly fold: TaskFold; readonly proof: string }>> = {
  name: 'folds of tasks',
  make: () => new Map(),
};
const MOST_FOLDS = 16;

class Folds {
  readonly #taken = new Map<string, TaskFold>();

  constructor(private readonly context: RecordContext) {}

  /** The fold of the stored events of a task. It leaves the cache until {@link store}: a run that fails must not leave it there. */
  async of(task: string): Promise<TaskFold> {
    const taken = this.#taken.get(task);
    if (taken) return taken;
    const cache = this.context.kept(FOLDS);
    const cached = cache.get(task);
    cache.delete(task);
    const [proof] = cached ? await this.context.nodesOf(TraceEvent, [cached.proof]) : [];
    const fold = cached && proof && !proof.gone ? cached.fold : await this.#fromEvents(task);
    this.#taken.set(task, fold);
    return fold;
  }

  store(fold: TaskFold): void {
    const cache = this.context.kept(FOLDS);
    const proof = fold.last?.[1];
    if (proof === undefined) return;
    cache.delete(fold.id);
    cache.set(fold.id, { fold, proof });
    for (const [oldest] of cache) if (cache.size > MOST_FOLDS) cache.delete(oldest);
  }

  async #fromEvents(task: string): Promise<TaskFold> {
    const fold = new TaskFold(task);
    for (const { placed } of await storedEvents(task, this.context)) fold.add(placed);
    fold.settle();
    fold.changed.clear();
    return fold;
  }
}

/** Adds events to a fold; false where one comes too late for that. */
function addAll(fold: TaskFold, arriving: readonly Arriving[]): boolean {
  for (const one of arriving) {
    const { event, assigned } = one;
    const { id, stepName, toolName, fact } = event;
    const placed = { id, at: assigned.at, bySession: assigned.session !== null, stepName, toolName, fact };
    if (!fold.isNext(placed)) return false;
    one.placement = fold.add(placed);
  }
  fold.settle();
  return true;
}

function latest(arriving: readonly Arriving[], task: string): EventKey | null {
  const last = arriving.findLast(({ assigned }) => assigned.task === task);
  return last ? [last.assigned.at, last.event.id] : null;
}

/** The readable events of a task in their order. */
async function storedEvents(
  task: string,
  { find }: Pick<RecordContext, 'find'>,
): Promise<{ readonly event: EventRef; readonly placed: PlacedEvent }[]> {
  const events: EventRef[] = await find(TraceEvent, { task });
  return events
    .flatMap((event) => {
      const { data: fact } = Fact.safeParse(event.fact);
      const { id, at, session, step_name, tool_name } = event;
      const names = { stepName: step_name, toolName: tool_name };
      return fact ? [{ event, placed: { id, at, bySession: session !== null, ...names, fact } }] : [];
    })
    .sort((a, b) => compareKeys([a.event.at, a.event.id], [b.event.at, b.event.id]));
}

/** Makes the nodes of those events that have none, and updates the places of the others. */
async function makeNodes(arriving: readonly Arriving[], context: RecordContext): Promise<void> {
  for (const one of arriving)
    if (one.ref && (one.ref.step !== one.placement.step || one.ref.tool !== one.placement.tool))
      context.set<typeof TraceEvent>(one.ref, one.placement);
  const without = arriving.filter(({ ref }) => ref === null);
  const refs = await context.createAll(without.map((one) => TraceEvent(propsOf(one), { id: one.event.id })));
  for (const [at, one] of without.entries()) one.ref = refs[at] ?? null;
}

function propsOf({ event, assigned: { task, at, session, begins }, placement }: Arriving) {
  const { stepName: step_name, toolName: tool_name, fact } = event;
  return { kind: fact.kind, fact, at, step_name, tool_name, task, session, begins, ...placement };
}

/** Writes the nodes and links of a fold that changed. */
async function writeChanges(fold: TaskFold, context: RecordContext): Promise<void> {
  const drafts = [...fold.changed].flatMap((id) => fold.draftOf(id) ?? []);
  const links = [...fold.changed].flatMap((key) => fold.links.get(key) ?? []);
  const gone = [...fold.changed].filter((key) => key.includes('\0') && !fold.links.has(key));
  fold.changed.clear();
  const byId = new Map<string, NodeRef>();
  for (const node of await context.createAll(drafts)) byId.set(node.id, node);
  await nameEnds(links, byId, context);
  context.connectAll(
    links.flatMap(({ from, to, edge }) => {
      const [a, b] = [byId.get(from), byId.get(to)];
      return a && b ? [{ from: a, to: b, edge }] : [];
    }),
  );
  for (const key of gone) {
    const [type = '', from = '', to = ''] = key.split('\0');
    const edge = type === ErrorResolvedByStep.name ? ErrorResolvedByStep : StepDependsOnStep;
    await context.del((await context.q(from).out(edge).edges()).filter((one) => one.to === to));
  }
}

/** Adds the ends of links that the fold did not just write. The code graph need not know a touched file. */
async function nameEnds(
  links: readonly Link[],
  byId: Map<string, NodeRef>,
  { nodesOf }: RecordContext,
): Promise<void> {
  const types = new Map<string, NodeType>();
  for (const { from, to, edge } of links) {
    const [source, target] = ENDS[edge.archetype.name] ?? [Step, Step];
    if (!byId.has(from)) types.set(from, source);
    if (!byId.has(to)) types.set(to, target);
  }
  for (const [type, ids] of grouped([...types.keys()], (id) => types.get(id) ?? Step))
    for (const node of await nodesOf<NodeType>(type, ids)) byId.set(node.id, node);
}

const ENDS: Readonly<Record<string, readonly [NodeType, NodeType]>> = {
  [TaskHasStep.name]: [Task, Step],
  [StepInvokesTool.name]: [Step, ToolInvocation],
  [ToolTouchesFile.name]: [ToolInvocation, File],
  [ToolTouchesSymbol.name]: [ToolInvocation, CodeSymbol],
  [StepHasError.name]: [Step, TraceError],
  [ErrorResolvedByStep.name]: [TraceError, Step],
};

/** Removes nodes and edges of a task that its fold does not have. */
async function removeOthers(fold: TaskFold, { q, del, nodesOf }: RecordContext): Promise<void> {
  const wanted = new Set(fold.nodeIds());
  const steps = q(fold.id).out(TaskHasStep);
  const tools = steps.out(StepInvokesTool);
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
  const nodes = [...(await steps), ...(await tools)].filter(({ id }) => !wanted.has(id));
  await del(edges.filter(({ archetype, from, to }) => !fold.links.has(`${archetype.name}\0${from}\0${to}`)));
  await del(nodes);
  const [task] = await nodesOf(Task, [fold.id]);
  if (!fold.exists && task && !task.gone) await del([task]);
}

/**
 * Relates tasks to the concepts that their prompts name. A concept that is added later is related when it is
 * added; concepts that a later index finds are not.
 */
async function relateConcepts(ids: readonly string[], context: RecordContext): Promise<void> {
  const tasks = (await context.nodesOf(Task, ids)).filter(({ gone }) => !gone);
  if (tasks.length === 0) return;
  const all: { readonly type: typeof Concept | typeof AddedConcept; readonly id: string }[] = [];
  for (const type of [Concept, AddedConcept])
    for (const id of await context.findIds(type)) all.push({ type, id });
  for (const task of tasks) {
    const prompt = new NamedConcepts(task.user_prompt);
    const named = all.filter(({ id }) => prompt.names(parseId(id)?.name ?? ''));
    const wanted = [...new Map(named.map((concept) => [concept.id, concept])).values()]
      .sort((a, b) => compareText(a.id, b.id))
      .slice(0, LIMITS.taskConcepts.max);
    const wantedIds = new Set(wanted.map(({ id }) => id));
    const edges = await context.q(task).out(TaskRelatedToConcept).edges();
    await context.del(edges.filter(({ to, derived }) => derived && !wantedIds.has(to)));
    const concepts = await Promise.all(wanted.map(({ type, id }) => context.nodesOf<NodeType>(type, [id])));
    context.connectAll(concepts.flat().map((to) => ({ from: task, to, edge: TaskRelatedToConcept() })));
  }
}
