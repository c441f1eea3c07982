import { z } from 'zod';
import { findNamed, indexProgress, type Named, nameField, unfinishedState } from '../../graphs/code/index.js';
import { memoriesAbout, RememberedRow, rememberedAs } from '../../graphs/memory/index.js';
import {
  draftBy,
  firstLine,
  minuteOf,
  pageFields,
  plural,
  presented,
  quotedName,
} from '../../present/index.js';
import { compareText, defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  fileId,
  LIMITS,
  Memory,
  MemoryAbout,
  parseId,
  StepInvokesTool,
  TASK_STATUSES,
  Task,
  TaskHasStep,
  ToolTouchesFile,
  ToolTouchesSymbol,
  TraceError,
} from '../../schema/index.js';
import { insideOf, isModule } from '../query/targets.js';
import { ErrorGroup, errorGroups } from '../trace/errors.js';
import { byLatest, byNewest, failureKey } from '../trace/find-traced.js';
import { failuresAround, type Touch, touchesOf } from '../trace/touches.js';
import { linkRow } from './code-calls.js';
import { lastOf, once } from './once.js';

/** Rows of each list. */
const MOST_MEMORIES = 50;
const MOST_FAILURES = 20;
const MOST_TASKS = 100;
/** Tasks that are looked at: what they did, and what failed in them. */
const MOST_LOOKED_AT = 300;
/** Characters of a prompt. */
const PROMPT = 200;

const text = z.string();
const count = z.number().int();

/** The ways in which a task may have come to code, what says most first. */
const WAYS = ['changed', 'touched', 'read'] as const;

/** Present where it is of the file of a symbol, and is not known to be of the symbol itself. */
const of_file = z.literal(true).optional();

/** A failure as the list of errors has it; `fixed_by` is its `resolved_by`. */
const HistoryFailure = ErrorGroup.omit({ tasks: true, resolved_by: true }).extend({
  task_ids: z.array(text),
  fixed_by: ErrorGroup.shape.resolved_by,
  of_file,
});
type HistoryFailure = z.infer<typeof HistoryFailure>;

/** A task that came to a symbol or file. */
const HistoryTask = z.object({
  ...{
    task_id: text,
    status: z.enum(TASK_STATUSES),
    created_at: text,
    client: text.nullable(),
    prompt: text,
  },
  /** What it did; `touched`: its tool does not tell what. */
  how: z.enum(WAYS),
  of_file,
});
type HistoryTask = z.infer<typeof HistoryTask>;

/** What `explore_history` answers. */
export const ExploreHistoryOutput = z.object({
  id: text,
  /** About it, what is in it, or its file; `about` says what. */
  memories: z.array(RememberedRow.extend({ of_file })),
  memories_total: count,
  /** What failed in tasks that changed it: what such a change fixed first, then the latest. */
  failures: z.array(HistoryFailure),
  failures_total: count,
  /** Those that came to the symbol itself first, then the newest. */
  tasks: z.array(HistoryTask),
  tasks_total: count,
});
export type ExploreHistoryOutput = z.infer<typeof ExploreHistoryOutput>;

