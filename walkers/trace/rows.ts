import { z } from 'zod';
import { Failure } from '../../failures/index.js';
import { type Attempt, type Change, failureOf, type StoryContext } from '../../graphs/trace/index.js';
import { plural, quotedName, shownLine } from '../../present/index.js';
import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  StepHasError,
  StepInvokesTool,
  TASK_STATUSES,
  type Task,
  TaskHasStep,
  type TraceError,
} from '../../schema/index.js';

/*
 * Rows that several answers about traces have in common, and how they are written in Markdown of 80 columns.
 */

const text = z.string();
const texts = z.array(text);
const count = z.number().int();

/** Changes of one fix, and characters of a quoted line. */
const MOST_CHANGES = 3;
const QUOTED = 60;
/** Characters of a prompt, and of a name that a client gave a task. */
const PROMPT = 200;
const NAME = 30;

/** One change: an edit, or a command that was run. */
export const ChangeRow = z.object({
  kind: z.enum(['edit', 'command']),
  tool_id: text,
  /** Root-relative where it is in the project; null for a command. */
  file: text.nullable(),
  /** Where its new lines stand in the file now; null: nowhere, or in several places. */
  line: count.nullable(),
  /** Lines that it took out, and new lines; where lines were only taken out, those around them. */
  removed: texts.optional(),
  now: texts.optional(),
  command: text.nullable(),
});
/** See {@link ChangeRow}. */
export type ChangeRow = z.infer<typeof ChangeRow>;

/** A change as a row. */
export function changeRow({ tool, kind, file, line, removed, added, command }: Change): ChangeRow {
  const sides = kind === 'edit' ? { removed: [...removed], now: [...added] } : {};
  return { kind, tool_id: tool, file, line, ...sides, command };
}

/** What resolved an error: changes that succeeded after it and before what failed passed. */
export const ResolutionRow = z.object({
  step_id: text,
  /** The most relevant first. */
  changes: z.array(ChangeRow),
  /** Always true: nothing else counts as resolved. */
  passed: z.boolean(),
});
/** See {@link ResolutionRow}. */
export type ResolutionRow = z.infer<typeof ResolutionRow>;

/** What resolved a failure of an attempt; null where nothing was seen to. */
export function resolutionRow(attempt: Attempt, source: string, story: StoryContext): ResolutionRow | null {
  const fixes = failureOf(attempt, source, null, story)?.fixes ?? [];
  const step = fixes.at(-1)?.step;
  if (step === undefined) return null;
  return { step_id: step, changes: fixes.slice(0, MOST_CHANGES).map(changeRow), passed: true };
}

/** A resolution with few changes and few lines of each. */
export function shortResolution(row: ResolutionRow, items: number): ResolutionRow {
  const changes = row.changes.slice(0, items).map(({ removed, now, ...change }) => ({
    ...change,
    ...(removed ? { removed: removed.slice(0, items) } : {}),
    ...(now ? { now: now.slice(0, items) } : {}),
  }));
  return { ...row, changes };
}

/** A resolution in lines of 80 columns: what was done, then one line of each side. */
export function resolutionLines({ changes }: Pick<ResolutionRow, 'changes'>, where = ''): string[] {
  const [first, ...rest] = changes;
  if (!first) return [];
  const more = rest.length > 0 ? ` and ${plural(rest.length, 'other change')}` : '';
  const place = first.file === null ? 'a file' : quotedName(first.file, QUOTED);
  const what =
    first.kind === 'command'
      ? `running ${quotedName(first.command ?? '', QUOTED)}`
      : `an edit of ${place}${first.line === null ? '' : ` line ${first.line}`}`;
  const [now, was] = [first.now?.[0], first.removed?.[0]];
  return [
    `fixed${where} by ${what}${more}`,
    ...(now === undefined ? [] : [`  now ${quotedName(now, QUOTED)}`]),
    ...(was === undefined ? [] : [`  was ${quotedName(was, QUOTED)}`]),
  ];
}

