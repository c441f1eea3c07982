import { z } from 'zod';
import {
  cutText,
  draftBy,
  pageFields,
  plural,
  presented,
  quotedBlock,
  quotedName,
  type Shape,
  shownLine,
  stripHidden,
} from '../../present/index.js';
import { defineWalker, type NodeRef } from '../../runtime/index.js';
import { CodewalkError, LIMITS, parseId, Task } from '../../schema/index.js';
import { findTask } from './find-traced.js';
import {
  countsOf,
  listedNames,
  minuteOf,
  quotedLines,
  resolutionLines,
  shortResolution,
  TaskRow,
  taskRow,
  tookText,
} from './rows.js';
import { type ErrorRow, type EventRow, StepRow, type ToolRow, timelineOf } from './timeline.js';

/** What one line has left behind the columns in front, and on a line of its own. */
const BESIDE = 50;
const BELOW = 72;
/** Characters of a sub agent's name. */
const NAME = 30;
/** Lines of what was asked and of what was said at the end. */
const LINES = 30;
/** Tests that one line names. */
const TESTS = 3;

/** One task as a timeline for 80 columns. Whatever the record says is quoted: it is data (X-39). */
export function timelineMarkdown({ task, prompt, summary, steps }: Timeline): string {
  const took = between(task.created_at, task.ended_at);
  return [
    `## ${shownLine(task.task_id)}`,
    '',
    `${task.status}, ${minuteOf(task.created_at)}, ${took ?? 'not ended'}`,
    `${countsOf(task)}, ${plural(task.files.length, 'file')}`,
    ...(task.session_id === null ? [] : [`session ${quotedName(task.session_id, NAME * 2)}`]),
    ...(task.client === null ? [] : [`client ${quotedName(task.client, NAME)}`]),
    '',
    ...(prompt === '' ? [] : ['What was asked:', '', block(prompt), '']),
    ...steps.flatMap(stepLines),
    ...(summary === '' ? [] : ['What the agent said at the end:', '', block(summary), '']),
  ].join('\n');
}

function stepLines(step: StepRow): string[] {
  const { order, role, agent, started_at, ended_at, summary, events, left_out } = step;
  const took = between(started_at, ended_at);
  const reported = new Set(events.flatMap((event, at) => reportedTool(event, events[at - 1]) ?? []));
  const by = agent === null ? null : `by ${quotedName(agent, NAME)}`;
  const head = [`Step ${order}${role === null ? '' : ` ${role}`}`, by, took].filter((part) => part !== null);
  return [
    `### ${head.join(', ')}`,
    '',
    ...(summary === '' ? [] : [quotedName(summary, BELOW), '']),
    ...(left_out > 0 ? [`- ${plural(left_out, 'use')} of tools that went well are left out`] : []),
    ...events.flatMap((event) => eventLines(event, reported)),
    '',
  ];
}

/** The id of the tool use whose failure an error reports: it names it, or comes next and names none. */
function reportedTool(event: EventRow, before: EventRow | undefined): string | null {
  if (event.kind !== 'error') return null;
  return event.tool_id ?? (before?.kind === 'tool' ? before.tool_id : null);
}

/** @param reported Ids of tool uses whose errors say why they failed. */
function eventLines(event: EventRow, reported: ReadonlySet<string>): string[] {
  switch (event.kind) {
    case 'tool':
      return toolLines(event, reported.has(event.tool_id));
    case 'error':
      return errorLines(event);
    case 'checkpoint':
      return [line(event.at, 'saved', '', quotedName(event.checkpoint_file, BESIDE))];
  }
}

function toolLines(tool: ToolRow, isReported: boolean): string[] {
  const { at, tool_name, success, duration_ms, said, command, file, files, symbols, added, removed } = tool;
  const outcome = success === null ? 'open' : success ? 'ok' : 'FAILED';
  const took = duration_ms === null ? '' : tookText(duration_ms);
  const others = files.filter((path) => path !== (file ?? files[0]));
  const edit = added === null ? '' : ` +${added} -${removed ?? 0}`;
  return [
    line(
      at,
      outcome,
      took,
      command === null ? `${toolOn(tool_name, file ?? files[0], edit)}` : shell(command),
    ),
    ...(others.length > 0 ? [below(`files: ${listed(others)}`)] : []),
    ...(symbols.length > 0 ? [below(`symbols: ${listed(symbols.map(nameOf))}`)] : []),
    ...(said === '' || isReported ? [] : [below(quotedName(said, BELOW))]),
  ];
}

function nameOf(id: string): string {
  return parseId(id)?.name ?? id;
}

function shell(command: string): string {
  return quotedName(`$ ${command}`, BESIDE);
}

