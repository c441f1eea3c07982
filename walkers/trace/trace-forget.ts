import { z } from 'zod';
import { eraseMemories, memoryNamed, type StoredMemory, storedMemories } from '../../graphs/memory/index.js';
import {
  compareKeys,
  deliveredCursorId,
  type EventKey,
  promptlessTask,
  type RecordContext,
  refold,
  sessionCursorId,
  storeAttempts,
  storedSession,
  traceId,
} from '../../graphs/trace/index.js';
import { shownLine } from '../../present/index.js';
import {
  compareText,
  defineWalker,
  type NodeRef,
  type NodeType,
  propsOf,
  type ReadContext,
  Root,
  type WriteContext,
} from '../../runtime/index.js';
import {
  append,
  CheckpointNode,
  CodewalkError,
  fileId,
  MemoryAbout,
  parseId,
  Task,
  TaskHasStep,
  TaskRelatedToConcept,
  TraceCursor,
  TraceError,
  TraceEvent,
  timeOf,
} from '../../schema/index.js';
import { forgetVectors } from '../../search/index.js';

/** A kept event. */
type EventRef = NodeRef<typeof TraceEvent>;

/** Which events are meant: those to which all of it applies that is given. */
interface Choice {
  /** A task's id, or its beginning. */
  readonly task?: string | undefined;
  /** As it is kept: all tasks of it. Null: one that there is not. */
  readonly session?: string | null | undefined;
  /** Relative to the root: events that name it, in whatever text. A folder stands for what is beneath it. */
  readonly file?: string | undefined;
  /** ISO 8601, or milliseconds since 1970. */
  readonly since?: string | number | undefined;
}

/**
 * The events that a choice means, in no order.
 *
 * @throws CodewalkError `NODE_NOT_FOUND` for a task that there is not, `INVALID_INPUT` for a time that is none.
 */
async function chosenEvents(choice: Choice, context: RecordContext): Promise<EventRef[]> {
  const { file, session } = choice;
  const since = choice.since === undefined ? Number.NEGATIVE_INFINITY : timeOf(choice.since);
  if (since === null)
    throw new CodewalkError('INVALID_INPUT', `since: '${shownLine(String(choice.since), 100)}' is no time`, {
      input: choice.since,
      suggestion:
        "Give a time as '2026-05-01T12:00:00Z' or milliseconds since 1970; on the command line also '30m', '2h' or '7d' ago.",
    });
  if (session === null) return [];
  const tasks = session === undefined ? null : await tasksOfSession(session, context);
  const names = file === undefined ? () => true : naming(file);
  const events =
    choice.task === undefined
      ? await context.find(TraceEvent)
      : await context.find(TraceEvent, { task: await taskNamed(choice.task, context) });
  return events.filter(
    (event) => event.at >= since && (tasks === null || tasks.has(event.task)) && names(event),
  );
}

/** The task with this id, or the only one whose id begins so. */
async function taskNamed(name: string, { findIds }: RecordContext): Promise<string> {
  const ids = await findIds(Task);
  const found = ids.includes(name) ? [name] : ids.filter((id) => id.startsWith(name));
  const [task] = found;
  if (task !== undefined && found.length === 1) return task;
  const why = found.length === 0 ? 'there is no such task' : `${found.length} tasks begin so`;
  throw new CodewalkError('NODE_NOT_FOUND', `task '${name}': ${why}`, {
    input: name,
    suggestion: "'codewalk tasks' lists them.",
  });
}

async function tasksOfSession(session: string, { find }: RecordContext): Promise<Set<string>> {
  const events = [...(await find(TraceEvent, { session })), ...(await find(TraceEvent, { begins: session }))];
  const tasks = await find(Task, { session_id: session });
  return new Set([...events.map(({ task }) => task), ...tasks.map(({ id }) => id)]);
}

/** Whether an event says a path anywhere: among its files, in a prompt, in parameters, in what a tool printed. */
function naming(path: string): (event: EventRef) => boolean {
  const says = saysPath(path);
  return ({ fact }) => says(fact);
}

/** Tells whether a path stands in any text of a value. @param path Root-relative. */
function saysPath(path: string): (value: unknown) => boolean {
  const literal = path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  // A longer name that ends or begins alike is another one.
  const pattern = new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, 'u');
  return (value) => [...textsOf(value)].some((text) => pattern.test(text.replaceAll('\\', '/')));
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const one of value) yield* textsOf(one);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) {
      yield key;
      yield* textsOf(one);
    }
}

/** Sessions that an error names at most. */
const MOST_NAMED = 3;

type Look = Pick<ReadContext, 'find' | 'findIds' | 'nodesOf' | 'q'>;

/** Which memories are meant: those to which all of it applies that is given. */
interface MemoryChoice extends Choice {
  /** The id of one, or its beginning. */
  readonly memory?: string | undefined;
  /** The session as the caller named it, and as it is kept. */
  readonly sessions: readonly string[] | null;
  /** Ids of the tasks that are meant; null: no task is named. */
  readonly tasks: ReadonlySet<string> | null;
}

