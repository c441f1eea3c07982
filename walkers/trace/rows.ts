import { z } from 'zod';
import { Failure } from '../../failures/index.js';
import {
  type Attempt,
  type Change,
  failureOf,
  isProse,
  type StoryContext,
  sidesOf,
} from '../../graphs/trace/index.js';
import { cutText, type DetailAt, firstLine, plural, quotedName, shownLine } from '../../present/index.js';
import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  isRecord,
  StepHasError,
  StepInvokesTool,
  TASK_STATUSES,
  type Task,
  TaskHasStep,
  type TraceError,
} from '../../schema/index.js';

/* Rows that answers about traces have in common, and their Markdown of 80 columns. */

const text = z.string();
const texts = z.array(text);
const count = z.number().int();
const maybe = text.nullable();

/** Changes of one fix, and characters of a quoted line. */
const MOST_CHANGES = 3;
const QUOTED = 60;
/** Characters of a prompt and of a test's name, and of a name that a client gave a task. */
const PROMPT = 200;
const NAME = 30;

/**
 * One change: an edit, or a command that was run. `removed`, `now`: lines that it took out, and new lines; where they
 * were only taken out, or are short, with those around them.
 */
export const ChangeRow = z.object({
  ...{ kind: z.enum(['edit', 'command']), tool_id: text, file: maybe },
  /** Where its new lines stand in the file now; null: nowhere, or in several places. */
  line: count.nullable(),
  ...{ removed: texts.optional(), now: texts.optional(), command: maybe, reported: text.optional() },
});
export type ChangeRow = z.infer<typeof ChangeRow>;

/** A change as a row. */
export function changeRow(change: Change): ChangeRow {
  const { tool, kind, file, line, command, reported } = change;
  const { removed, added } = sidesOf(change);
  const sides = kind === 'edit' ? { removed, now: added } : {};
  return { kind, tool_id: tool, file, line, ...sides, command, ...(reported === null ? {} : { reported }) };
}

/**
 * What resolved an error: changes that succeeded after it and before what failed passed; `passed` is false where a
 * person only reported the fix. `tried`: what was tried before in the same files, and did not help.
 */
export const ResolutionRow = z.object({
  step_id: text,
  changes: z.array(ChangeRow),
  passed: z.boolean(),
  tried: z.array(ChangeRow),
});
export type ResolutionRow = z.infer<typeof ResolutionRow>;

/** What resolved a failure; where nothing is known to, how its run passed later all the same. */
export function resolutionRow(attempt: Attempt, source: string, story: StoryContext) {
  const {
    fixes = [],
    passed = false,
    tried = [],
    later = null,
  } = failureOf(attempt, source, null, story) ?? {};
  const step_id = fixes.at(-1)?.step;
  const rowsOf = (changes: readonly Change[]) => changes.map(changeRow);
  const row = {
    changes: rowsOf(fixes.slice(0, MOST_CHANGES)),
    passed,
    tried: rowsOf(tried.slice(-MOST_CHANGES)),
  };
  const resolved_by: ResolutionRow | null = step_id === undefined ? null : { step_id, ...row };
  return { resolved_by, later };
}

function ownLine(lines: readonly string[] = [], others: readonly string[] = []): string | undefined {
  return lines.find((line) => !others.includes(line)) ?? lines[0];
}

/** A resolution in lines of 80 columns: what was done, then one line of each side. */
export function resolutionLines({ changes, passed, tried }: ResolutionRow, where = ''): string[] {
  const [first, ...rest] = changes;
  if (!first) return [];
  const { kind, file, line, command, reported, now, removed } = first;
  const place = file === null ? 'a file' : quotedName(file, QUOTED);
  const edit = `an edit of ${place}${line === null ? '' : ` line ${line}`}`;
  const what = kind === 'command' ? `running ${quotedName(command ?? '', QUOTED)}` : edit;
  const more = rest.length > 0 ? ` and ${plural(rest.length, 'other change')}` : '';
  const said = (label: string, line: string | undefined) =>
    line === undefined ? [] : [`  ${label} ${quotedName(line, QUOTED)}`];
  let head = `fixed${where} by ${what}${more}`;
  // That a test passes says nothing of what people read.
  if (file !== null && isProse(file)) head = `passed after ${what}${more}${where}`;
  if (!passed) head = `a fix was reported${where}, not checked by a run${file === null ? '' : `: ${place}`}`;
  return [
    head,
    ...said('reported:', reported),
    ...said('now', ownLine(now, removed)),
    ...said('was', ownLine(removed, now)),
    ...tried.flatMap(({ now, removed, reported }) =>
      said('did not help:', reported ?? ownLine(now, removed) ?? 'an edit'),
    ),
  ];
}

