import { z } from 'zod';
import {
  compareText,
  type EdgeRef,
  type NodeRef,
  type Slot,
  type WriteContext,
} from '../../runtime/index.js';
import {
  AddedConcept,
  CodewalkError,
  Concept,
  type EdgeDraft,
  ErrorResolvedByStep,
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
  ToolTouchesFile,
  ToolTouchesSymbol,
  TraceCursor,
  TraceEvent,
} from '../../schema/index.js';
import { storeAttempts } from './attempts/store.js';
import {
  compareKeys,
  deliveredCursorId,
  EventKey,
  Fact,
  type NewEvent,
  placesIn,
  type ReportedEvent,
  readEvent,
  sessionCursorId,
  traceId,
} from './event.js';
import { NamedConcepts } from './named-concepts.js';
import { linkKey, type Placement, TaskFold } from './task-fold.js';

/** What recording needs of a run's context. */
export type RecordContext = WriteContext;

/** Where an event was recorded. */
export interface Recorded extends Placement {
  readonly task: string;
  /** Whether it opened the task: the one that it names was not known, or it named none. */
  readonly opened: boolean;
}

/**
 * Records events; the graph depends on which events there are, not on their order. A task whose fold is not
 * in memory, or that has later events, is folded again.
 * @param events Each id once; none is stored yet.
 * @param options.relate Whether prompts are related to the concepts that they name.
 */
export async function recordEvents(
  events: readonly NewEvent[],
  context: WriteContext,
  { relate = true }: { readonly relate?: boolean } = {},
): Promise<Recorded[]> {
  const drafts = events.map(({ id, at, step_name, tool_name, fact }) => {
    const props = { kind: fact.kind, fact, at, step_name, tool_name, task: '' };
    return TraceEvent(props, id === null ? {} : { id });
  });
  const refs = await context.createAll(drafts);
  const arriving = events.map((event, at) => ({ event, ref: refs[at] as EventRef, opens: false }));
  const folds = new Map<string, TaskFold | null>();
  const foldOf = async (task: string) => {
    const fold = folds.has(task) ? folds.get(task) : await cachedFold(task, context);
    folds.set(task, fold ?? null);
    return fold ?? null;
  };
  const lastOf = async (task: string) => {
    const last = (await foldOf(task))?.last;
    return last ? last[0] : ((await context.find(TraceEvent, { task })).sort(inOrder).at(-1)?.at ?? 0);
  };
  const ordered = [...arriving].sort((a, b) => inOrder(a.ref, b.ref));
  const { lost, got } = await assignTasks(ordered, context, lastOf);
  const byTask = grouped(ordered, ({ ref }) => ref.task);
  const found = await context.nodesOf(Task, [...byTask.keys()]);
  const known = new Set(found.flatMap(({ id, gone }) => (gone ? [] : [id])));
  const written: TaskFold[] = [];
  const again = new Set([...lost, ...got]);
  for (const [task, mine] of byTask) {
    const fold = again.has(task) ? null : await foldOf(task);
    const isAdded = fold && mine.every(({ event: { fact }, ref }) => place(fold, ref, fact, context));
    if (!isAdded) again.add(task);
    else written.push(await write(fold.settled(), { nodes: [], edges: [] }, context));
  }
  // Tasks that lost events come first: what these had made there goes before it is made in its new place.
  const first = (task: string) => Number(lost.has(task));
  for (const task of [...again].sort((a, b) => first(b) - first(a) || compareText(a, b)))
    written.push(await refold(task, context));
  const cache = context.cached(FOLDS);
  for (const fold of written) cache.set(fold.id, fold);
  for (const [oldest] of cache) if (cache.size > MOST_FOLDS) cache.delete(oldest);
  await storeAttempts([...byTask.keys(), ...again], context);
  const prompted = ordered.filter(({ event }) => relate && event.fact.kind === 'task_start');
  await relateConcepts([...new Set(prompted.map(({ ref }) => ref.task))], context);
  // Of several events that open a task it is the first.
  const opened = new Map(
    ordered.flatMap(({ opens, ref }) => (opens ? [[ref.task, ref] as const] : [])).reverse(),
  );
  return arriving.map(({ ref }) => {
    const { task, step, tool } = ref;
    return { task, step, tool, opened: !known.has(task) && opened.get(task) === ref };
  });
}

