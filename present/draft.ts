import { isRecord } from '../schema/index.js';
import type { TokenLimit } from './tokens.js';

/** One list of rows of an answer. */
export interface RowList {
  /** What its rows are called, in the plural. */
  readonly what: string;
  readonly rows: number;
  /** Rows that there are, with those before and behind what the draft holds. */
  readonly total: number;
  /** False: there are at least so many. Default true. */
  readonly isExact?: boolean;
  /** The number of the first row that the draft holds, from 0. */
  readonly from: number;
  /** Rows that stay until all other lists have no more than theirs. */
  readonly least: number;
  /** Rows that a page shows at most. Default: all. */
  readonly most?: number;
  /** Whether rows fall from the beginning: the latest stay. Default false. */
  readonly latest?: boolean;
  /** How a caller asks for fewer rows: a sentence's end, as `` `scope` narrows them ``. */
  readonly narrower?: string;
}

/** Something that an answer can say shorter before rows fall: a field of the rows of one list, or one long text. */
export interface Detail {
  /** What is left out: in the plural where rows have it, `Source lines`. */
  readonly what: string;
  /** Whether something of it stays. Default false. */
  readonly shortened?: boolean;
  readonly unit: 'rows' | 'characters';
  /** Rows that have it, or characters of it, at most. */
  readonly size: number;
}

/** What of a draft is shown. */
export interface View {
  /** Of each list: the first row, counted from the draft's own first one, and how many. */
  readonly rows: readonly { readonly from: number; readonly count: number }[];
  /** Of each detail: how many of the first rows shown keep it, or how many characters of it stay. */
  readonly keep: readonly number[];
}

/** An answer that can be made in any size: its whole content and what of it may be left out (P-02). */
export interface Draft<O extends object = object> {
  readonly limit: TokenLimit;
  /** The most important first: rows of the last one fall first. */
  readonly lists: readonly RowList[];
  /** In the order in which they are left out. */
  readonly less: readonly Detail[];
  /** Whether rows fall before details: one text is what was asked for. Default false. */
  readonly rowsFirst?: boolean;
  /** The revision of the code graph that rows follow from; null where they are records. */
  readonly revision: number | null;
  make(view: View): O;
}

/** A draft with all that it holds. */
export interface WholeDraft<O extends object = object> extends Draft<O> {
  readonly whole: O;
}

const DRAFT = Symbol('draft');

/** An answer as a walker's `finish` gives it: whole, with the draft that makes it smaller. */
export function presented<O extends object>(draft: Draft<O>): O {
  const rows = draft.lists.map((list) => ({ from: 0, count: list.rows }));
  const whole = draft.make({ rows, keep: draft.less.map(() => Number.POSITIVE_INFINITY) });
  return withDraft({ ...whole }, { ...draft, whole });
}

/** Adds a draft to a value that stands for its answer. */
export function withDraft<T extends object>(value: T, draft: WholeDraft): T {
  return Object.defineProperty(value, DRAFT, { value: draft });
}

/** The draft of an answer, or of a run that gave one; null for one that has no budget. */
export function draftOf(value: object | null | undefined): WholeDraft | null {
  return (value as { [DRAFT]?: WholeDraft } | null | undefined)?.[DRAFT] ?? null;
}

/** A list of an answer by its path, with what is known of its rows. */
export interface ListAt extends Partial<Omit<RowList, 'what' | 'rows'>> {
  /** `results.callers` */
  readonly at: string;
  readonly what: string;
  /** Paths of lists that have an entry for each row. */
  readonly with?: readonly string[];
}

/** A detail of an answer by its path. */
export interface DetailAt {
  /** The list whose rows have it, `*` for any name on the way; undefined: it is one text of the answer. */
  readonly of?: string;
  /** Its path within a row, or within the answer (where without `shorter` it is a text, which is cut at its end); lists on the way mean each of their entries: `calls.text`. Default: the row. */
  readonly field?: string;
  /** Makes it shorter. Default: as `to` and `as` say. */
  readonly shorter?: (value: never) => unknown;
  readonly what: string;
  /** Characters or entries that stay. Default: it is left out. */
  readonly to?: number;
  /** What stands in its place where it is left out. Default: nothing. */
  readonly as?: null | '';
}

/** How an answer is made smaller, by paths. */
export interface Shape<O extends object> {
  readonly limit: TokenLimit;
  readonly lists: readonly ListAt[];
  readonly less?: readonly DetailAt[];
  /** See {@link Draft.rowsFirst}. */
  readonly rowsFirst?: boolean;
  /** See {@link Draft.revision}. Default null. */
  readonly revision?: number | null;
  /** Makes what follows from the rows that are shown: counts, edges between them. */
  readonly settle?: (output: O) => O;
}

