import { z } from 'zod';
import { Failure } from '../../failures/index.js';
import {
  type Attempt,
  type AttemptEvent,
  changedLines,
  placesIn,
  readAttempts,
  type StoryContext,
} from '../../graphs/trace/index.js';
import {
  cutText,
  draftBy,
  firstLine,
  minuteOf,
  pageFields,
  plural,
  presented,
  quotedBlock,
  quotedName,
  type Shape,
  shownLine,
  stripHidden,
} from '../../present/index.js';
import { compareText, defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  CheckpointNode,
  ERROR_TYPES,
  LIMITS,
  parseId,
  STEP_ROLES,
  StepHasCheckpoint,
  type Task,
} from '../../schema/index.js';
import { findTask, shownMessage } from './find-traced.js';
import {
  below,
  countsOf,
  failedTests,
  listedNames,
  quotedLines,
  ResolutionRow,
  resolutionLines,
  resolutionRow,
  shorterRows,
  TaskRow,
  taskRow,
} from './rows.js';

const { packTokens, exploreTokens } = LIMITS;
/** With edits a page shows up to two tasks whole. */
const EDITS_TOKENS = { ...packTokens, default: exploreTokens.max / 2 };
/** Characters of a command, and of a message. */
const COMMAND = 500;
const MESSAGE = 2000;
const MOST_TESTS = 20;
/** Lines of one side of an edit, and characters of each. */
const EDIT_LINES = 80;
const EDIT_LINE = 300;
const SIZES = [
  { text: 500, items: 20 },
  { text: 200, items: 5 },
  { text: 80, items: 2 },
];
/** Events of a step that stay where even short ones do not fit: the last ones, and the failures before. */
const LAST_EVENTS = 10;
const MOST_FILES = 10;
/** What is said of a use of a tool that a person stopped. */
const STOPPED = 'interrupted by the user: its result is unknown';
/** What one line has left behind the columns in front, and on a line of its own. */
const ROW = 50;
const BELOW = 72;
const NAME = 30;
const LINES = 30;
const TESTS = 3;

const text = z.string();
const texts = z.array(text);
const count = z.number().int();
const maybe = text.nullable();

/** An edit without the lines at its ends that stay. */
const EditRow = z.object({
  ...{ removed: texts, now: texts },
  /** Lines of both sides that are not shown. */
  left_out: count,
});

/** `command` and `file`: what its parameters say. `added`, `removed`: how many lines of an edit differ. */
const ToolRow = z.object({
  ...{ kind: z.literal('tool'), tool_id: text, at: maybe, tool_name: text, command: maybe, file: maybe },
  ...{ added: count.nullable(), removed: count.nullable(), duration_ms: z.number().nullable() },
  /** Null: it has not ended, or a person stopped it: see `said`. */
  success: z.boolean().nullable(),
  ...{ files: texts, symbols: texts },
  /** Of one that failed, or was stopped: the line that says so. */
  said: text,
  /** Where edits are asked for: what it changed; null: it is no edit, or changed nothing. */
  edit: EditRow.nullable().optional(),
});
type ToolRow = z.infer<typeof ToolRow>;

/** `later`: how its run passed later, where nothing fixed it; null: it did not. */
const ErrorRow = z.object({
  ...{ kind: z.literal('error'), error_id: text, tool_id: maybe, at: maybe, error_type: z.enum(ERROR_TYPES) },
  ...{ message: text, tests: texts, resolved_by: ResolutionRow.nullable(), later: maybe },
});

const CheckpointRow = z.object({
  kind: z.literal('checkpoint'),
  checkpoint_id: text,
  at: maybe,
  checkpoint_file: text,
});

const EventRow = z.discriminatedUnion('kind', [ToolRow, ErrorRow, CheckpointRow]);
type EventRow = z.infer<typeof EventRow>;

const StepRow = z.object({
  ...{ step_id: text, order: count, role: z.enum(STEP_ROLES).nullable() },
  /** The sub agent whose work it is; null: the agent's own. */
  agent: maybe,
  ...{ summary: text, started_at: maybe, ended_at: maybe, events: z.array(EventRow) },
  /** Events that the budget left out. */
  left_out: count,
});
type StepRow = z.infer<typeof StepRow>;

