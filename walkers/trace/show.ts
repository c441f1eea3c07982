import { z } from 'zod';
import { cutText, type DetailAt, draftBy, pageFields, presented, stripHidden } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { CodewalkError, LIMITS, Task } from '../../schema/index.js';
import { findTask } from './find-traced.js';
import { shortMend } from './mend-row.js';
import { showMarkdown } from './show/show-markdown.js';
import { timelineOf } from './show/timeline.js';
import { type EventRow, StepRow } from './show/timeline-rows.js';
import { TaskRow, taskRow } from './tasks/task-row.js';

/** How long the texts and lists of a step may be: shorter ones are tried where the longer do not fit. */
const SIZES = [
  { text: 500, items: 20 },
  { text: 200, items: 5 },
  { text: 80, items: 2 },
] as const;

type Size = (typeof SIZES)[number];

/** Events of a step that stay where even short ones do not fit: the last ones, and the failures before. */
const LAST_EVENTS = 10;

/** What steps say shorter before they fall (P-02): texts and lists first, then what went well. */
const TIMELINE_LESS: readonly DetailAt[] = [
  ...SIZES.map((size) => ({ of: 'steps', what: 'Texts and lists', shorter: shortened(size) })),
  { of: 'steps', what: 'Uses of tools that went well', shorter: withFewEvents },
];

const { packTokens } = LIMITS;

/** One task, whole. */
const ShowOutput = z.object({
  task: TaskRow,
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

function shortened(size: Size): (step: StepRow) => StepRow {
  return (step) => ({
    ...step,
    summary: cutText(step.summary, size.text),
    events: step.events.map((event) => shortEvent(event, size)),
  });
}

function shortEvent(event: EventRow, { text, items }: Size): EventRow {
  if (event.kind === 'checkpoint') return event;
  if (event.kind === 'error')
    return {
      ...event,
      message: cutText(event.message, text),
      tests: event.tests.slice(0, items),
      resolved_by: event.resolved_by && shortMend(event.resolved_by, items),
    };
  return {
    ...event,
    command: event.command && cutText(event.command, text),
    said: cutText(event.said, text),
    files: event.files.slice(0, items),
    symbols: event.symbols.slice(0, items),
  };
}

function withFewEvents(step: StepRow): StepRow {
  const before = step.events.length - LAST_EVENTS;
  const events = step.events.filter((event, at) => at >= before || isFailure(event));
  return { ...step, events, left_out: step.left_out + step.events.length - events.length };
}

function isFailure(event: EventRow): boolean {
  return event.kind === 'error' || (event.kind === 'tool' && event.success === false);
}