/** The draft of an answer whose rows and details are found by paths. */
export function draftBy<O extends object>(whole: O, shape: Shape<O>): Draft<O> {
  const {
    limit,
    lists,
    less = [],
    rowsFirst = false,
    revision = null,
    settle = (output: O) => output,
  } = shape;
  return {
    limit,
    revision,
    rowsFirst,
    lists: lists.map(({ at, with: _, total, from = 0, least = 0, ...list }) => {
      const rows = listAt(whole, at).length;
      return { ...list, rows, from, least, total: total ?? from + rows };
    }),
    less: less.map((detail) => detailOf(whole, detail)),
    make: ({ rows, keep }) => withLess(settle(withRows(whole, lists, rows)), less, keep),
  };
}

function detailOf(whole: object, { of, field, what, to, shorter }: DetailAt): Detail {
  if (of !== undefined)
    return {
      what,
      unit: 'rows',
      size: listAt(whole, of).length,
      shortened: to !== undefined || shorter !== undefined,
    };
  if (shorter) return { what, unit: 'rows', size: 1, shortened: true };
  return { what, unit: 'characters', size: String(valueAt(whole, field ?? '') ?? '').length };
}

/** Leaves details out of an answer. @param keep As {@link View.keep}. */
export function withLess<O extends object>(output: O, less: readonly DetailAt[], keep: readonly number[]): O {
  return less.reduce((made, detail, at) => {
    const limit = keep[at] ?? Number.POSITIVE_INFINITY;
    if (limit === Number.POSITIVE_INFINITY) return made;
    const { of, field, shorter } = detail;
    const path = field?.split('.') ?? [];
    if (of === undefined)
      return changed(made, path, (value) =>
        shorter ? (limit > 0 ? value : shorter(value as never)) : firstOf(value, limit),
      ) as O;
    const lessRow = (row: unknown) => changed(row, path, (value) => lessOf(value, detail));
    return changed(made, of.split('.'), (rows) =>
      Array.isArray(rows) ? rows.map((row, number) => (number < limit ? row : lessRow(row))) : rows,
    ) as O;
  }, output);
}

/** Leaves rows out of the lists of an answer. @param rows As {@link View.rows}. */
export function withRows<O extends object>(whole: O, lists: readonly ListAt[], rows: View['rows']): O {
  return lists.reduce((made, list, at) => {
    const { from = 0, count = 0 } = rows[at] ?? {};
    const shown = (all: unknown) => {
      if (!Array.isArray(all)) return all;
      const first = list.latest ? Math.max(0, all.length - from - count) : from;
      return all.slice(first, list.latest ? all.length - from : from + count);
    };
    return [list.at, ...(list.with ?? [])].reduce(
      (one, path) => changed(one, path.split('.'), shown) as O,
      made,
    );
  }, whole);
}

/** A value with what a path leads to changed; what becomes undefined is left out. What is not there stays so. */
function changed(
  value: unknown,
  [key, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((one) => changed(one, [key, ...rest], change));
  if (!isRecord(value)) return value;
  if (key === '*')
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one, rest, change)]));
  if (!(key in value)) return value;
  const made = changed(value[key], rest, change);
  if (made !== undefined) return { ...value, [key]: made };
  const { [key]: _, ...others } = value;
  return others;
}

function lessOf(value: unknown, { to, as, shorter }: DetailAt): unknown {
  if (shorter) return shorter(value as never);
  // What is empty says that there is none: it stays.
  const isEmpty = value === '' || value === null || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return value;
  return to === undefined ? as : firstOf(value, to);
}

/** The first characters of a text, with `…`, or the first entries of a list. */
function firstOf(value: unknown, most: number): unknown {
  if (Array.isArray(value)) return value.slice(0, most);
  return typeof value === 'string' ? cutText(value, most) : value;
}

/** A text of at most so many characters, cut with `…`. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return most === 0 ? '' : `${text.slice(0, most - 1)}…`;
}

function listAt(whole: unknown, path: string): readonly unknown[] {
  const list = valueAt(whole, path);
  return Array.isArray(list) ? list : [];
}

function valueAt(whole: unknown, path: string): unknown {
  return path.split('.').reduce((at, key) => (isRecord(at) ? at[key] : undefined), whole);
}
