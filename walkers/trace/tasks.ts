import { z } from 'zod';
import { draftBy, offsetsOf, pageFields, plural, presented, quotedName } from '../../present/index.js';
import { compareText, defineWalker, Root } from '../../runtime/index.js';
import { CodewalkError, LIMITS, TASK_STATUSES, Task } from '../../schema/index.js';
import { countsOf, handleOf, minuteOf, TaskRow, taskRow } from './rows.js';

const { taskRows, lookupTokens } = LIMITS;
/** Characters of what was asked, and of the longest status. */
const PROMPT = 76;
const STATUS = 'running'.length;

const TasksOutput = z.object({
  tasks: z.array(TaskRow),
  /** Tasks that fit, before the limit. */
  total: z.number().int(),
});
type TasksOutput = z.infer<typeof TasksOutput>;

/** Lists what agents were asked for in this project. */
export const Tasks = defineWalker('tasks', {
  description:
    "List the tasks that agents worked on in this project, newest first: when, how they ended, what was asked. 'show' has one of them with its steps.",
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    status: z.enum(TASK_STATUSES).optional().describe('Only tasks that stand so'),
    session: z.string().min(1).optional().describe('Only those of this session; its beginning will do'),
    client: z.string().min(1).optional().describe('Only those of this agent: claude, qwen…'),
    limit: z
      .number()
      .int()
      .min(taskRows.min)
      .max(taskRows.max)
      .default(taskRows.default)
      .describe('Tasks to list'),
    ...pageFields(lookupTokens),
  },
  output: TasksOutput,
  state: () => ({ output: null as TasksOutput | null }),
  examples: [
    { title: 'What was done lately', input: {} },
    { title: 'What went wrong', input: { status: 'failed', limit: 5 } },
  ],
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { status, session, client, limit, cursor } = context.state;
      const all = await context.find(Task, status === undefined ? {} : { status });
      const found = all
        .filter((task) => session === undefined || (task.session_id?.startsWith(session) ?? false))
        .filter((task) => client === undefined || task.client === client)
        .sort((a, b) => compareText(b.created_at, a.created_at) || compareText(a.id, b.id));
      const [from = 0] = offsetsOf(cursor);
      const page = found.slice(from, from + limit);
      const tasks = await Promise.all(page.map((task) => taskRow(task, context)));
      context.state.output = { tasks, total: found.length };
    }),
  ],
  finish: ({ state: { output, cursor } }) => {
    const [from = 0] = offsetsOf(cursor);
    if (!output) throw new CodewalkError('DEADLINE', 'the run ended before the tasks were read');
    return presented(
      draftBy(output, {
        limit: lookupTokens,
        lists: [{ at: 'tasks', what: 'tasks', from, total: output.total }],
        less: [20, 5, 0].map((to) => ({ of: 'tasks', field: 'files', what: 'Lists of files', to })),
      }),
    );
  },
  markdown: tasksMarkdown,
});

/** A list of tasks, two lines each, for 80 columns. What was asked is quoted: it is data. */
function tasksMarkdown({ tasks, total }: TasksOutput): string {
  if (tasks.length === 0) return 'No task that fits is recorded here.\n';
  const which = tasks.length < total ? `${tasks.length} of ${plural(total, 'task')}` : plural(total, 'task');
  const handles = tasks.map(({ task_id }) => handleOf(task_id));
  const width = Math.max(...handles.map(({ length }) => length));
  const lines = tasks.flatMap((task, at) => {
    const client = task.client === null ? '' : `  ${task.client}`;
    return [
      `- ${handles[at]?.padEnd(width)}  ${minuteOf(task.created_at)}  ${task.status.padEnd(STATUS)}  ${countsOf(task)}${client}`,
      `  ${task.prompt === '' ? '(no prompt)' : quotedName(task.prompt, PROMPT)}`,
    ];
  });
  return [`## ${which}, newest first`, '', ...lines, '', '`codewalk show TASK` shows one.', ''].join('\n');
}
