import { largestThatFits } from '../../token-budget.js';
import type { AttemptRow } from './attempt-rows.js';

/** Rows that fit, and what was left out for it. */
export interface FittedAttempts {
  readonly rows: readonly AttemptRow[];
  readonly cut: readonly string[];
}

/** What one representation may take, in tokens. */
export interface AttemptsBudget {
  /** Above it fields are left out. */
  readonly fields: number;
  /** Above it rows fall, the last one first. */
  readonly rows: number;
  /** What rows take in this representation. */
  readonly cost: (rows: readonly AttemptRow[]) => number;
}

/** Characters of a shortened text. */
const SHORT = 120;
/** Lines of a shortened change. */
const FEW_LINES = 2;

/** What is left out, in this order, of all rows (P-02): what mended a failure stays longest. */
const SHRINK: readonly (readonly [name: string, shrink: (row: AttemptRow) => AttemptRow])[] = [
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

/** Makes rows fit: fields first, for all rows alike; rows fall only above the rows' budget. */
export function fitAttempts(whole: readonly AttemptRow[], budget: AttemptsBudget): FittedAttempts {
  const cut: string[] = [];
  let rows = whole;
  for (const [name, shrink] of SHRINK) {
    if (budget.cost(rows) <= budget.fields) break;
    const shrunk = rows.map(shrink);
    if (budget.cost(shrunk) < budget.cost(rows)) cut.push(`${name} were left out.`);
    rows = shrunk;
  }
  if (budget.cost(rows) > budget.rows) {
    const all = rows;
    rows = all.slice(
      0,
      largestThatFits(all.length, (count) => budget.cost(all.slice(0, count)) <= budget.rows),
    );
    cut.push(`${all.length - rows.length} of ${all.length} attempts were left out.`);
  }
  return { rows, cut };
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
  const short = (text: string) => (text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text);
  return {
    ...row,
    summary: short(row.summary),
    why: short(row.why),
    errors: row.errors.map((error) => ({ ...error, message: short(error.message) })),
    failed: row.failed && { ...row.failed, message: short(row.failed.message) },
  };
}
