import { largestThatFits, tokensOf } from '../token-budget.js';
import type { StepRow, TaskRow } from './task-rows.js';

/** What an answer about tasks shows, and what it lacks. */
export interface Shown<T> {
  readonly rows: readonly T[];
  readonly cut: readonly string[];
}

/** How long the texts and lists of a row may be: shorter ones are tried where the longer do not fit. */
const SIZES = [
  { text: 2000, items: 50 },
  { text: 300, items: 20 },
  { text: 80, items: 5 },
  { text: 40, items: 2 },
] as const;
type Size = (typeof SIZES)[number];

/** Tasks within a budget: files fall first, then the last rows. */
export function fitTasks(rows: readonly TaskRow[], tokens: number): Shown<TaskRow> {
  return fitted(rows, tokens, 'tasks', (row, { items }) => ({ ...row, files: row.files.slice(0, items) }));
}

/** Steps within a budget: texts, files and uses of tools are shortened first, then the last steps fall. */
export function fitSteps(rows: readonly StepRow[], tokens: number): Shown<StepRow> {
  return fitted(rows, tokens, 'steps', (row, { text, items }) => ({
    ...row,
    summary: short(row.summary, text),
    files: row.files.slice(0, items),
    // The last ones tell how it went on.
    tools: row.tools.slice(-items).map((tool) => ({ ...tool, files: tool.files.slice(0, items) })),
    errors: row.errors.slice(-items).map((error) => ({ ...error, message: short(error.message, text) })),
    checkpoints: row.checkpoints.slice(-items),
  }));
}

function fitted<T>(
  rows: readonly T[],
  tokens: number,
  what: string,
  shrink: (row: T, size: Size) => T,
): Shown<T> {
  let shown: readonly T[] = rows;
  for (const size of SIZES) {
    shown = rows.map((row) => shrink(row, size));
    if (tokensOf(shown) <= tokens) {
      const isWhole = JSON.stringify(shown) === JSON.stringify(rows);
      return {
        rows: shown,
        cut: isWhole ? [] : [`Texts and lists of the ${what} are shortened; max_tokens gives more.`],
      };
    }
  }
  const most = largestThatFits(shown.length, (length) => tokensOf(shown.slice(0, length)) <= tokens);
  return {
    rows: shown.slice(0, most),
    cut: [`The first ${most} of ${rows.length} ${what} are listed, shortened; max_tokens gives more.`],
  };
}

function short(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
