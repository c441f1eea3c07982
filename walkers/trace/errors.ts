import { z } from 'zod';
import { type Attempt, placesIn, readAttempts, type StoryContext } from '../../graphs/trace/index.js';
import {
  cutText,
  draftBy,
  offsetsOf,
  pageFields,
  plural,
  presented,
  stripHidden,
} from '../../present/index.js';
import { compareText, defineWalker, type NodeRef, Root } from '../../runtime/index.js';
import {
  append,
  CodewalkError,
  ERROR_TYPES,
  LIMITS,
  Step,
  StepHasError,
  TASK_STATUSES,
  Task,
  TaskHasStep,
  TraceError,
} from '../../schema/index.js';
import { byLatest, failureKey } from './find-traced.js';
import {
  failedTests,
  handleOf,
  listedNames,
  minuteOf,
  quotedLines,
  ResolutionRow,
  resolutionLines,
  resolutionRow,
  shortResolution,
} from './rows.js';

/** Characters of a message. */
const MESSAGE = 500;
/** Tests that one group names, and resolutions and tasks. */
const MOST_TESTS = 20;
const MOST_RESOLUTIONS = 3;
const MOST_TASKS = 20;

const text = z.string();
const count = z.number().int();
const time = text.nullable();

/** Errors of one fingerprint: one failure, however often it was met. */
const ErrorGroup = z.object({
  /** Null: its message has nothing to tell it by. */
  fingerprint: text.nullable(),
  error_type: z.enum(ERROR_TYPES),
  /** What the latest one said, and its id. */
  message: text,
  error_id: text,
  count,
  first_at: time,
  last_at: time,
  /** In which tasks, the latest first. */
  tasks: z.array(z.object({ task_id: text, status: z.enum(TASK_STATUSES) })),
  /** Names of the tests that failed. */
  tests: z.array(text),
  /** What fixed it, the latest first. */
  resolved_by: z.array(ResolutionRow.extend({ task_id: text })),
});
type ErrorGroup = z.infer<typeof ErrorGroup>;

/** Errors that are one failure, the latest first. */
type Alike = readonly [NodeRef<typeof TraceError>, ...NodeRef<typeof TraceError>[]];

/** Errors by their fingerprint: the most often met first, then the latest. */
function alike(errors: readonly NodeRef<typeof TraceError>[]): Alike[] {
  const groups = new Map<string, [NodeRef<typeof TraceError>, ...NodeRef<typeof TraceError>[]]>();
  for (const error of [...errors].sort(byLatest)) {
    const key = failureKey(error);
    append(groups, key, error);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length || byLatest(a[0], b[0]));
}

/**
 * A group as a row.
 *
 * @param attempts The tasks that met these errors, by error; those that are not read are left out.
 */
function errorGroup(errors: Alike, attempts: ReadonlyMap<string, Attempt>, story: StoryContext): ErrorGroup {
  const [latest] = errors;
  const tasks = new Map<string, ErrorGroup['tasks'][number]>();
  const resolutions: ErrorGroup['resolved_by'] = [];
  for (const { id } of errors) {
    const attempt = attempts.get(id);
    if (!attempt) continue;
    const { id: task_id, status } = attempt.task;
    tasks.set(task_id, { task_id, status });
    const row = resolutionRow(attempt, id, story);
    if (row && !resolutions.some((one) => one.task_id === task_id && one.step_id === row.step_id))
      resolutions.push({ ...row, task_id });
  }
  const tests = [...new Set(errors.flatMap(failedTests))].sort(compareText);
  return {
    fingerprint: latest.fingerprint,
    error_type: latest.error_type,
    message: stripHidden(latest.message.slice(0, MESSAGE)),
    error_id: latest.id,
    count: errors.length,
    first_at: errors.at(-1)?.created_at ?? null,
    last_at: latest.created_at,
    tasks: [...tasks.values()].slice(0, MOST_TASKS),
    tests: tests.slice(0, MOST_TESTS),
    resolved_by: resolutions.slice(0, MOST_RESOLUTIONS),
  };
}

/** What one line has left. */
const BELOW = 74;

/** Tasks and tests that one line names. */
const LISTED = 2;

const { errorRows, lookupTokens } = LIMITS;

/** Errors of one group whose tasks are looked at, the latest. */
const LOOKED_AT = 20;
/** How long texts and lists of a row may be. */
const SIZES = [
  { text: 300, items: 5 },
  { text: 120, items: 2 },
  { text: 80, items: 1 },
] as const;

/** What the list of errors answers. */
const ErrorsOutput = z.object({
  errors: z.array(ErrorGroup),
  /** Groups that fit, before the limit. */
  total: z.number().int(),
});