/** Adds a stored event to the fold of its task, and stores its place; false where it comes too late for that. */
function place(fold: TaskFold, ref: EventRef, fact: Fact, { set }: Pick<WriteContext, 'set'>): boolean {
  const { id, at, session, step_name, tool_name } = ref;
  const placement = fold.add({ id, at, session, step_name, tool_name, fact });
  if (placement && (ref.step !== placement.step || ref.tool !== placement.tool))
    set<typeof TraceEvent>(ref, placement);
  return placement !== null;
}

/** Makes a task from all its stored events, and removes what they no longer make. @returns Its fold. */
export async function refold(task: string, context: WriteContext): Promise<TaskFold> {
  context.cached(FOLDS).delete(task);
  const fold = new TaskFold(task);
  const events: EventRef[] = await context.find(TraceEvent, { task });
  for (const event of events.sort(inOrder)) {
    const { data: fact } = Fact.safeParse(event.fact);
    if (fact) place(fold, event, fact, context);
  }
  const steps = context.q(task).out(TaskHasStep);
  const [tools, errors] = [steps.out(StepInvokesTool), steps.out(StepHasError)];
  const known = (await context.nodesOf(Task, [task])).filter(({ gone }) => !gone);
  const nodes: NodeRef[] = [...known, ...(await steps), ...(await tools)];
  const edges: EdgeRef[] = [];
  const touched = [tools.out(ToolTouchesFile), tools.out(ToolTouchesSymbol)];
  const concluded = [errors.out(ErrorResolvedByStep), steps.out(StepDependsOnStep)];
  for (const path of [steps, tools, errors, steps.out(StepHasCheckpoint), ...touched, ...concluded])
    for (const edge of await path.edges()) edges.push(edge);
  return write(fold.settled(), { nodes, edges }, context);
}

/** Writes what changed in a fold. @param before What is stored of the task and may be no part of it any more. */
async function write(
  fold: TaskFold,
  before: { readonly nodes: readonly NodeRef[]; readonly edges: readonly EdgeRef[] },
  { createAll, connectAll, del, nodesOf, q }: WriteContext,
): Promise<TaskFold> {
  const { nodes, links, changed } = fold;
  const keyOf = ({ archetype, from, to }: EdgeRef) => linkKey(archetype, from, to);
  const edges = new Map(before.edges.map((edge) => [keyOf(edge), edge]));
  const lost = [...changed].filter((key) => key.includes('\0') && !links.has(key));
  const sources = q(lost.map((key) => key.split('\0')[1] ?? ''));
  for (const type of lost.length > 0 ? [ErrorResolvedByStep, StepDependsOnStep] : [])
    for (const edge of await sources.out(type).edges()) edges.set(keyOf(edge), edge);
  await del([...edges].flatMap(([key, edge]) => (links.has(key) ? [] : [edge])));
  await del(before.nodes.filter(({ id }) => !nodes.has(id)));
  const drafts = [...changed].flatMap((id) => nodes.get(id) ?? []);
  // What the fold changes later must not change in the graph before it is written.
  await createAll(drafts.map((draft) => ({ ...draft, props: { ...draft.props } })));
  const fresh = [...changed].filter(
    (key) => !edges.has(key) || links.get(key)?.edge.archetype === TaskHasStep,
  );
  changed.clear();
  const written = fresh.flatMap((key) => links.get(key) ?? []);
  for (const [type, some] of grouped(written, ({ edge }) => edge.archetype)) {
    // The code graph need not know a touched file: a stub stands for it.
    const [from, to] = [some.map((link) => link.from), some.map((link) => link.to)];
    const starts = await nodesOf<NodeType>(type.from ?? Step, from);
    const ends = await nodesOf<NodeType>(type.to ?? Step, to);
    const pairs = some.map(({ edge }, at) => ({ from: starts[at], to: ends[at], edge }));
    connectAll(pairs as { from: NodeRef; to: NodeRef; edge: EdgeDraft }[]);
  }
  return fold;
}

/** Folds of recent tasks, in memory while a graph is open. Each holds its last event, a proof that its commit succeeded. */
const FOLDS: Slot<Map<string, TaskFold>> = { name: 'folds of tasks', make: () => new Map() };
const MOST_FOLDS = 16;

/** The cached fold of a task. It leaves the cache: a run that fails must not leave it there. */
async function cachedFold(task: string, { cached, nodes }: WriteContext): Promise<TaskFold | null> {
  const fold = cached(FOLDS).get(task);
  cached(FOLDS).delete(task);
  if (!fold?.last) return null;
  const stored = await nodes([fold.last[1], task]);
  return stored.includes(undefined) ? null : fold;
}

