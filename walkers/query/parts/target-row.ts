import { z } from 'zod';
import { plural, quotedName, shownLine } from '../../../present/index.js';
import { isTestPath } from '../../../source/index.js';
import type { Named } from '../../find-symbol.js';
import { kindOf, qualifiedName } from './code-node.js';
import { shownOf } from './shown-rows.js';

/** What an answer is about (P-03). What is outside of the project has no place. */
export const TargetRow = z.object({
  id: z.string().optional(),
  qualified_name: z.string(),
  kind: z.string(),
  file_path: z.string().optional(),
  line_start: z.number().int().optional(),
  /** Of one of several: how many rows it has before the cut, and how many of these are in tests. */
  total: z.number().int().optional(),
  in_tests: z.number().int().optional(),
});
export type TargetRow = z.infer<typeof TargetRow>;

/** What every answer about a name says first: the symbol, or the first symbols of an ambiguous name, each with its own rows. */
export const targetFields = {
  target: TargetRow.optional(),
  targets: z.array(TargetRow).optional(),
};
/** See {@link targetFields}. */
export interface TargetFields {
  readonly target?: TargetRow | undefined;
  readonly targets?: TargetRow[] | undefined;
}

/** A row's place in `targets`; only where there are several. */
export const targetField = { target: z.number().int().optional() };

/** The row of what a name led to. @param withPaths False: it says nothing of where that stands. */
export function targetRow(node: Named, withPaths = true): TargetRow {
  const row = { qualified_name: qualifiedName(node), kind: kindOf(node) };
  if (!withPaths) return row;
  const line = 'start_line' in node ? (node.name_line ?? node.start_line) : 1;
  return { id: node.id, ...row, ...('path' in node ? { file_path: node.path, line_start: line } : {}) };
}

/**
 * What an answer is about, of several each with its number of rows.
 *
 * @param of The paths of all that a target has, by its place.
 */
export function withTotals(
  head: TargetFields,
  of: (at: number) => readonly (string | null | undefined)[],
): TargetFields {
  const targets = head.targets?.map((target, at) => {
    const paths = of(at);
    const in_tests = paths.filter((path) => isTestPath(path ?? '')).length;
    return { ...target, total: paths.length, ...(in_tests > 0 ? { in_tests } : {}) };
  });
  return targets ? { targets } : head;
}

/** `src/a.ts:12`; empty where the row does not say it. */
export function placeOf({ file_path, line_start }: TargetRow): string {
  return file_path === undefined ? '' : `${shownLine(file_path, 200)}:${line_start}`;
}

/** What a target is, in a line: `` `auth.login` function, src/auth.py:12 ``. */
export function targetText(row: TargetRow): string {
  const place = placeOf(row);
  return `${quotedName(row.qualified_name)} ${row.kind}${place === '' ? '' : `, ${place}`}`;
}

/** What a question is about, for the head of an answer: `` (`auth.login` function, src/auth.py:12) ``. */
export function aboutText({ target, targets = [] }: TargetFields): string {
  if (target) return ` (${targetText(target)})`;
  return targets.length > 0 ? ` (${targets.length} symbols)` : '';
}

/**
 * The lines of rows; of an ambiguous name in groups below their targets, those without rows included.
 *
 * @param line Of a row one line or more. @param noun What a row is called.
 */
export function groupedLines<R extends { readonly target?: number | undefined }>(
  { targets }: TargetFields,
  rows: readonly R[],
  line: (row: R) => string | readonly string[],
  noun = 'row',
): string[] {
  if (!targets) return rows.flatMap(line);
  return targets.flatMap((target, at) => {
    const own = rows.filter((row) => row.target === at);
    const head = `${targetText(target)}:${countText(target, own.length, noun)}`;
    return [...(at > 0 ? [''] : []), head, ...own.flatMap(line)];
  });
}

/** How many rows a target has, where not all are shown: ` none.`, ` 3 callers, all in tests.`, ` 5 of 12 callers.` */
function countText({ total = 0, in_tests = 0 }: TargetRow, shown: number, noun: string): string {
  if (total <= shown) return shown === 0 ? ' none.' : '';
  if (shown > 0) return ` ${shownOf(shown, total, noun)}.`;
  const inTests = in_tests > 0 ? `, ${in_tests} of them in tests` : '';
  return ` ${plural(total, noun)}${in_tests === total ? ', all in tests' : `, not shown here${inTests}`}.`;
}