/** One task, whole. `summary`: what the agent said at the end, empty where it said nothing. */
export const Timeline = z.object({ task: TaskRow, prompt: text, summary: text, steps: z.array(StepRow) });
export type Timeline = z.infer<typeof Timeline>;

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
    edits: z.boolean().default(false).describe('What each edit changed, as well'),
    ...pageFields(packTokens),
  },
  output: Timeline,
  examples: [
    { title: 'What happened last', input: {} },
    { title: 'One task, by the beginning of its id', input: { task: 'task:0uc8nvlsu9' } },
  ],
  finish: async ({ state, context }) => {
    const { task, edits } = state;
    const timeline = await readTimeline(await findTask(context, task), context, edits);
    const { lists, less } = timelineShape();
    const withoutEdits = { of: 'steps', field: 'events.edit', what: 'Edits', as: null };
    const limit = edits ? EDITS_TOKENS : packTokens;
    return presented(draftBy(timeline, { limit, lists, less: edits ? [withoutEdits, ...less] : less }));
  },
  markdown: timelineMarkdown,
});

type Reading = Pick<ReadContext, 'q' | 'nodesOf' | 'projectRoot'>;
type ToolEvent = Extract<AttemptEvent, { kind: 'tool' }>;

/** A task with all that happened in it, by time. @param edits Whether edits say what they changed. */
export async function readTimeline(
  task: NodeRef<typeof Task>,
  context: Reading,
  edits = false,
): Promise<Timeline> {
  const steps: StepRow[] = [];
  for await (const attempt of readAttempts(context, [task.id]))
    for (const step of attempt.steps) steps.push(await stepRow(step, attempt, context, edits));
  const [prompt, summary] = [stripHidden(task.user_prompt), stripHidden(task.summary)];
  return { task: await taskRow(task, context), prompt, summary, steps };
}

async function stepRow(
  step: Attempt['steps'][number],
  attempt: Attempt,
  { q, projectRoot: root }: Reading,
  edits: boolean,
): Promise<StepRow> {
  const story = { placeOf: placesIn(root), root };
  const { id: step_id, order, role, agent, llm_summary, started_at, ended_at } = step;
  const saved = await q(step).out(StepHasCheckpoint).of(CheckpointNode);
  const events = saved.map(({ id, created_at, checkpoint_file }): EventRow => {
    const file = shownLine(checkpoint_file, COMMAND);
    return { kind: 'checkpoint', checkpoint_id: id, at: created_at, checkpoint_file: file };
  });
  for (const event of attempt.events)
    if (event.step === step_id)
      events.push(
        event.kind === 'error'
          ? errorRow(event.error, attempt, story)
          : { ...toolRow(event, attempt, story), ...(edits ? { edit: editRow(event) } : {}) },
      );
  events.sort((a, b) => compareText(a.at ?? '', b.at ?? ''));
  const summary = stripHidden(llm_summary);
  return { step_id, order, role, agent, summary, started_at, ended_at, events, left_out: 0 };
}

function errorRow(
  error: Extract<AttemptEvent, { kind: 'error' }>['error'],
  attempt: Attempt,
  story: StoryContext,
): EventRow {
  const { id, tool_id, created_at, error_type, message } = error;
  return {
    ...{ kind: 'error', error_id: id, tool_id, at: created_at, error_type },
    message: stripHidden(message.slice(0, MESSAGE)),
    tests: failedTests(error).slice(0, MOST_TESTS),
    ...resolutionRow(attempt, id, story),
  };
}

/** Whether a person stopped a tool: what it did is not known. */
function isStopped({ success, ended_at }: ToolEvent['tool']): boolean {
  return success === null && ended_at !== null;
}

/** Whether it is an edit that was made: one that failed changed nothing. */
function isEdit({ tool, use }: ToolEvent): boolean {
  return use.command === null && use.added !== null && tool.success !== false && !isStopped(tool);
}