async function relateConcepts(ids: readonly string[], context: WriteContext): Promise<void> {
  const tasks = (await context.nodesOf(Task, ids)).filter(({ gone }) => !gone);
  if (tasks.length === 0) return;
  const all = [...(await context.findIds(Concept)), ...(await context.findIds(AddedConcept))];
  for (const task of tasks) {
    const prompt = new NamedConcepts(task.user_prompt);
    const named = new Set(all.filter((id) => prompt.names(parseId(id)?.name ?? '')));
    const wanted = [...named].sort(compareText).slice(0, LIMITS.taskConcepts.max);
    const edges = await context.q(task).out(TaskRelatedToConcept).edges();
    await context.del(edges.filter(({ to, derived }) => derived && !wanted.includes(to)));
    const concepts = (await context.nodes(wanted)).filter((concept) => concept !== undefined);
    context.connectAll(concepts.map((to) => ({ from: task, to, edge: TaskRelatedToConcept() })));
  }
}

/** The result of ingesting one event. A refused one does not fit; nothing of it is recorded. */
export type Ingested =
  | {
      readonly outcome: 'recorded' | 'known';
      readonly placed: Recorded;
      readonly warnings: readonly string[];
    }
  | { readonly outcome: 'refused'; readonly error: CodewalkError };

/** A reported event, and the time at which it was: milliseconds since 1970, where it says none itself. */
export interface Arrival {
  readonly said: ReportedEvent;
  readonly at: number;
  /** Whether `at` was fixed when the event was recorded, so that it does not depend on other events. */
  readonly timed: boolean;
}

/**
 * Reads and records reported events, each once; one that does not fit is refused by itself.
 * @param finish Completes a fact.
 */
export async function ingest(
  arrivals: readonly Arrival[],
  context: WriteContext & { readonly projectRoot: string | null },
  finish: (fact: NewEvent['fact'], payload: unknown) => Promise<NewEvent['fact']>,
): Promise<Ingested[]> {
  const placeOf = placesIn(context.projectRoot);
  const fresh: NewEvent[] = [];
  const indexes = new Map<string | null, number>();
  type Result = (recorded: readonly Recorded[]) => Ingested;
  const read = async ({ said, at, timed }: Arrival): Promise<Result> => {
    const { event, warnings } = readEvent(said, { placeOf, now: at });
    const { id, given } = event;
    const [before] = id === null ? [] : await context.nodesOf(TraceEvent, [id]);
    if (before && !before.gone) {
      const { task, step, tool } = before;
      return () => ({ outcome: 'known', placed: { task, step, tool, opened: false }, warnings });
    }
    const type = given === null ? Task : ((await context.node(given))?.archetype ?? Task);
    if (type.name !== Task.name)
      throw new CodewalkError('INVALID_INPUT', `task_id: '${given}' is a ${type.name}`, { input: given });
    const known = id === null ? undefined : indexes.get(id);
    const index = known ?? fresh.length;
    if (known === undefined) {
      indexes.set(id, index);
      const fact = await finish(event.fact, said.payload);
      fresh.push({ ...event, timed: event.timed || timed, fact });
    }
    const outcome = known === undefined ? 'recorded' : 'known';
    return (recorded) => ({ outcome, placed: recorded[index] as Recorded, warnings });
  };
  const results: Result[] = [];
  for (const arrival of arrivals) results.push(await read(arrival).catch(refused));
  const recorded = await recordEvents(fresh, context);
  return results.map((result) => result(recorded));
}

function refused(error: unknown): () => Ingested {
  if (error instanceof CodewalkError && error.code === 'INVALID_INPUT')
    return () => ({ outcome: 'refused', error });
  throw error;
}

type EventRef = NodeRef<typeof TraceEvent>;

interface Arriving {
  readonly event: NewEvent;
  readonly ref: EventRef;
  /** Whether it names no task, or one that may not be known. */
  opens: boolean;
}

/** The stored state of a session: its last event, and the last one that began a task in it, with that task. */
export const SessionState = z.object({
  last: EventKey.nullable().default(null),
  begun: z.object({ key: EventKey, task: z.string() }).nullable().default(null),
});
export type SessionState = z.infer<typeof SessionState>;

/** The task of events of a session before its first prompt. */
export const promptlessTask = (session: string): string => traceId('task', 'session', session);

