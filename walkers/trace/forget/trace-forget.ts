import { z } from 'zod';
import {
  compareText,
  defineWalker,
  type NodeRef,
  type NodeType,
  Root,
  type WriteContext,
} from '../../../runtime/index.js';
import {
  CheckpointNode,
  CodewalkError,
  fileId,
  type Memory,
  Task,
  TaskHasStep,
  TaskRelatedToConcept,
  TraceError,
  TraceEvent,
} from '../../../schema/index.js';
import { forgetVectors } from '../../../search/index.js';
import { idsOfMemory, removeMemories } from '../../memory/remove-memories.js';
import { keepAttempts } from '../attempts/stored/keep-attempts.js';
import { traceId } from '../event-ids.js';
import type { RecordContext } from '../record-context.js';
import { refold } from '../refold.js';
import { type Choice, chosenEvents, type EventRef, taskNamed } from './chosen-events.js';
import { chosenMemories } from './chosen-memories.js';
import { namedSession } from './named-session.js';
import { settleSessions } from './settle-sessions.js';

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
        await removeMemories(context, memories);
        await forgetEvents(events, tasks, context);
      }
      state.output = {
        session: session ?? null,
        events: [...ids].sort(compareText),
        tasks: tasks.filter((task) => !left.get(task)),
        changed: tasks.filter((task) => left.get(task)),
        memories: memories.map(({ id }) => id),
        memory_versions: memories.flatMap((memory) => idsOfMemory(memory).slice(1)),
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
): Promise<NodeRef<typeof Memory>[]> {
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
    const hasPrompt = await refold(task, context);
    if (!hasPrompt) await unrelate(task, context);
  }
  await keepAttempts(changed, context, { whole: true });
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