/** One task in a list. */
export const TaskRow = z.object({
  task_id: text,
  status: z.enum(TASK_STATUSES),
  created_at: text,
  ended_at: text.nullable(),
  client: text.nullable(),
  session_id: text.nullable(),
  /** The first line of what was asked. */
  prompt: text,
  steps: count,
  tools: count,
  errors: count,
  /** Root-relative, by name. */
  files: z.array(text),
});
/** See {@link TaskRow}. */
export type TaskRow = z.infer<typeof TaskRow>;

/** A task as a row of a list. */
export async function taskRow(task: NodeRef<typeof Task>, { q }: Pick<ReadContext, 'q'>): Promise<TaskRow> {
  const steps = q(task).out(TaskHasStep);
  const { id: task_id, status, created_at, ended_at, client, session_id } = task;
  return {
    ...{ task_id, status, created_at, ended_at, client, session_id },
    prompt: shownLine(task.user_prompt.split('\n').find((line) => line.trim() !== '') ?? '', PROMPT),
    steps: (await steps.ids()).length,
    tools: (await steps.out(StepInvokesTool).ids()).length,
    errors: (await steps.out(StepHasError).ids()).length,
    files: [...task.files_touched],
  };
}

/** An id made of a hash, up to as many digits as tell the tasks of a lifetime apart. */
const HASHED = /^(?:task|error):[0-9a-v]{10}(?=[0-9a-v]{10,}$)/u;

/** A short name of a task or an error: the beginning of its id, enough to ask for it by. */
export function handleOf(id: string): string {
  return HASHED.exec(id)?.[0] ?? shownLine(id, NAME);
}

/** `1 step, 3 tools, no error`. */
export function countsOf({ steps, tools, errors }: Pick<TaskRow, 'steps' | 'tools' | 'errors'>): string {
  return [plural(steps, 'step'), plural(tools, 'tool'), plural(errors, 'error')].join(', ');
}

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** A time to the minute: `2026-01-31 12:05`. */
export function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

/** How long something took, in at most 7 characters: `12 ms`, `3.4 s`, `12 min`, `2.5 h`. */
export function tookText(ms: number): string {
  const rounded = (number: number) => (number < 10 ? number.toFixed(1) : String(Math.round(number)));
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${rounded(ms / SECOND)} s`;
  if (ms < HOUR) return `${rounded(ms / MINUTE)} min`;
  return ms < DAY ? `${rounded(ms / HOUR)} h` : `${Math.round(ms / DAY)} d`;
}

/**
 * A text from outside between backquotes, in a few lines that are broken at spaces where there are some.
 *
 * @param columns Of a line.
 * @param most Lines; what is longer is cut with `…`.
 */
export function quotedLines(said: string, columns: number, most = 2): string[] {
  const lines: string[] = [];
  let rest = quotedName(said, columns * most - 2);
  while (rest.length > columns && lines.length < most - 1) {
    const space = rest.lastIndexOf(' ', columns);
    const end = space > columns / 2 ? space : columns;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  if (rest.length <= columns) return [...lines, rest];
  return [...lines, `${rest.slice(0, columns - 2)}…\``];
}

/** The first names of a list, each by its end, which says more of tests and paths than the beginning. */
export function listedNames(names: readonly string[], most: number, columns: number): string {
  const room = Math.floor(columns / Math.min(most, names.length));
  const shown = names.slice(0, most).map((name) => {
    const line = shownLine(name, name.length);
    return quotedName(line.length > room ? `…${line.slice(1 - room)}` : line, room);
  });
  return `${shown.join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;
}

/** The names of the tests that an error reports, sorted. */
export function failedTests({
  tests,
  failure,
}: Pick<NodeRef<typeof TraceError>, 'tests' | 'failure'>): string[] {
  const parsed = Failure.safeParse(failure).data?.tests.map(({ name }) => name) ?? [];
  return [...new Set(tests.length > 0 ? tests : parsed)]
    .map((name) => shownLine(name, PROMPT))
    .sort(compareText);
}