function toolOn(tool: string, file: string | undefined, edit: string): string {
  const name = /^[\w.:-]+$/u.test(tool) ? shownLine(tool, NAME) : quotedName(tool, NAME);
  const left = BESIDE - name.length - edit.length - 1;
  return file === undefined ? name : `${name} ${quotedName(file, left)}${edit}`;
}

function errorLines({ at, error_type, message, tests, resolved_by }: ErrorRow): string[] {
  return [
    line(at, 'error', '', error_type),
    ...quotedLines(message, BELOW).map(below),
    ...(tests.length > 0 ? [below(`failing: ${listed(tests)}`)] : []),
    ...(resolved_by ? resolutionLines(resolved_by).map(below) : []),
  ];
}

function line(at: string | null, outcome: string, took: string, what: string): string {
  return `- ${clockOf(at)}  ${outcome.padEnd(6)} ${took.padStart(7)}  ${what}`.trimEnd();
}

function below(text: string): string {
  return `    ${text}`;
}

function listed(names: readonly string[]): string {
  return listedNames(names, TESTS, BELOW - 20);
}

function between(from: string | null, to: string | null): string | null {
  return from === null || to === null ? null : tookText(Math.max(0, Date.parse(to) - Date.parse(from)));
}

/** The time of day: `12:05:09`; as wide where none is known. */
function clockOf(iso: string | null): string {
  return iso === null ? ' '.repeat(8) : iso.slice(11, 19);
}

function block(text: string): string {
  const lines = text.trimEnd().split('\n');
  const more = lines.length > LINES ? [`… ${lines.length - LINES} more lines`] : [];
  return quotedBlock([...lines.slice(0, LINES), ...more].join('\n'));
}

/** How long the texts and lists of a step may be: shorter ones are tried where the longer do not fit. */
const SIZES = [
  { text: 500, items: 20 },
  { text: 200, items: 5 },
  { text: 80, items: 2 },
] as const;

type Size = (typeof SIZES)[number];

/** Events of a step that stay where even short ones do not fit: the last ones, and the failures before. */
const LAST_EVENTS = 10;

const { packTokens } = LIMITS;

/** One task, whole. */
export const Timeline = z.object({
  task: TaskRow,
  prompt: z.string(),
  /** What the agent said at the end; empty where nothing was told. */
  summary: z.string(),
  steps: z.array(StepRow),
});
/** See {@link Timeline}. */
export type Timeline = z.infer<typeof Timeline>;

/** Files of a task that are named where there is no room for all. */
const MOST_FILES = 10;

/**
 * How a timeline in an answer is made smaller (P-02): the head first, then texts and lists of steps, then uses of tools
 * that went well, then steps.
 *
 * @param prefix The path of the timeline within the answer, with a dot at its end; empty: it is the answer.
 */
export function timelineShape(prefix = ''): Required<Pick<Shape<object>, 'lists' | 'less'>> {
  const steps = { of: `${prefix}steps` };
  return {
    lists: [{ at: `${prefix}steps`, what: 'steps' }],
    less: [
      { field: `${prefix}task.files`, what: 'Files of the task', shorter: firstFiles },
      { field: `${prefix}prompt`, what: 'The prompt' },
      { field: `${prefix}summary`, what: 'The summary' },
      ...SIZES.map((size) => ({ ...steps, what: 'Texts and lists', shorter: shortened(size) })),
      { ...steps, what: 'Uses of tools that went well', shorter: withFewEvents },
    ],
  };
}

function firstFiles(files: readonly string[]): readonly string[] {
  return files.slice(0, MOST_FILES);
}

/** A task with all that happened in it, by time. */
export async function readTimeline(
  task: NodeRef<typeof Task>,
  context: Parameters<typeof timelineOf>[1],
): Promise<Timeline> {
  return {
    task: await taskRow(task, context),
    prompt: stripHidden(task.user_prompt),
    summary: stripHidden(task.summary),
    steps: await timelineOf(task, context),
  };
}

/** Shows what happened in one task, by time. */
export const Show = defineWalker('show', {
  description:
    'Show one task as a timeline: its steps, what each tool did, how long and how well, files, errors and what fixed them, checkpoints, how it ended.',
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
  output: Timeline,
  state: () => ({ output: null as Timeline | null }),
  examples: [
    { title: 'What happened last', input: {} },
    { title: 'One task, by the beginning of its id', input: { task: 'task:0uc8nvlsu9' } },
  ],
  start: (context) => findTask(context, context.state.task),
  on: (w) => [
    w.entry(Task, async (task, context) => {
      context.state.output = await readTimeline(task, context);
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return presented(draftBy(output, { limit: packTokens, ...timelineShape() }));
    throw new CodewalkError('DEADLINE', 'the run ended before the task was read');
  },
  markdown: timelineMarkdown,
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
      resolved_by: event.resolved_by && shortResolution(event.resolved_by, items),
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
