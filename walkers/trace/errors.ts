import { z } from 'zod';
import { type Attempt, placesIn, readAttempts } from '../../graphs/trace/index.js';
import {
  limitField,
  listAnswer,
  listMarkdown,
  minuteOf,
  pageFields,
  plural,
  stripHidden,
} from '../../present/index.js';
import { compareText, defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  ERROR_TYPES,
  grouped,
  LIMITS,
  Step,
  StepHasError,
  TASK_STATUSES,
  TaskHasStep,
  TraceError,
} from '../../schema/index.js';
import { byLatest, failureKey, findFailure } from './find-traced.js';
import {
  below,
  failedTests,
  handleOf,
  listedNames,
  quotedLines,
  ResolutionRow,
  resolutionLines,
  resolutionRow,
  shorterRows,
} from './rows.js';

const { errorRows, lookupTokens } = LIMITS;
const MESSAGE = 500;
/** Tests, tasks and resolutions that one group names, and its latest errors whose tasks are read. */
const IN_LIST = { tests: 20, tasks: 20, resolutions: 3, latest: 20 };
const OF_ONE = { tests: 200, tasks: 200, resolutions: 50, latest: 200 };
/** Columns of a line of details, and tasks and tests that it names. */
const BELOW = 74;
const LISTED = 2;
const SIZES = [
  { text: 300, items: 5 },
  { text: 120, items: 2 },
  { text: 80, items: 1 },
];
const LIST = { at: 'errors', tokens: lookupTokens, less: shorterRows(SIZES) } as const;

const text = z.string();
const maybe = text.nullable();
const count = z.number().int();

/**
 * Errors of one fingerprint: one failure, however often it was met; null: its message has nothing to tell it by.
 * `message`, `error_id`, `later` are the latest one's; `later`: how its run passed later, where nothing fixed it.
 */
export const ErrorGroup = z.object({
  ...{ fingerprint: maybe, error_type: z.enum(ERROR_TYPES), message: text, error_id: text },
  ...{ count, first_at: maybe, last_at: maybe },
  tasks: z.array(z.object({ task_id: text, status: z.enum(TASK_STATUSES) })),
  tests: z.array(text),
  resolved_by: z.array(ResolutionRow.extend({ task_id: text })),
  later: maybe,
});
export type ErrorGroup = z.infer<typeof ErrorGroup>;

/** Lists what went wrong in this project, each failure once. */
export const Errors = defineWalker('errors', {
  description:
    'List the errors that agents met in this project, equal ones as one: how often, when, in which tasks, which tests failed, what fixed them.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    type: z.enum(ERROR_TYPES).optional().describe('Only errors of this type'),
    failure: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe("Only this one, with all that fixed it: its fingerprint, or an error's id"),
    limit: limitField(errorRows).describe('Kinds of errors to list'),
    ...pageFields(lookupTokens),
  },
  output: z.object({ errors: z.array(ErrorGroup), total: count }),
  examples: [
    { title: 'What fails again and again', input: {} },
    { title: 'Tests only', input: { type: 'test_failure', limit: 5 } },
    { title: 'One failure, with all its tasks', input: { failure: 'error:0uc8nvlsu9' } },
  ],
  finish: async ({ state, context }) => {
    const { type, failure } = state;
    const asked = failure === undefined ? null : await findFailure(context, failure);
    const found = (asked ?? (await context.find(TraceError, type && { error_type: type }))).filter(
      ({ error_type }) => type === undefined || error_type === type,
    );
    const hits = [...grouped(found.sort(byLatest), failureKey).values()];
    // The most frequent first; the sort is stable, so then the latest.
    hits.sort((a, b) => b.length - a.length);
    const rowsOf = (groups: readonly NodeRef<typeof TraceError>[][]) =>
      errorGroups(groups, context, asked ? OF_ONE : IN_LIST);
    return listAnswer(LIST, { hits, notes: [], isAll: true }, state, rowsOf, ({ total }) => ({ total }));
  },
  markdown: ({ errors, total }) => {
    const width = Math.max(...errors.map(({ count }) => String(count).length));
    const none = 'No error that fits is recorded here.';
    const words = ['error', 'errors', ', the most frequent first'] as const;
    return listMarkdown(errors, words, (group) => groupLines(group, width), { total, none });
  },
});

/** The rows of failures. @param groups The errors of each, the latest first. @param most What one row names at most. */
export async function errorGroups(
  groups: readonly NodeRef<typeof TraceError>[][],
  context: ReadContext,
  most = IN_LIST,
): Promise<ErrorGroup[]> {
  const { q, projectRoot: root } = context;
  const story = { placeOf: placesIn(root), root };
  const steps = q(groups.flatMap((group) => group.slice(0, most.latest)))
    .in(StepHasError)
    .of(Step);
  const attempts = new Map<string, Attempt>();
  for await (const attempt of readAttempts(context, await steps.in(TaskHasStep).ids()))
    for (const event of attempt.events) if (event.kind === 'error') attempts.set(event.error.id, attempt);
  return groups.flatMap((errors): ErrorGroup[] => {
    const [latest] = errors;
    if (!latest) return [];
    const { fingerprint, error_type, message, id: error_id, created_at } = latest;
    const met = errors.slice(0, most.latest).flatMap(({ id }) => {
      const attempt = attempts.get(id);
      return attempt ? [{ id, task: attempt.task, ...resolutionRow(attempt, id, story) }] : [];
    });
    const tasks = new Map(met.map(({ task: { id, status } }) => [id, { task_id: id, status }]));
    const resolutions = new Map<string, ErrorGroup['resolved_by'][number]>();
    for (const { resolved_by: row, task } of met)
      if (row && !resolutions.has(row.step_id)) resolutions.set(row.step_id, { ...row, task_id: task.id });
    const tests = [...new Set(errors.flatMap(failedTests))].sort(compareText);
    return [
      {
        ...{ fingerprint, error_type, message: stripHidden(message.slice(0, MESSAGE)), error_id },
        count: errors.length,
        first_at: errors.at(-1)?.created_at ?? null,
        last_at: created_at,
        tasks: [...tasks.values()].slice(0, most.tasks),
        tests: tests.slice(0, most.tests),
        resolved_by: [...resolutions.values()].slice(0, most.resolutions),
        later: met.find(({ id }) => id === error_id)?.later ?? null,
      },
    ];
  });
}

function groupLines(group: ErrorGroup, width: number): string[] {
  const { error_type, message, error_id, count, first_at, last_at, tasks, tests, resolved_by, later } = group;
  const [fix, ...others] = resolved_by;
  const when = [...new Set([first_at, last_at].map((time) => minuteOf(time ?? '')))].join(' to ');
  const names = tasks.slice(0, LISTED).map(({ task_id }) => handleOf(task_id));
  const more = tasks.length > LISTED ? ` and ${tasks.length - LISTED} more` : '';
  return [
    `- ${String(count).padStart(width)} x  ${error_type.padEnd('compile_error'.length)}  ${when}`,
    ...[
      ...quotedLines(message, BELOW),
      ...(tests.length > 0 ? [`failing: ${listedNames(tests, LISTED, BELOW - 30)}`] : []),
      `${handleOf(error_id)}${names.length > 0 ? ` in ${names.join(', ')}${more}` : ''}`,
      ...(fix ? resolutionLines(fix, ` in ${handleOf(fix.task_id)}`) : [later ?? 'nothing fixed it yet']),
      ...(others.length > 0 ? [`and ${plural(others.length, 'other time')}`] : []),
    ].map(below),
  ];
}
