import { z } from 'zod';
import { draftBy, pageFields, presented } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { CodewalkError, LIMITS, Task } from '../../schema/index.js';
import { stripHidden } from '../shown-text.js';
import { findTask } from './find-traced.js';
import { TIMELINE_LESS } from './show/fit-timeline.js';
import { showMarkdown } from './show/show-markdown.js';
import { timelineOf } from './show/timeline.js';
import { StepRow } from './show/timeline-rows.js';
import { TaskRow, taskRow } from './tasks/task-row.js';

const { packTokens } = LIMITS;

/** One task, whole. */
const ShowOutput = z.object({
  task: TaskRow,
  /** What was asked. */
  prompt: z.string(),
  /** What the agent said at the end; empty where nothing was told. */
  summary: z.string(),
  steps: z.array(StepRow),
});
type ShowOutput = z.infer<typeof ShowOutput>;

/** Files of a task that are named where there is no room for all. */
const MOST_FILES = 10;
/** What stands above and below the steps. */
const HEAD_LESS = [
  { what: 'Files of the task', shorter: withFewFiles },
  { field: 'prompt', what: 'The prompt' },
  { field: 'summary', what: 'The summary' },
];

function withFewFiles(output: ShowOutput): ShowOutput {
  const { task } = output;
  return { ...output, task: { ...task, files: task.files.slice(0, MOST_FILES) } };
}

/** Shows what happened in one task, by time. */
export const Show = defineWalker('show', {
  description:
    'Show one task as a timeline: its steps, what each tool did, how long and how well, files, errors and what mended them, checkpoints, how it ended.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    task: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe("The task's id or its beginning; default: the newest")
      .meta({ positional: true }),
    ...pageFields(packTokens),
  },
  output: ShowOutput,
  state: () => ({ output: null as ShowOutput | null }),
  examples: [
    { title: 'What happened last', input: {} },
    { title: 'One task, by the beginning of its id', input: { task: 'task:0uc8nvlsu9' } },
  ],
  start: (context) => findTask(context, context.state.task),
  on: (w) => [
    w.entry(Task, async (task, context) => {
      context.state.output = {
        task: await taskRow(task, context),
        prompt: stripHidden(task.user_prompt),
        summary: stripHidden(task.summary),
        steps: await timelineOf(task, context),
      };
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output)
      return presented(
        draftBy(output, {
          limit: packTokens,
          lists: [{ at: 'steps', what: 'steps' }],
          less: [...HEAD_LESS, ...TIMELINE_LESS],
        }),
      );
    throw new CodewalkError('DEADLINE', 'the run ended before the task was read');
  },
  markdown: showMarkdown,
});
