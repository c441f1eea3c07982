import { cutText, type Draft, draftBy } from '../../../present/index.js';
import { LIMITS } from '../../../schema/index.js';
import type { AttemptRow } from './attempt-rows.js';

/** Characters of a shortened text. */
const SHORT = 120;
/** Lines of a shortened change. */
const FEW_LINES = 2;

/** What is left out, in this order (P-02): what mended a failure stays longest. */
const SHRINK: readonly (readonly [what: string, shorter: (row: AttemptRow) => AttemptRow])[] = [
  ['Lines that changes took out', (row) => withChanges(row, ({ removed: _, ...change }) => change)],
  ['Long lists', (row) => ({ ...row, ...shortLists(row) })],
  ['Long texts', shortTexts],
  [
    'Most lines of changes',
    (row) =>
      withChanges(row, (change) =>
        change.now ? { ...change, now: change.now.slice(0, FEW_LINES) } : change,
      ),
  ],
  ['Errors', (row) => ({ ...row, errors: [], failed: null })],
  ['Texts', (row) => ({ ...row, summary: '', why: '' })],
];

/** What a list of attempts answers. */
interface Attempts {
  readonly results: readonly AttemptRow[];
  readonly summary_markdown: string;
}

/** The draft of an answer with attempts: its summary, which says the rows again, is cut first. */
export function attemptsDraft<O extends Attempts>(whole: O): Draft<O> {
  return draftBy(whole, {
    limit: LIMITS.lookupTokens,
    lists: [{ at: 'results', what: 'attempts' }],
    less: [
      { field: 'summary_markdown', what: '`summary_markdown`' },
      ...SHRINK.map(([what, shorter]) => ({ of: 'results', what, shorter })),
    ],
  });
}

type Change = NonNullable<AttemptRow['resolved_by']>['changes'][number];

function withChanges(row: AttemptRow, change: (change: Change) => Change): AttemptRow {
  if (!row.resolved_by) return row;
  return { ...row, resolved_by: { ...row.resolved_by, changes: row.resolved_by.changes.map(change) } };
}

function shortLists({
  step_ids,
  tool_ids,
  error_ids,
  files,
  errors,
  again,
}: AttemptRow): Partial<AttemptRow> {
  const few = <T>(list: readonly T[]) => list.slice(0, 3);
  return {
    step_ids: few(step_ids).slice(0, 1),
    tool_ids: few(tool_ids),
    error_ids: few(error_ids),
    files: few(files),
    errors: errors.slice(0, 1),
    again: few(again).slice(0, 1),
  };
}

function shortTexts(row: AttemptRow): AttemptRow {
  const short = (text: string) => cutText(text, SHORT);
  return {
    ...row,
    summary: short(row.summary),
    why: short(row.why),
    errors: row.errors.map((error) => ({ ...error, message: short(error.message) })),
    failed: row.failed && { ...row.failed, message: short(row.failed.message) },
  };
}