const text = z.string();

const ForgetOutput = z.object({
  /** The session that was named, by its whole name; null: none was, or there is none such. */
  session: text.nullable(),
  /** Ids of the events that are forgotten. */
  events: z.array(text),
  /** Ids of the tasks that are gone with them. */
  tasks: z.array(text),
  /** Ids of the tasks of which something is left. */
  changed: z.array(text),
  /** Ids of the memories that are forgotten. */
  memories: z.array(text),
  /** Ids of what these said before. */
  memory_versions: z.array(text),
  /** Whether the code graph has the file that was named. */
  knows_file: z.boolean(),
});

/**
 * Takes events out of the traces, with all that was made from them: what is left is what the other events make, as if
 * these had never been recorded. The bytes stay on disk until the host writes the store anew.
 */
export const TraceForget = defineWalker('trace_forget', {
  description: 'Take events out of the traces, with all that was made from them. The host asks for it.',
  access: 'write',
  input: {
    task: text.min(1).optional(),
    session: text.min(1).optional(),
    file: text.min(1).optional(),
    since: z.union([z.number(), text]).optional(),
    memory: text.min(1).optional(),
    dry_run: z.boolean().default(false),
  },
  output: ForgetOutput,
  state: () => ({ output: null as z.infer<typeof ForgetOutput> | null }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state } = context;
      const session = state.session === undefined ? undefined : await namedSession(state.session, context);
      // A memory is named alone: no event is meant by it.
      const events = state.memory === undefined ? await chosenEvents({ ...state, session }, context) : [];
      const memories = await memoriesMeant(state, session, context);
      const ids = new Set(events.map(({ id }) => id));
      const tasks = [...new Set(events.map(({ task }) => task))].sort(compareText);
      const left = new Map<string, boolean>();
      for (const task of tasks)
        left.set(
          task,
          (await context.find(TraceEvent, { task })).some(({ id }) => !ids.has(id)),
        );
      if (!state.dry_run) {
        await eraseMemories(
          context,
          memories.map(({ id }) => id),
        );
        await forgetEvents(events, tasks, context);
      }
      state.output = {
        session: session ?? null,
        events: [...ids].sort(compareText),
        tasks: tasks.filter((task) => !left.get(task)),
        changed: tasks.filter((task) => left.get(task)),
        memories: memories.map(({ id }) => id),
        memory_versions: memories.flatMap(({ versions }) =>
          versions.flatMap((one) => ('memory_id' in one ? [one.id] : [])),
        ),
        knows_file: state.file !== undefined && (await context.node(fileId(state.file))) !== undefined,
      };
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'the run ended before anything was forgotten');
  },
});

async function memoriesMeant(
  choice: Choice & { readonly memory?: string | undefined },
  session: string | null | undefined,
  context: WriteContext,
): Promise<StoredMemory[]> {
  const { task, session: named } = choice;
  const sessions = named === undefined || named === null ? null : [named, session ?? named];
  const tasks = task === undefined ? null : new Set([await taskNamed(task, context)]);
  return chosenMemories({ ...choice, sessions, tasks }, context);
}

async function forgetEvents(
  events: readonly EventRef[],
  tasks: readonly string[],
  context: WriteContext,
): Promise<void> {
  const sessions = new Set(
    events.flatMap(({ session, begins }) => [session, begins]).filter((one) => one !== null),
  );
  const made = (form: 'error' | 'checkpoint') =>
    events.filter(({ kind }) => kind === form).map(({ id }) => traceId(form, id));
  await remove(TraceError, made('error'), context);
  await remove(CheckpointNode, made('checkpoint'), context);
  await context.del([...events]);
  const moved = await settleSessions(sessions, context);
  const changed = [...new Set([...tasks, ...moved])].sort(compareText);
  await forgetVectors(context, [
    ...changed.map((task) => ['Task', task] as const),
    ...(await context.q(changed).out(TaskHasStep).ids()).map((step) => ['Step', step] as const),
  ]);
  for (const task of changed) {
    const { hasPrompt } = await refold(task, context);
    if (!hasPrompt) await unrelate(task, context);
  }
  await storeAttempts(changed, context, { whole: true });
}

async function remove(
  type: typeof TraceError | typeof CheckpointNode,
  ids: readonly string[],
  { nodesOf, del }: RecordContext,
): Promise<void> {
  await del((await nodesOf<NodeType>(type, ids)).filter(({ gone }) => !gone));
}

/** What a prompt related a task to goes with it. */
async function unrelate(id: string, { nodesOf, q, del }: RecordContext): Promise<void> {
  const [task] = await nodesOf(Task, [id]);
  if (task === undefined || task.gone) return;
  const edges = await q(task).out(TaskRelatedToConcept).edges();
  await del(edges.filter(({ derived }) => derived));
}

/**
 * The memories that a choice means: made in the session, since the time, about the task, about the file or naming it in what
 * they say or said before.
 *
 * @throws CodewalkError `NODE_NOT_FOUND` for a memory that there is not.
 */
