import { z } from 'zod';
import { compareText, defineWalker, type NodeRef, type ReadContext, Root } from '../../runtime/index.js';
import { CodewalkError, LIMITS, TASK_STATUSES, Task, type TaskStatus } from '../../schema/index.js';
import { stripHidden } from '../shown-text.js';
import { didYouMean } from '../suggestion.js';
import { StepRow, stepRows, TaskRow, taskRow } from './task-rows.js';
import { fitSteps, fitTasks } from './tasks-budget.js';
import { taskMarkdown, tasksMarkdown } from './tasks-markdown.js';

const { taskRows, lookupTokens } = LIMITS;

/** What the tasks are answered as: a list, or one of them. */
const TasksOutput = z.object({
  tasks: z.array(TaskRow),
  /** Tasks that fit, before the limit. */
  total: z.number().int(),
  /** Of the one task that was asked for: what was asked, whole, and its steps. Null: a list. */
  prompt: z.string().nullable(),
  steps: z.array(StepRow).nullable(),
});
type TasksOutput = z.infer<typeof TasksOutput> & { state: { cut: readonly string[] } };

/** Lists what agents were asked for in this project, or shows one task with its steps, tools and errors. */
export const Tasks = defineWalker('tasks', {
  description:
    'List the tasks that agents worked on in this project, newest first; with a task_id, show its steps, tools and errors.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    task_id: z
      .string()
      .min(1)
      .optional()
      .describe('Show this one; its beginning will do')
      .meta({ positional: true }),
    status: z.enum(TASK_STATUSES).optional().describe('Only tasks that stand so'),
    limit: z
      .number()
      .int()
      .min(taskRows.min)
      .max(taskRows.max)
      .default(taskRows.default)
      .describe('Tasks to list'),
    max_tokens: z
      .number()
      .int()
      .min(1)
      .max(lookupTokens.max)
      .default(lookupTokens.default)
      .describe('Budget of the answer'),
  },
  output: TasksOutput,
  state: () => ({ output: null as TasksOutput | null }),
  examples: [
    { title: 'What was done lately', input: {} },
    { title: 'What went wrong', input: { status: 'failed', limit: 5 } },
    { title: 'One task with its steps', input: { task_id: 'task:0uc8nvlsu9cl28nbhji0ug6640' } },
  ],
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state } = context;
      state.output =
        state.task_id === undefined
          ? await listed(state, context)
          : await shown(state.task_id, state.max_tokens, context);
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'the run ended before the tasks were read');
  },
  markdown: ({ tasks, total, prompt, steps }) => {
    const [task] = tasks;
    return steps !== null && prompt !== null && task
      ? taskMarkdown(task, prompt, steps)
      : tasksMarkdown(tasks, total);
  },
});

async function listed(
  { status, limit, max_tokens }: { status?: TaskStatus | undefined; limit: number; max_tokens: number },
  context: ReadContext,
): Promise<TasksOutput> {
  const found = await context.find(Task, status === undefined ? {} : { status });
  const newest = found.sort((a, b) => compareText(b.created_at, a.created_at) || compareText(a.id, b.id));
  const rows = await Promise.all(newest.slice(0, limit).map((task) => taskRow(task, context)));
  const { rows: tasks, cut } = fitTasks(rows, max_tokens);
  const beyond = found.length > limit ? [`${found.length - limit} older tasks: limit gives more.`] : [];
  return {
    tasks: [...tasks],
    total: found.length,
    prompt: null,
    steps: null,
    state: { cut: [...beyond, ...cut] },
  };
}

async function shown(id: string, tokens: number, context: ReadContext): Promise<TasksOutput> {
  const task = await findTask(id, context);
  const [row, all] = [await taskRow(task, context), await stepRows(task, context)];
  const { rows, cut } = fitSteps(all, tokens);
  const head = fitTasks([row], tokens);
  return {
    tasks: [...head.rows],
    total: 1,
    prompt: stripHidden(task.user_prompt),
    steps: [...rows],
    state: { cut: [...cut] },
  };
}

/** The task with this id, or the only one whose id begins so. */
async function findTask(id: string, { nodesOf, findIds }: ReadContext): Promise<NodeRef<typeof Task>> {
  const [exact] = await nodesOf(Task, [id]);
  if (exact && !exact.gone) return exact;
  const near = (await findIds(Task)).filter((one) => one.startsWith(id) || one.startsWith(`task:${id}`));
  const [only] = near.length === 1 ? await nodesOf(Task, near) : [];
  if (only) return only;
  throw new CodewalkError('NODE_NOT_FOUND', `there is no task '${id}'`, {
    input: id,
    suggestion: `${didYouMean(near.slice(0, 3))}'codewalk tasks' lists them.`,
  });
}