/** What is remembered of a symbol or file, what failed when it was changed, and which tasks came to it. */
export const ExploreHistory = defineWalker('explore_history', {
  description:
    'Memories about a symbol or file, failures of tasks that changed it with what fixed them, and the tasks that changed or read it: for the page of codewalk explore.',
  input: { id: nameField('Name, id, path or path:line'), ...pageFields(LIMITS.exploreTokens) },
  output: ExploreHistoryOutput,
  examples: [{ title: 'What happened to a method', input: { id: 'UserService.login' } }],
  run: async (_here, context) => {
    const progress = unfinishedState(await indexProgress(context));
    const [node] = (await findNamed(context, context.state.id)).targets as [Named];
    const { path } = linkRow(node);
    // A file is touched as a whole, and has more symbols than there are memories.
    const isFile = isModule(node);
    const own = isFile ? [node.id] : (await insideOf(context, [node.id])).ids;
    const about = isFile
      ? await rememberedIn(context, node.path)
      : path === null
        ? own
        : [...own, fileId(path)];
    const memories = await memoriesAbout(context, about, MOST_MEMORIES);
    const read = () => tracedOf(context, path === null ? [] : own, isFile);
    const { failures, tasks, total, cut } = await once(context, TRACED, context.version, read, node.id);
    return presented(
      draftBy(
        {
          id: node.id,
          memories: memories.rows.map((row) => {
            const isOfFile = !isFile && !row.about.some((one) => one !== fileId(path ?? ''));
            return { ...row, ...(isOfFile ? { of_file: true as const } : {}) };
          }),
          memories_total: memories.count,
          ...{ failures: failures.rows, failures_total: failures.total },
          ...{ tasks: tasks.slice(0, MOST_TASKS), tasks_total: total },
          state: { ...progress, cut: [...progress.cut, ...cut] },
        },
        {
          limit: LIMITS.exploreTokens,
          lists: ['failures', 'memories', 'tasks'].map((at) => ({ at, what: at })),
        },
      ),
    );
  },
  markdown: ({ id, memories, memories_total, failures, failures_total, tasks, tasks_total }) => {
    const counts = [
      plural(memories_total, 'memory', 'memories'),
      plural(failures_total, 'failure'),
      plural(tasks_total, 'task'),
    ];
    return [
      `History of ${quotedName(id)}: ${counts.join(', ')}`,
      '',
      ...memories.map((row) => `- ${row.id} (${rememberedAs(row)}): ${quotedName(row.title)}`),
      ...failures.map(
        ({ error_id, message, count: times }) => `- ${error_id}, ${times} times: ${quotedName(message)}`,
      ),
      ...tasks.map(({ task_id, created_at, how, of_file, prompt }) => {
        return `- ${task_id} ${minuteOf(created_at)} ${how}${of_file ? ' its file' : ''}: ${quotedName(prompt)}`;
      }),
      '',
    ].join('\n');
  },
});

/** What is recorded of a symbol or file. */
interface Traced {
  readonly failures: Awaited<ReturnType<typeof failuresOf>>;
  readonly tasks: readonly HistoryTask[];
  /** All tasks that came to it. */
  readonly total: number;
  /** What was not looked at: sentences. */
  readonly cut: readonly string[];
}

/** What was read last: parts of a page ask again while nothing is recorded in between. */
const TRACED = lastOf<Traced>('history of a page');

async function tracedOf(context: ReadContext, own: readonly string[], isFile: boolean): Promise<Traced> {
  const { tools, total } = await newestTools(context, own);
  const touches = await touchesOf(context, own, tools);
  const isOwn = ({ of }: Touch) => of === 'symbol' || isFile;
  const changes = touches.filter((touch) => touch.use === 'write' && (touch.of === 'file' || isOwn(touch)));
  return {
    failures: await failuresOf(context, changes, isOwn),
    tasks: await taskRows(context, touches, isOwn),
    total,
    cut:
      total > MOST_LOOKED_AT
        ? [`Failures are those of the newest ${MOST_LOOKED_AT} of ${total} tasks that came to it.`]
        : [],
  };
}

/** The tools that touched symbols or their files in the newest tasks, those that changed the symbols themselves first; and how many such tasks there are. */
async function newestTools({ q, nodesOf }: ReadContext, ids: readonly string[]) {
  const own = new Set(await q(ids).in(ToolTouchesSymbol).ids());
  const files = [...new Set(ids.map((id) => fileId(parseId(id)?.path ?? '')))];
  const tools = new Set([...own, ...(await q(files).in(ToolTouchesFile).ids())]);
  const steps = q([...tools]).in(StepInvokesTool);
  const owners = new Map((await steps.in(TaskHasStep).edges()).map(({ from, to }) => [to, from]));
  const taskOf = new Map((await steps.edges()).map(({ from, to }) => [to, owners.get(from)]));
  const all = new Set([...taskOf.values()].filter((task) => task !== undefined));
  if (all.size <= MOST_LOOKED_AT) return { tools, total: all.size };
  const changed = new Set([...own].map((tool) => taskOf.get(tool)));
  const isOther = ({ id }: { id: string }) => Number(!changed.has(id));
  const tasks = (await nodesOf(Task, [...all])).sort((a, b) => isOther(a) - isOther(b) || byNewest(a, b));
  const newest = new Set(tasks.slice(0, MOST_LOOKED_AT).map(({ id }) => id));
  return { tools: new Set([...tools].filter((tool) => newest.has(taskOf.get(tool) ?? ''))), total: all.size };
}

