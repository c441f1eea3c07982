import { z } from 'zod';
import { type Attempt, type AttemptEvent, CONFIDENCES, type Ranked } from '../../../graphs/trace/index.js';
import { compareText, type NodeRef } from '../../../runtime/index.js';
import { TASK_STATUSES, type TraceError } from '../../../schema/index.js';
import { firstLine, shownLine } from '../../shown-text.js';
import { changedLines } from './changed-lines.js';
import { failureText } from './failure-text.js';
import { type Mend, mendOf } from './mend.js';

/** Characters of a prompt or a summary. */
const SUMMARY = 300;
/** Characters of an error's message, and of a command. */
const MESSAGE = 300;
/** Ids, files and errors of one attempt that a row names; of longer lists the first. */
const MOST = 10;
/** Items of a list that a sentence names. */
const LISTED = 6;
/** Changes of one mend, and errors that are shown. */
const MOST_CHANGES = 3;

const text = z.string();
const texts = z.array(text);

/** One change that mended a failure. */
export const ChangeRow = z.object({
  /** `edit` or `command`. */
  kind: z.enum(['edit', 'command']),
  tool_id: text,
  /** Root-relative where it is in the project; null for a command. */
  file: text.nullable(),
  /** Lines that are no longer there. */
  removed: texts.optional(),
  /** Lines that are new; where lines were only taken out, those around them. */
  now: texts.optional(),
  command: text.nullable(),
});
export type ChangeRow = z.infer<typeof ChangeRow>;

/** One earlier attempt. */
export const AttemptRow = z.object({
  /** From 0 to 1; results are sorted by it, attempts that go on last. */
  score: z.number(),
  /** `low`: nothing that is really alike; do not act on it. */
  confidence: z.enum(CONFIDENCES),
  task_id: text,
  status: z.enum(TASK_STATUSES),
  created_at: text,
  step_ids: texts,
  tool_ids: texts,
  error_ids: texts,
  /** Root-relative paths that it touched. */
  files: texts,
  errors: z.array(z.object({ error_id: text, error_type: text, message: text })),
  /** The use of a tool that failed, where no error was recorded that tells it; null where none did. */
  failed: z.object({ tool_id: text, tool_name: text, message: text }).nullable(),
  /** What was asked, and what its steps say they did. */
  summary: text,
  /** What followed the failure; null where nothing did. */
  resolved_by: z
    .object({
      changes: z.array(ChangeRow),
      /** Whether the same command, or the same edit, succeeded afterwards. */
      passed: z.boolean(),
    })
    .nullable(),
  why: text,
  /** Other attempts at the same prompt with the same files, for which this one stands. */
  again: texts,
});
export type AttemptRow = z.infer<typeof AttemptRow>;

/** An attempt as a row. @param root Paths below it are shown without it; null: none. */
export function attemptRow(attempt: Attempt, ranked: Ranked, root: string | null): AttemptRow {
  const { task, steps, events } = attempt;
  const source = ranked.failure?.source ?? null;
  const mend = mendOf(attempt, source);
  const errors = events.flatMap((event) => (event.kind === 'error' ? [event.error] : []));
  return {
    score: rounded(ranked.score),
    confidence: ranked.confidence,
    task_id: task.id,
    status: task.status,
    created_at: task.created_at,
    step_ids: steps.slice(0, MOST).map(({ id }) => id),
    tool_ids: toolIds(events, source),
    error_ids: errors.slice(0, MOST).map(({ id }) => id),
    files: task.files_touched.slice(0, MOST),
    errors: unequal(errors)
      .slice(0, MOST_CHANGES)
      .map(({ id, error_type, message }) => ({
        error_id: id,
        error_type,
        message: shownLine(message, MESSAGE),
      })),
    failed: errors.length > 0 ? null : failedTool(events, source),
    summary: summaryOf(attempt),
    resolved_by: mend && {
      changes: mend.changes.slice(0, MOST_CHANGES).map((change) => changeRow(change, root)),
      passed: mend.passed !== null,
    },
    why: whyOf(ranked),
    again: ranked.again.slice(0, MOST),
  };
}

/** Of errors that read the same the first. */
function unequal(errors: readonly NodeRef<typeof TraceError>[]): NodeRef<typeof TraceError>[] {
  const told = new Map<string, NodeRef<typeof TraceError>>();
  for (const error of errors) {
    const shown = `${error.error_type} ${shownLine(error.message, MESSAGE)}`;
    if (!told.has(shown)) told.set(shown, error);
  }
  return [...told.values()];
}

/** @param source The one that is like the question goes before the first one. */
function failedTool(events: readonly AttemptEvent[], source: string | null): AttemptRow['failed'] {
  const failures = events.flatMap((event) =>
    event.kind === 'tool' && event.ok === false ? [event.tool] : [],
  );
  const tool = failures.find(({ id }) => id === source) ?? failures[0];
  if (!tool) return null;
  const printed = [tool.stderr, tool.stdout].join('\n');
  const message = firstLine(failureText(printed).telling, MESSAGE) || firstLine(printed, MESSAGE);
  return { tool_id: tool.id, tool_name: shownLine(tool.tool_name), message };
}

/** A change that mended a failure as a row. @param root Paths below it are shown without it; null: none. */
export function changeRow({ tool, use }: Mend['changes'][number], root: string | null): ChangeRow {
  const { file, command } = use;
  const isEdit = command === null;
  return {
    kind: isEdit ? 'edit' : 'command',
    tool_id: tool.id,
    file: file === null ? null : relative(file, root),
    ...(isEdit ? changedLines(use) : {}),
    command: command === null ? null : shownLine(command, MESSAGE),
  };
}

/** The invocation that is like the question stands first. */
function toolIds(events: readonly AttemptEvent[], source: string | null): string[] {
  const ids = events.flatMap((event) => (event.kind === 'tool' ? [event.tool.id] : []));
  const first = ids.filter((id) => id === source);
  return [...first, ...ids.filter((id) => id !== source)].slice(0, MOST);
}

function summaryOf({ task, steps }: Attempt): string {
  const said = steps.map(({ llm_summary }) => firstLine(llm_summary, SUMMARY)).filter((line) => line !== '');
  return shownLine([firstLine(task.user_prompt, SUMMARY), ...new Set(said)].join(' / '), 2 * SUMMARY);
}

/** Why an attempt is named, in words. */
function whyOf({ failure, shared, again, attempt }: Ranked): string {
  const { tests, files, words } = shared;
  const reasons = [
    again.length > 0 ? `tried ${again.length + 1} times` : '',
    tests.length > 0 ? `failed in both: ${listed(byLength(tests))}` : '',
    failure?.same ? 'the same error' : '',
    files.length > 0 ? `touched ${listed(files)}` : '',
    words.length > 0 ? `words in common: ${listed(words)}` : '',
    attempt.open ? 'it has not ended' : '',
  ];
  return reasons.filter((reason) => reason !== '').join('; ');
}

/** Tests before their cases. */
function byLength(names: readonly string[]): string[] {
  return [...names].sort((a, b) => a.length - b.length || compareText(a, b));
}

/** The first few of a list, and how many more there are. */
function listed(items: readonly string[]): string {
  const shown = items.slice(0, LISTED).map((item) => shownLine(item, 80));
  const more = items.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A path as the project knows it; one that is not below `root` stays as it is. */
export function relative(file: string, root: string | null): string {
  return root !== null && file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
}

function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
