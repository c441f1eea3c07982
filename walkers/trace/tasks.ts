import { z } from 'zod';
import {
  limitField,
  listAnswer,
  listMarkdown,
  minuteOf,
  pageFields,
  quotedName,
} from '../../present/index.js';
import { defineWalker, type NodeRef } from '../../runtime/index.js';
import { LIMITS, TASK_STATUSES, Task } from '../../schema/index.js';
import { byNewest } from './find-traced.js';
import { countsOf, handleOf, TaskRow, taskRow } from './rows.js';

const { taskRows, lookupTokens } = LIMITS;
const PROMPT = 76;
const STATUS = 'running'.length;
const LIST = {
  at: 'tasks',
  tokens: lookupTokens,
  less: [20, 5, 0].map((to) => ({ field: 'files', what: 'Lists of files', to })),
} as const;

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
    limit: limitField(taskRows).describe('Tasks to list'),
    ...pageFields(lookupTokens),
  },
  output: z.object({
    tasks: z.array(TaskRow),
    total: z.number().int(),
  }),
  examples: [
    { title: 'What was done lately', input: {} },
    { title: 'What went wrong', input: { status: 'failed', limit: 5 } },
  ],
  finish: async ({ state, context }) => {
    const { status, session, client } = state;
    const all = await context.find(Task, status && { status });
    const hits = all
      .filter((task) => session === undefined || task.session_id?.startsWith(session))
      .filter((task) => client === undefined || task.client === client)
      .sort(byNewest);
    const rowsOf = (tasks: readonly NodeRef<typeof Task>[]) =>
      Promise.all(tasks.map((task) => taskRow(task, context)));
    return listAnswer(LIST, { hits, notes: [], isAll: true }, state, rowsOf, ({ total }) => ({ total }));
  },
  markdown: ({ tasks, total }) => {
    const width = Math.max(...tasks.map(({ task_id }) => handleOf(task_id).length));
    const linesOf = (task: TaskRow) => {
      const { task_id, created_at, status, client, prompt } = task;
      const when = `${handleOf(task_id).padEnd(width)}  ${minuteOf(created_at)}  ${status.padEnd(STATUS)}`;
      const by = client === null ? '' : `  ${client}`;
      const asked = prompt === '' ? '(no prompt)' : quotedName(prompt, PROMPT);
      return [`- ${when}  ${countsOf(task)}${by}`, `  ${asked}`];
    };
    const none = 'No task that fits is recorded here.';
    const list = listMarkdown(tasks, ['task', 'tasks', ', newest first'], linesOf, { total, none });
    return tasks.length === 0 ? list : `${list}\n\`codewalk show TASK\` shows one.\n`;
  },
});