/** Lists what went wrong in this project, each failure once. */
export const Errors = defineWalker('errors', {
  description:
    'List the errors that agents met in this project, equal ones as one: how often, when, in which tasks, which tests failed, what fixed them.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    type: z.enum(ERROR_TYPES).optional().describe('Only errors of this type'),
    limit: z
      .number()
      .int()
      .min(errorRows.min)
      .max(errorRows.max)
      .default(errorRows.default)
      .describe('Kinds of errors to list'),
    ...pageFields(lookupTokens),
  },
  output: ErrorsOutput,
  state: () => ({
    groups: null as Alike[] | null,
    total: 0,
    taskOf: new Map<string, string>(),
  }),
  examples: [
    { title: 'What fails again and again', input: {} },
    { title: 'Tests only', input: { type: 'test_failure', limit: 5 } },
  ],
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state } = context;
      const groups = alike(await context.find(TraceError, state.type && { error_type: state.type }));
      state.total = groups.length;
      const [from = 0] = offsetsOf(state.cursor);
      state.groups = groups.slice(from, from + state.limit);
      await context.visit(state.groups.flatMap((group) => group.slice(0, LOOKED_AT)));
    }),
    w.entry(TraceError, async (error, { q, state }) => {
      const [task] = await q(error).in(StepHasError).of(Step).in(TaskHasStep).of(Task).ids();
      if (task !== undefined) state.taskOf.set(error.id, task);
    }),
  ],
  finish: async ({ state: { groups, total, taskOf, cursor }, context }) => {
    if (!groups) throw new CodewalkError('DEADLINE', 'the run ended before the errors were read');
    const tasks = new Map<string, Attempt>();
    for await (const attempt of readAttempts(context, [...new Set(taskOf.values())]))
      tasks.set(attempt.task.id, attempt);
    const attemptOf = ({ id }: NodeRef): [string, Attempt][] => {
      const attempt = tasks.get(taskOf.get(id) ?? '');
      return attempt ? [[id, attempt]] : [];
    };
    const { projectRoot: root } = context;
    const story = { placeOf: placesIn(root), root };
    const errors = groups.map((group) => errorGroup(group, new Map(group.flatMap(attemptOf)), story));
    const [from = 0] = offsetsOf(cursor);
    return presented(
      draftBy(
        { errors, total },
        {
          limit: lookupTokens,
          lists: [{ at: 'errors', what: 'errors', from, total }],
          less: SIZES.map((size) => ({ of: 'errors', what: 'Texts and lists', shorter: shortened(size) })),
        },
      ),
    );
  },
  markdown: ({ errors, total }) => errorsMarkdown(errors, total),
});

function shortened({ text, items }: (typeof SIZES)[number]): (row: ErrorGroup) => ErrorGroup {
  return (row) => ({
    ...row,
    message: cutText(row.message, text),
    tasks: row.tasks.slice(0, items),
    tests: row.tests.slice(0, items),
    resolved_by: row.resolved_by
      .slice(0, items)
      .map((one) => ({ ...shortResolution(one, items), task_id: one.task_id })),
  });
}

/** Groups of errors for 80 columns. Whatever the record says is quoted: it is data (X-39). */
function errorsMarkdown(groups: readonly ErrorGroup[], total: number): string {
  if (groups.length === 0) return 'No error that fits is recorded here.\n';
  const which = groups.length < total ? `${groups.length} of ${total} kinds` : plural(total, 'kind');
  const width = Math.max(...groups.map(({ count }) => String(count).length));
  return [
    `## ${which} of errors, the most often met first`,
    '',
    ...groups.flatMap((group) => lines(group, width)),
    '',
  ].join('\n');
}

function lines(group: ErrorGroup, width: number): string[] {
  const { error_type, message, error_id, count, first_at, last_at, tasks, tests, resolved_by } = group;
  const [fix, ...others] = resolved_by;
  const when = [...new Set([first_at, last_at].map((time) => minuteOf(time ?? '')))].join(' to ');
  const names = tasks.slice(0, LISTED).map(({ task_id }) => handleOf(task_id));
  return [
    `- ${String(count).padStart(width)} x  ${error_type.padEnd('compile_error'.length)}  ${when}`,
    ...quotedLines(message, BELOW).map(below),
    ...(tests.length > 0 ? [below(`failing: ${listedNames(tests, LISTED, BELOW - 30)}`)] : []),
    below(`${handleOf(error_id)}${names.length > 0 ? ` in ${names.join(', ')}${moreThan(tasks)}` : ''}`),
    ...(fix
      ? resolutionLines(fix, ` in ${handleOf(fix.task_id)}`).map(below)
      : [below('nothing fixed it yet')]),
    ...(others.length > 0 ? [below(`and ${plural(others.length, 'other time')}`)] : []),
  ];
}

function below(text: string): string {
  return `    ${text}`;
}

function moreThan(list: readonly unknown[]): string {
  return list.length > LISTED ? ` and ${list.length - LISTED} more` : '';
}