/** Reads the state of a cursor node; of a missing or unreadable one the initial state. */
export function cursorState<S>(
  schema: z.ZodType<S>,
  cursor: Pick<NodeRef<typeof TraceCursor>, 'state'> | undefined,
): S {
  return schema.safeParse(cursor?.state ?? {}).data ?? schema.parse({});
}

const keyOf = ({ at, id }: EventRef): EventKey => [at, id];

const inOrder = (a: EventRef, b: EventRef): number => compareKeys(keyOf(a), keyOf(b));

/**
 * Assigns events to tasks, and stores that: the task that an event names, else the one that began last before
 * it in its session, else one of its own. A task whose beginning arrives late takes the events after it.
 * @param events In their order.
 * @returns Tasks that lost events to others, and those that got them.
 */
async function assignTasks(
  events: readonly Arriving[],
  context: WriteContext,
  lastOf: (task: string) => Promise<number>,
): Promise<{ lost: Set<string>; got: Set<string> }> {
  const { nodesOf, set, createAll } = context;
  const sessions = new Map<string, SessionState>();
  const times = new Map<string, number>();
  // In these something arrived that comes before what was there.
  const late = new Set<string>();
  for (const one of events) {
    const { ref, event } = one;
    const { given, session, timed } = event;
    const starts = event.fact.kind === 'task_start';
    let state: SessionState | null = null;
    if (session !== null) {
      const read = async () => (await nodesOf(TraceCursor, [sessionCursorId(session)]))[0];
      state = sessions.get(session) ?? cursorState(SessionState, await read());
      sessions.set(session, state);
    }
    const follows = session !== null && given === null && !starts;
    const before = session === null ? null : (state?.begun?.task ?? promptlessTask(session));
    const task = (follows ? before : given) ?? traceId('task', ref.id);
    let { at } = ref;
    if (!timed) {
      const latest = Math.max(times.get(task) ?? (await lastOf(task)), state?.last?.[0] ?? 0);
      if (latest > 0) at = Math.max(at, latest + 1 / 1024);
    }
    set<typeof TraceEvent>(ref, {
      task,
      at,
      session: follows ? session : null,
      begins: starts ? session : null,
    });
    times.set(task, at);
    one.opens = !starts && !follows;
    if (state === null || session === null) continue;
    const key: EventKey = [at, ref.id];
    const isLast = state.last === null || compareKeys(key, state.last) > 0;
    const isAfterBegun = state.begun === null || compareKeys(key, state.begun.key) > 0;
    if (starts ? !isLast : follows && !isAfterBegun) late.add(session);
    if (starts && isAfterBegun) state.begun = { key, task };
    if (isLast) state.last = key;
  }
  await createAll(
    [...sessions].map(([session, state]) => TraceCursor({ state }, { id: sessionCursorId(session) })),
  );
  const moved = { lost: new Set<string>(), got: new Set<string>() };
  for (const session of late) await reassign(session, context, moved);
  return moved;
}

async function reassign(
  session: string,
  { find, set }: Pick<WriteContext, 'find' | 'set'>,
  { lost, got }: { readonly lost: Set<string>; readonly got: Set<string> },
) {
  const begins = (await find(TraceEvent, { begins: session })).sort(inOrder);
  const follows = await find(TraceEvent, { session });
  for (const event of follows) {
    const begun = begins.findLast((one) => inOrder(one, event) < 0);
    const task = begun?.task ?? promptlessTask(session);
    if (event.task === task) continue;
    lost.add(event.task);
    got.add(task);
    set<typeof TraceEvent>(event, { task });
  }
  return { begins, follows };
}

/** Assigns the remaining events of sessions again after some were forgotten. @returns The tasks that lost or got events. */
export async function settleSessions(
  sessions: Iterable<string>,
  context: WriteContext,
): Promise<Set<string>> {
  const touched = new Set<string>();
  for (const session of sessions) {
    const { begins, follows } = await reassign(session, context, { lost: touched, got: touched });
    const last = [...begins, ...follows].sort(inOrder).at(-1);
    const begun = begins.at(-1);
    const id = sessionCursorId(session);
    if (last) {
      const state = { last: keyOf(last), begun: begun ? { key: keyOf(begun), task: begun.task } : null };
      await context.create(TraceCursor({ state }, { id }));
    } else {
      const known = await context.nodesOf(TraceCursor, [id, deliveredCursorId(session)]);
      await context.del(known.filter(({ gone }) => !gone));
    }
  }
  return touched;
}