/** Ids of a file and of what is or was in it that memories are about. */
async function rememberedIn({ q, findIds }: ReadContext, path: string): Promise<string[]> {
  const about = await q(await findIds(Memory))
    .out(MemoryAbout)
    .edges();
  const ids = about.map(({ to }) => to).filter((id) => parseId(id)?.path === path);
  return [...new Set(ids)].sort(compareText);
}

/** The failures of the tasks that made changes, each with all its errors in the project, as the list of errors has it. */
async function failuresOf(context: ReadContext, changes: readonly Touch[], isOwn: (touch: Touch) => boolean) {
  const keysOf = async (of: readonly Touch[]) => {
    const { errors } = await failuresAround(
      context,
      of.map(({ tool }) => tool),
    );
    return new Map(errors.map((error) => [failureKey(error), error]));
  };
  const ownChanges = changes.filter(isOwn);
  const own = await keysOf(ownChanges);
  const all = ownChanges.length === changes.length ? own : new Map([...own, ...(await keysOf(changes))]);
  const groups: NodeRef<typeof TraceError>[][] = [];
  for (const [key, { fingerprint, error_type }] of [...all].slice(0, MOST_FAILURES)) {
    const found = await context.find(TraceError, fingerprint === null ? { error_type } : { fingerprint });
    groups.push(found.filter((one) => failureKey(one) === key).sort(byLatest));
  }
  const isOfFile = ([latest]: readonly NodeRef<typeof TraceError>[]) =>
    latest && !own.has(failureKey(latest));
  const rows = (await errorGroups(groups, context)).map(
    ({ tasks, resolved_by: fixed_by, ...group }, at): HistoryFailure => ({
      ...group,
      task_ids: tasks.map(({ task_id }) => task_id),
      fixed_by,
      ...(isOfFile(groups[at] ?? []) ? { of_file: true } : {}),
    }),
  );
  return { rows, total: all.size };
}

async function taskRows({ q }: ReadContext, touches: readonly Touch[], isOwn: (touch: Touch) => boolean) {
  const path = q(touches.map(({ tool }) => tool)).in(StepInvokesTool);
  const steps = new Map((await path.edges()).map(({ from, to }) => [to, from]));
  const owners = path.in(TaskHasStep);
  const tasks = new Map((await owners.of(Task)).map((task) => [task.id, task]));
  const taskOf = new Map((await owners.edges()).map(({ from, to }) => [to, from]));
  const found = new Map<string, Way>();
  for (const touch of touches) {
    const task = taskOf.get(steps.get(touch.tool.id) ?? '');
    if (task === undefined) continue;
    const how = touch.use === 'write' ? 'changed' : touch.use === 'read' ? 'read' : 'touched';
    const own = isOwn(touch);
    const known = found.get(task);
    const isMore = !known || rank({ how, own }) < rank(known);
    if (isMore) found.set(task, { how, own });
  }
  const rows = [...found].flatMap(([id, way]) => {
    const task = tasks.get(id);
    return task ? [{ task, ...way }] : [];
  });
  rows.sort((a, b) => Number(b.own) - Number(a.own) || byNewest(a.task, b.task));
  return rows.map(({ task, how, own }): HistoryTask => {
    const { id: task_id, status, created_at, client } = task;
    return {
      ...{ task_id, status, created_at, client },
      prompt: firstLine(task.user_prompt, PROMPT),
      how,
      ...(own ? {} : { of_file: true }),
    };
  });
}

/** How a task came to code, and whether to that itself. */
interface Way {
  readonly how: HistoryTask['how'];
  readonly own: boolean;
}

/** Smaller: says more. */
function rank({ how, own }: Way): number {
  return (own ? 0 : WAYS.length) + WAYS.indexOf(how);
}