/** What an edit changed, line by line as it was written. */
function editRow(event: ToolEvent): z.infer<typeof EditRow> | null {
  if (!isEdit(event)) return null;
  const { removed, added } = event.use;
  const [before, after] = [removed, added].map((side) => (side ? side.replace(/\n$/u, '').split('\n') : []));
  const [was = [], is = []] = [before, after];
  const most = Math.min(was.length, is.length);
  let [head, tail] = [0, 0];
  while (head < most && was[head] === is[head]) head++;
  while (tail < most - head && was.at(-1 - tail) === is.at(-1 - tail)) tail++;
  const sides = [was, is].map((lines) => lines.slice(head, lines.length - tail));
  const [gone = [], now = []] = sides.map((lines) =>
    lines.slice(0, EDIT_LINES).map((line) => cutText(stripHidden(line), EDIT_LINE)),
  );
  const left_out = sides.reduce((sum, { length }) => sum + Math.max(0, length - EDIT_LINES), 0);
  return { removed: gone, now, left_out };
}

function toolRow(event: ToolEvent, attempt: Attempt, { placeOf }: StoryContext): ToolRow {
  const { tool, use, touched } = event;
  const { id, tool_name, started_at, ended_at, duration_ms, success } = tool;
  const lines = isEdit(event) ? changedLines(use) : null;
  const isFile = (touchedId: string) => parseId(touchedId)?.form === 'file';
  return {
    ...{ kind: 'tool', tool_id: id, at: started_at ?? ended_at, tool_name: shownLine(tool_name) },
    command: use.command === null ? null : shownLine(use.command, COMMAND),
    file: use.file === null ? null : shownLine(placeOf(use.file) ?? use.file, COMMAND),
    added: lines?.added.length ?? null,
    removed: lines?.removed.length ?? null,
    ...{ duration_ms, success },
    files: touched.filter(isFile).map((id) => parseId(id)?.path ?? id),
    symbols: touched.filter((id) => !isFile(id)),
    said: success === false ? whyItFailed(attempt, tool) : isStopped(tool) ? STOPPED : '',
  };
}

/** The error that names a tool use, or comes next and names none, says why it failed; else its output. */
function whyItFailed({ events }: Attempt, tool: ToolEvent['tool']): string {
  const next = events.findIndex((event) => event.kind === 'tool' && event.tool.id === tool.id) + 1;
  for (const [at, event] of events.entries())
    if (event.kind === 'error' && (event.error.tool_id ?? (at === next ? tool.id : null)) === tool.id)
      return shownMessage(event.error);
  const { reason } = Failure.safeParse(tool.failure).data ?? {};
  return shownLine(reason ?? firstLine(`${tool.stderr}\n${tool.stdout}`, COMMAND), COMMAND);
}

/** How a timeline in an answer is made smaller. @param prefix Its path within the answer, with a dot at its end. */
export function timelineShape(prefix = ''): Required<Pick<Shape<object>, 'lists' | 'less'>> {
  const of = `${prefix}steps`;
  const firstFiles = (files: readonly string[]) => files.slice(0, MOST_FILES);
  return {
    lists: [{ at: of, what: 'steps' }],
    less: [
      { field: `${prefix}task.files`, what: 'Files of the task', shorter: firstFiles },
      { field: `${prefix}prompt`, what: 'The prompt' },
      { field: `${prefix}summary`, what: 'The summary' },
      ...shorterRows(SIZES, of),
      { of, what: 'Uses of tools that went well', shorter: withFewEvents },
    ],
  };
}

function withFewEvents(step: StepRow): StepRow {
  const last = step.events.length - LAST_EVENTS;
  const events = step.events.filter(
    (event, at) => at >= last || event.kind === 'error' || (event.kind === 'tool' && event.success === false),
  );
  return { ...step, events, left_out: step.left_out + step.events.length - events.length };
}

/** One task as a timeline for 80 columns. Whatever the record says is quoted: it is data. */
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
    ...textLines('What was asked:', prompt),
    ...steps.flatMap(stepLines),
    ...textLines('What the agent said at the end:', summary),
  ].join('\n');
}