/** One task in a list. */
export const TaskRow = z.object({
  ...{ task_id: text, status: z.enum(TASK_STATUSES), created_at: text, ended_at: maybe },
  ...{ client: maybe, session_id: maybe, prompt: text },
  ...{ steps: count, tools: count, errors: count, files: texts },
});
export type TaskRow = z.infer<typeof TaskRow>;

/** A task as a row of a list. */
export async function taskRow(task: NodeRef<typeof Task>, { q }: Pick<ReadContext, 'q'>): Promise<TaskRow> {
  const steps = q(task).out(TaskHasStep);
  const { id: task_id, status, created_at, ended_at, client, session_id } = task;
  return {
    ...{ task_id, status, created_at, ended_at, client, session_id },
    prompt: firstLine(task.user_prompt, PROMPT),
    steps: (await steps.ids()).length,
    tools: (await steps.out(StepInvokesTool).ids()).length,
    errors: (await steps.out(StepHasError).ids()).length,
    files: [...task.files_touched],
  };
}

/** `1 step, 3 tools, no error`. */
export function countsOf({ steps, tools, errors }: TaskRow): string {
  return [plural(steps, 'step'), plural(tools, 'tool'), plural(errors, 'error')].join(', ');
}

/** Columns whose texts are cut where an answer does not fit, and the lists that keep all entries. */
const LONG_TEXTS = ['prompt', 'message', 'summary', 'said', 'command', 'reason', 'why'];
const WHOLE_LISTS = ['events', 'failures', 'fixed_by'];

/** How the rows of a list, and those within them, say less in steps. @param sizes Characters of texts, entries of lists. */
export function shorterRows(sizes: readonly { text: number; items: number }[], of?: string): DetailAt[] {
  return sizes.map(({ text, items }) => {
    const shorter = (value: unknown, column: string): unknown => {
      if (typeof value === 'string') return LONG_TEXTS.includes(column) ? cutText(value, text) : value;
      if (Array.isArray(value))
        return (WHOLE_LISTS.includes(column) ? value : value.slice(0, items)).map((one) => shorter(one, ''));
      if (!isRecord(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shorter(one, name)]));
    };
    const at = of === undefined ? {} : { of };
    return { ...at, what: 'Texts and lists', shorter: (row: unknown) => shorter(row, 'said') };
  });
}

/** An id made of a hash, up to as many digits as tell the tasks of a lifetime apart. */
const HASHED = /^(?:task|error):[0-9a-v]{10}(?=[0-9a-v]{10,}$)/u;

/** A short name of a task or an error: the beginning of its id, enough to ask for it by. */
export function handleOf(id: string): string {
  return HASHED.exec(id)?.[0] ?? shownLine(id, NAME);
}

/** A line of details under an entry of a list. */
export const below = (line: string): string => `    ${line}`;

/** A text from outside between backquotes, in at most so many lines; what is longer is cut with `…`. */
export function quotedLines(said: string, columns: number, most = 2): string[] {
  const lines: string[] = [];
  let rest = quotedName(said, columns * most - 2);
  const [, ticks = '', blank = ''] = /^(`+)( ?)/u.exec(rest) ?? [];
  const fence = blank + ticks;
  while (rest.length > columns && lines.length < most - 1) {
    const space = rest.lastIndexOf(' ', columns);
    const end = space > columns / 2 ? space : columns;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest.length <= columns ? rest : `${rest.slice(0, columns - 1 - fence.length)}…${fence}`];
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
