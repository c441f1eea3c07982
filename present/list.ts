import { offsetsOf } from './cursor.js';
import { type DetailAt, draftBy, presented } from './draft.js';
import { plural } from './markdown.js';
import type { TokenLimit } from './tokens.js';

/** The list of an answer; what it is called is `at`, if nothing else is said. */
interface ListShape<A extends string> {
  readonly at: A;
  readonly what?: string;
  readonly tokens: TokenLimit;
  /** What rows say shorter before they are left out, in this order. */
  readonly less: readonly Omit<DetailAt, 'of'>[];
}

/** What was found, in the order of the list. `isAll`: there are no more; default: where the hits do not fill the page. */
export interface Found<T> {
  readonly hits: readonly T[];
  readonly notes: readonly string[];
  readonly isAll?: boolean;
}

/** The rows that are asked for: without a limit all, behind those of `offset` and of the cursor's pages. */
export interface Page {
  readonly cursor?: string | undefined;
  readonly offset?: number;
  readonly limit?: number;
}

/** How many rows have to be found for a page, with one that tells whether there are more. */
export function mostOf({ cursor, offset = 0, limit = 0 }: Page): number {
  return offset + (offsetsOf(cursor)[0] ?? 0) + limit + 1;
}

/** A page of a list as an answer. @param rowsOf Makes its rows. @param more Makes the other fields of the answer. */
export async function listAnswer<A extends string, T, R, M extends object>(
  { at, what = at, tokens, less }: ListShape<A>,
  { hits, notes, isAll }: Found<T>,
  { cursor, offset = 0, limit = Number.POSITIVE_INFINITY }: Page,
  rowsOf: (some: readonly T[]) => Promise<R[]>,
  more: (page: { readonly total: number; readonly has_more: boolean }) => M,
) {
  const [from = 0] = offsetsOf(cursor);
  const total = hits.length - offset;
  const has_more = total > from + limit;
  const rows = await rowsOf(hits.slice(offset + from, offset + from + limit));
  const list = { [at]: rows } as Record<A, R[]>;
  const shape = {
    limit: tokens,
    lists: [{ at, what, from, total, isExact: isAll ?? !has_more }],
    less: less.map((detail) => ({ of: at, ...detail })),
  };
  return presented(draftBy({ ...list, ...more({ total, has_more }), state: { cut: notes } }, shape));
}

/**
 * A list as Markdown: its title, `3 of 12 tasks` and what stands behind that, then the lines of each row. What the record
 * says must be quoted in them: it is data.
 */
export function listMarkdown<R>(
  rows: readonly R[],
  [one, many, order]: readonly [one: string, many: string, order: string],
  linesOf: (row: R) => readonly string[],
  { total = rows.length, none }: { readonly total?: number; readonly none?: string } = {},
): string {
  if (rows.length === 0 && none !== undefined) return `${none}\n`;
  const count = plural(total, one, many);
  const which = rows.length < total ? `${rows.length} of ${count}` : count;
  return [`## ${which}${order}`, '', ...rows.flatMap(linesOf), ''].join('\n');
}