async function chosenMemories(choice: MemoryChoice, context: Look): Promise<StoredMemory[]> {
  const { memory, sessions, tasks, file } = choice;
  const since = choice.since === undefined ? Number.NEGATIVE_INFINITY : (timeOf(choice.since) ?? 0);
  const stored = await storedMemories(context);
  const exact = memory === undefined ? stored : stored.filter(({ id }) => id === memory);
  const named = memory !== undefined && exact.length === 0 ? (await memoryNamed(context, memory)).id : null;
  const all = named === null ? exact : stored.filter(({ id }) => id === named);
  const found = all.filter(({ versions }) => {
    const made = versions.map((one) => Date.parse('created_at' in one ? one.created_at : one.said_at));
    const isOfSession = ({ context_session_id: session }: StoredMemory['versions'][number]) =>
      session !== null && isOf(session, sessions ?? []);
    return Math.min(...made) >= since && (sessions === null || versions.some(isOfSession));
  });
  if (tasks === null && file === undefined) return found;
  const targets = await targetsOf(found, context);
  const says = file === undefined ? null : saysPath(file);
  return found.filter((one) => {
    const about = targets.get(one.id) ?? [];
    const ofTask = tasks === null || about.some((id) => tasks.has(id));
    const ofFile =
      file === undefined ||
      about.some((id) => isIn(id, file)) ||
      one.versions.some((version) => says?.(propsOf(version)));
    return ofTask && ofFile;
  });
}

function isOf(session: string, sessions: readonly string[]): boolean {
  return sessions.includes(session) || sessions.includes(storedSession(session));
}

function isIn(id: string, place: string): boolean {
  const path = parseId(id)?.path;
  return path === place || (path?.startsWith(`${place}/`) ?? false);
}

async function targetsOf(memories: readonly StoredMemory[], { q }: Look): Promise<Map<string, string[]>> {
  const ids = memories.map(({ id }) => id);
  const targets = new Map<string, string[]>();
  for (const { from, to } of await q(ids).out(MemoryAbout).edges()) append(targets, from, to);
  return targets;
}

/**
 * The session of this name, else the only one whose name begins so, as it is kept; null: there is none.
 *
 * @throws CodewalkError `NODE_NOT_FOUND` where several begin so.
 */
async function namedSession(name: string, { find }: RecordContext): Promise<string | null> {
  const events = (await find(TraceEvent)).flatMap(({ session, begins }) => [session, begins]);
  const tasks = (await find(Task)).map(({ session_id }) => session_id);
  const known = new Set([...events, ...tasks].filter((one) => typeof one === 'string'));
  const kept = storedSession(name);
  if (known.has(kept)) return kept;
  const [only, ...others] = [...known].filter((one) => one.startsWith(name)).sort(compareText);
  if (only === undefined || others.length === 0) return only ?? null;
  const some = [only, ...others].slice(0, MOST_NAMED).map((one) => `'${one}'`);
  throw new CodewalkError('NODE_NOT_FOUND', `session '${name}': ${others.length + 1} sessions begin so`, {
    input: name,
    suggestion: `Give more of it: ${some.join(', ')}${others.length >= MOST_NAMED ? '…' : ''}`,
  });
}

/**
 * Makes of sessions what their remaining events make of them: an event whose task's beginning is gone follows the one
 * before it, as if that had never been recorded.
 *
 * @returns the tasks that lost or got events by it.
 */
async function settleSessions(sessions: Iterable<string>, context: RecordContext): Promise<Set<string>> {
  const touched = new Set<string>();
  for (const session of sessions) {
    const begins = (await context.find(TraceEvent, { begins: session })).sort(inOrder);
    const follows = await context.find(TraceEvent, { session });
    for (const event of follows) {
      const begun = begins.findLast((one) => inOrder(one, event) < 0);
      const task = begun?.task ?? promptlessTask(session);
      if (event.task === task) continue;
      touched.add(event.task).add(task);
      context.set<typeof TraceEvent>(event, { task });
    }
    await settleCursor(session, [...begins, ...follows].sort(inOrder).at(-1), begins.at(-1), context);
  }
  return touched;
}

async function settleCursor(
  session: string,
  last: EventRef | undefined,
  begun: EventRef | undefined,
  { nodesOf, create, del }: RecordContext,
): Promise<void> {
  const id = sessionCursorId(session);
  if (last === undefined) {
    const known = await nodesOf(TraceCursor, [id, deliveredCursorId(session)]);
    await del(known.filter(({ gone }) => !gone));
    return;
  }
  const state = { last: keyOf(last), begun: begun ? { key: keyOf(begun), task: begun.task } : null };
  await create(TraceCursor({ state }, { id }));
}

function keyOf({ at, id }: EventRef): EventKey {
  return [at, id];
}

function inOrder(a: EventRef, b: EventRef): number {
  return compareKeys(keyOf(a), keyOf(b));
}
