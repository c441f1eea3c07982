import { z } from 'zod';
import { eraseMemories, memoryNamed, type StoredMemory, storedMemories } from '../../graphs/memory/index.js';
import { refold, settleSessions, storeAttempts, storedSession, traceId } from '../../graphs/trace/index.js';
import { shownLine } from '../../present/index.js';
import {
  compareText,
  defineWalker,
  type NodeRef,
  propsOf,
  type ReadContext,
  type WriteContext,
} from '../../runtime/index.js';
import {
  CheckpointNode,
  CodewalkError,
  fileId,
  grouped,
  isRecord,
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
import { findTask } from './find-traced.js';

type EventRef = NodeRef<typeof TraceEvent>;
type Look = Pick<ReadContext, 'find' | 'findIds' | 'nodesOf' | 'q'>;

const MOST_NAMED = 3;

const text = z.string();

const INPUT = {
  task: text.min(1).optional(),
  session: text.min(1).optional(),
  /** Root-relative: what names it, in whatever text. A folder stands for what is beneath it. */
  file: text.min(1).optional(),
  since: z.union([z.number(), text]).optional(),
  /** The id of a memory, or its beginning. It selects no event. */
  memory: text.min(1).optional(),
  dry_run: z.boolean().default(false),
};
type Input = z.infer<z.ZodObject<typeof INPUT>>;

/**
 * Deletes events with all that was made from them: the rest is as if they had never been recorded. The host
 * compacts the store.
 */
export const TraceForget = defineWalker('trace_forget', {
  description: 'Take events out of the traces, with all that was made from them. The host asks for it.',
  access: 'write',
  input: INPUT,
  output: z.object({
    /** The session that was named, by its whole name; null: none was, or there is none such. */
    session: text.nullable(),
    /** Ids of the events that are forgotten. */
    events: z.array(text),
    tasks: z.array(text),
    changed: z.array(text),
    memories: z.array(text),
    memory_versions: z.array(text),
    /** Whether it is known as a file: its name is more than a word that stands in prose. */
    names_file: z.boolean(),
  }),
  finish: async ({ state, context }) => {
    const choice = await choiceOf(state, context);
    const events = state.memory === undefined ? await chosenEvents(choice, context) : [];
    const memories = await chosenMemories(state.memory, choice, context);
    const memoryIds = memories.map(({ id }) => id);
    const ids = new Set(events.map(({ id }) => id));
    const tasks = [...new Set(events.map(({ task }) => task))].sort(compareText);
    const left = new Set<string>();
    for (const task of tasks)
      if ((await context.find(TraceEvent, { task })).some(({ id }) => !ids.has(id))) left.add(task);
    const versions = memories.flatMap((memory) => memory.versions);
    const texts = [...events.map(({ fact }) => fact), ...versions.map(propsOf)];
    const path = state.file ?? '';
    const isNamed = texts.length > 0 && (/[./]/u.test(path) || texts.some(saysPath(path, { alone: true })));
    const isIndexed = state.file !== undefined && (await context.node(fileId(path))) !== undefined;
    if (!state.dry_run) {
      await eraseMemories(context, memoryIds);
      await eraseEvents(events, tasks, context);
      await eraseLateTexts(context);
    }
    return {
      session: choice.session?.name ?? null,
      events: [...ids].sort(compareText),
      tasks: tasks.filter((task) => !left.has(task)),
      changed: [...left],
      memories: memoryIds,
      memory_versions: versions.flatMap((one) => ('memory_id' in one ? one.id : [])),
      names_file: isIndexed || isNamed,
    };
  },
});

/** What is to be forgotten: that to which all of it applies that is not null. */
type Choice = Awaited<ReturnType<typeof choiceOf>>;

async function choiceOf({ task, session, file, since: given }: Input, context: Look) {
  const since = given === undefined ? Number.NEGATIVE_INFINITY : timeOf(given);
  if (since === null)
    throw new CodewalkError('INVALID_INPUT', `since: '${shownLine(String(given), 100)}' is no time`, {
      input: given,
      suggestion:
        "Give a time as '2026-05-01T12:00:00Z' or milliseconds since 1970; on the command line also '30m', '2h' or '7d' ago.",
    });
  return {
    since,
    session: session === undefined ? null : await namedSession(session, context),
    task: task === undefined ? null : (await findTask(context, task)).id,
    file: file ?? null,
    /** Whether the file stands in any text of a value. */
    says: saysPath(file ?? ''),
  };
}

async function namedSession(given: string, { find }: Look) {
  const sessions = [
    ...(await find(TraceEvent)).map(({ task, session, begins }) => ({ task, of: [session, begins] })),
    ...(await find(Task)).map(({ id, session_id }) => ({ task: id, of: [session_id] })),
  ];
  const known = new Set(sessions.flatMap(({ of }) => of).filter((one) => one !== null));
  const stored = storedSession(given);
  const begun = [...known].filter((one) => one.startsWith(given)).sort(compareText);
  const [name, ...others] = known.has(stored) ? [stored] : begun;
  if (others.length > 0) {
    const some = begun.slice(0, MOST_NAMED).map((one) => `'${one}'`);
    throw new CodewalkError('NODE_NOT_FOUND', `session '${given}': ${begun.length} sessions begin so`, {
      input: given,
      suggestion: `Give more of it: ${some.join(', ')}${begun.length > MOST_NAMED ? '…' : ''}`,
    });
  }
  const own = sessions.filter(({ of }) => name !== undefined && of.includes(name));
  /** `name`: as it is stored, undefined: no such session is recorded. `names`: those in memories. */
  return { name, names: new Set([given, name ?? given]), tasks: new Set(own.map(({ task }) => task)) };
}

/** Whether a path stands in any text of a value, keys included. @param options.alone As all of it, or as a part of a path. */
export function saysPath(path: string, { alone = false } = {}): (value: unknown) => boolean {
  // A backslash separates, too; JSON within a text doubles it.
  const literal = path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('/', '(?:/|\\\\{1,4})');
  // A longer name that ends or begins with it is another one, but the last letter of an escape belongs to no name.
  const escaped = String.raw`\\[bfnrt]|\\u[\da-fA-F]{4}|(?:\u001b|\\u001b|\\x1b)\[[\d;]{0,20}m`;
  const [before, after] = alone
    ? ['(?:^|[/\\\\])', '(?:[/\\\\]|$)']
    : [`(?:(?<![\\w-])|(?<=${escaped}))`, '(?![\\w-])'];
  const pattern = new RegExp(`${before}${literal}${after}`, 'u');
  const says = (value: unknown): boolean => {
    if (typeof value === 'string') return pattern.test(value);
    if (Array.isArray(value)) return value.some(says);
    return isRecord(value) && Object.entries(value).flat().some(says);
  };
  return says;
}

async function chosenEvents(choice: Choice, { find }: Look): Promise<EventRef[]> {
  const { since, task, session, file, says } = choice;
  const events = await find(TraceEvent, task === null ? {} : { task });
  return events.filter(
    (event) =>
      event.at >= since &&
      (session === null || session.tasks.has(event.task)) &&
      (file === null || says(event.fact)),
  );
}

async function chosenMemories(
  memory: string | undefined,
  { since, task, session, file, says }: Choice,
  context: Look,
): Promise<StoredMemory[]> {
  const stored = await storedMemories(context);
  const isExact = memory === undefined || stored.some(({ id }) => id === memory);
  const only = isExact ? memory : (await memoryNamed(context, memory)).id;
  const edges = await context
    .q(stored.map(({ id }) => id))
    .out(MemoryAbout)
    .edges();
  const about = grouped(edges, ({ from }) => from);
  type Version = StoredMemory['versions'][number];
  const isSince = (one: Version) => Date.parse('created_at' in one ? one.created_at : one.said_at) >= since;
  const isOfSession = ({ context_session_id: own }: Version) =>
    own !== null && (session?.names.has(own) || session?.names.has(storedSession(own)));
  const isInFile = (id: string) => {
    const path = parseId(id)?.path;
    return path === file || path?.startsWith(`${file}/`);
  };
  return stored.filter(({ id, versions }) => {
    const targets = (about.get(id) ?? []).map(({ to }) => to);
    return (
      (only === undefined || id === only) &&
      versions.every(isSince) &&
      (session === null || versions.some(isOfSession)) &&
      (task === null || targets.includes(task)) &&
      (file === null || targets.some(isInFile) || versions.some((one) => says(propsOf(one))))
    );
  });
}

async function eraseLateTexts({ find, set }: Pick<WriteContext, 'find' | 'set'>): Promise<void> {
  for (const cursor of await find(TraceCursor)) {
    const late = z.object({ late: text }).loose().safeParse(cursor.state).data;
    if (late) set<typeof TraceCursor>(cursor, { state: { ...late, late: null } });
  }
}

async function eraseEvents(
  events: readonly EventRef[],
  tasks: readonly string[],
  context: WriteContext,
): Promise<void> {
  const { q, nodesOf, del } = context;
  const idsOf = (form: 'error' | 'checkpoint') =>
    events.filter(({ kind }) => kind === form).map(({ id }) => traceId(form, id));
  const errors = await nodesOf(TraceError, idsOf('error'));
  const checkpoints = await nodesOf(CheckpointNode, idsOf('checkpoint'));
  await del([...errors, ...checkpoints].filter(({ gone }) => !gone));
  await del([...events]);
  const sessions = new Set(events.flatMap(({ session, begins }) => [session ?? [], begins ?? []].flat()));
  const moved = await settleSessions(sessions, context);
  const changed = [...new Set([...tasks, ...moved])].sort(compareText);
  await forgetVectors(context, [
    ...changed.map((task) => ['Task', task] as const),
    ...(await q(changed).out(TaskHasStep).ids()).map((step) => ['Step', step] as const),
  ]);
  for (const task of changed) {
    const { hasPrompt } = await refold(task, context);
    // What a prompt related its task to goes with it.
    if (!hasPrompt)
      await del((await q(task).out(TaskRelatedToConcept).edges()).filter(({ derived }) => derived));
  }
  await storeAttempts(changed, context, { whole: true });
}