function textLines(title: string, said: string): string[] {
  if (said === '') return [];
  const lines = said.trimEnd().split('\n');
  const more = lines.length > LINES ? [`… ${lines.length - LINES} more lines`] : [];
  return [title, '', quotedBlock([...lines.slice(0, LINES), ...more].join('\n')), ''];
}

function stepLines({ events, ...step }: StepRow): string[] {
  const { order, role, agent, started_at, ended_at, summary, left_out } = step;
  const by = agent === null ? null : `by ${quotedName(agent, NAME)}`;
  const head = [`Step ${order}${role === null ? '' : ` ${role}`}`, by, between(started_at, ended_at)];
  return [
    `### ${head.filter((part) => part !== null).join(', ')}`,
    '',
    ...(summary === '' ? [] : [quotedName(summary, BELOW), '']),
    ...(left_out > 0 ? [`- ${plural(left_out, 'use')} of tools that went well are left out`] : []),
    ...events.flatMap((event) => eventLines(event, events)),
    '',
  ];
}

function eventLines(event: EventRow, events: readonly EventRow[]): string[] {
  if (event.kind === 'tool') return toolLines(event, events);
  if (event.kind === 'checkpoint')
    return [line(event.at, 'saved', '', quotedName(event.checkpoint_file, ROW))];
  const { at, error_type, message, tests, resolved_by, later } = event;
  const end = resolved_by ? resolutionLines(resolved_by) : later ? [later] : [];
  return [
    line(at, 'error', '', error_type),
    ...[...quotedLines(message, BELOW), ...listLine('failing', tests), ...end].map(below),
  ];
}

function toolLines(tool: ToolRow, events: readonly EventRow[]): string[] {
  const { at, tool_name, success, duration_ms, said, command, file, files, symbols, added, removed } = tool;
  const outcome = success === null ? (said === STOPPED ? 'halted' : 'open') : success ? 'ok' : 'FAILED';
  const place = file ?? files[0];
  const others = files.filter((path) => path !== place);
  const names = symbols.map((id) => parseId(id)?.name ?? id);
  const edit = added === null ? '' : ` +${added} -${removed ?? 0}`;
  const name = /^[\w.:-]+$/u.test(tool_name) ? shownLine(tool_name, NAME) : quotedName(tool_name, NAME);
  const left = ROW - name.length - edit.length - 1;
  const on = place === undefined ? name : `${name} ${quotedName(place, left)}${edit}`;
  const what = command === null ? on : quotedName(`$ ${command}`, ROW);
  // An error says why the tool failed that it names, or that comes before it where it names none.
  const isReported = events.some(
    (one, nth) =>
      one.kind === 'error' &&
      (one.tool_id === null ? events[nth - 1] === tool : one.tool_id === tool.tool_id),
  );
  return [
    line(at, outcome, duration_ms === null ? '' : tookText(duration_ms), what),
    ...[
      ...listLine('files', others),
      ...listLine('symbols', names),
      ...(said === '' || isReported ? [] : [quotedName(said, BELOW)]),
    ].map(below),
  ];
}

/** The time of day (`12:05:09`; as wide where none is known), how it ended, how long it took, and what it was. */
function line(at: string | null, outcome: string, took: string, what: string): string {
  const clock = (at ?? '').slice(11, 19).padEnd(8);
  return `- ${clock}  ${outcome.padEnd(6)} ${took.padStart(7)}  ${what}`.trimEnd();
}

function listLine(title: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${title}: ${listedNames(names, TESTS, BELOW - 20)}`];
}

function between(from: string | null, to: string | null): string | null {
  return from === null || to === null ? null : tookText(Math.max(0, Date.parse(to) - Date.parse(from)));
}

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

function tookText(ms: number): string {
  const rounded = (number: number) => (number < 10 ? number.toFixed(1) : String(Math.round(number)));
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${rounded(ms / SECOND)} s`;
  if (ms < HOUR) return `${rounded(ms / MINUTE)} min`;
  return ms < DAY ? `${rounded(ms / HOUR)} h` : `${Math.round(ms / DAY)} d`;
}
