import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CodewalkError, isRecord } from '../schema/index.js';

/*
 * The budget of an answer (P-02). A walker gives its whole answer with a shape: its lists, and what rows say shorter.
 * `fitted` makes it in the largest size that fits one form, and says what is left out and how to get it.
 */

/** Characters that one token takes, about: the usual figure for English and code. */
const CHARACTERS_PER_TOKEN = 4;
/** No row takes less, in any form. */
const LEAST_CHARACTERS = 8;
const LONGEST_CURSOR = 200;
/** Figures of a cursor are written in this base: it is short, and nobody reads it. */
const BASE = 36;
/** A row that no answer reaches: a cursor beyond it was not made by an answer. */
const LAST_OFFSET = 1_000_000;
/** Fields of a question that do not change which rows there are. */
const PAGING: ReadonlySet<string> = new Set(['cursor', 'limit', 'max_nodes', 'max_tokens']);

/** Tokens where the caller names none, and at most. */
interface TokenLimit {
  readonly default: number;
  readonly max: number;
}

/** One list of an answer by its path, with what is known of its rows. */
export interface ListAt {
  /** `results.callers` */
  readonly at: string;
  /** What its rows are called, in the plural. */
  readonly what: string;
  /** Paths of lists that have an entry for each row. */
  readonly with?: readonly string[];
  /** Rows that there are, with those before and after what the answer holds. Default: those that it holds. */
  readonly total?: number;
  /** False: there are at least so many. Default true. */
  readonly isExact?: boolean;
  /** The number of the first row that the answer holds. Default 0. */
  readonly from?: number;
  /** Rows that stay until all other lists have no more than theirs. Default 0. */
  readonly least?: number;
  /** Rows that a page shows at most. Default: all. */
  readonly most?: number;
  /** Whether rows fall from the beginning: the latest stay. Default false. */
  readonly latest?: boolean;
  /** How a caller asks for fewer rows: a sentence's end, as `` `scope` narrows them ``. */
  readonly narrower?: string;
}

/** Something that an answer can say shorter before rows fall: a field of the rows of one list, or one long text. */
export interface DetailAt {
  /** The list whose rows have it, `*` for any name on the way; undefined: it is one text of the answer. */
  readonly of?: string;
  /** Its path within a row, or within the answer (where without `shorter` it is a text, which is cut at its end); lists on the way mean each of their entries: `calls.text`. Default: the row. */
  readonly field?: string;
  /** Makes it shorter. Default: as `to` and `as` say. */
  readonly shorter?: (value: never) => unknown;
  /** What is left out: in the plural where rows have it, `Source lines`. */
  readonly what: string;
  /** Characters or entries that stay. Default: it is left out. */
  readonly to?: number;
  /** What stands in its place where it is left out. Default: nothing. */
  readonly as?: null | '';
}

/** How an answer is made smaller. */
export interface Shape<W extends object, O extends object = W> {
  readonly limit: TokenLimit;
  /** The most important first: rows of the last one fall first. */
  readonly lists: readonly ListAt[];
  /** In the order in which they are left out. */
  readonly less?: readonly DetailAt[];
  /** Whether rows fall before details: one text is what was asked for. Default false. */
  readonly rowsFirst?: boolean;
  /** The revision of the code graph that rows follow from. Default null: they are records. */
  readonly revision?: number | null;
  /** Makes what follows from the rows that are shown: counts, edges between them. */
  readonly settle?: (output: W) => O;
}

type Rows = Omit<ListAt, 'with'> & { readonly rows: number; readonly total: number; readonly from: number };
type Detail = Pick<DetailAt, 'what'> & {
  readonly shortened: boolean;
  readonly unit: 'rows' | 'characters';
  /** Rows that have it, or characters of it, at most. */
  readonly size: number;
};
/** What is shown: of each list the first row, from the answer's own first one, and how many; of each detail how many rows keep it, or characters stay. */
interface View {
  readonly rows: readonly { readonly from: number; readonly count: number }[];
  readonly keep: readonly number[];
}

/** An answer that can be made in any size. */
export interface Draft<O extends object = object> {
  readonly limit: TokenLimit;
  readonly lists: readonly Rows[];
  readonly less: readonly Detail[];
  readonly rowsFirst: boolean;
  readonly revision: number | null;
  make(view: View): O;
}

/** A draft with all that it holds. */
type WholeDraft<O extends object = object> = Draft<O> & { readonly whole: O };

const DRAFT = Symbol('draft');

/** The draft of an answer with this shape. */
export function draftBy<W extends object, O extends object = W>(whole: W, shape: Shape<W, O>): Draft<O> {
  const { lists, less = [], settle = (output: W) => output as unknown as O } = shape;
  return {
    limit: shape.limit,
    revision: shape.revision ?? null,
    rowsFirst: shape.rowsFirst ?? false,
    lists: lists.map(({ with: _, ...list }) => {
      const [from, rows] = [list.from ?? 0, longestAt(whole, list.at.split('.'))];
      return { ...list, rows, from, total: list.total ?? from + rows };
    }),
    less: less.map((detail) => detailOf(whole, detail)),
    make: ({ rows, keep }) => withLess(settle(withRows(whole, lists, rows)), less, keep),
  };
}

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

function detailOf(whole: object, { of, field, what, to, shorter }: DetailAt): Detail {
  if (of !== undefined) {
    const shortened = to !== undefined || shorter !== undefined;
    return { what, unit: 'rows', size: longestAt(whole, of.split('.')), shortened };
  }
  if (shorter) return { what, unit: 'rows', size: 1, shortened: true };
  const text = (field ?? '')
    .split('.')
    .reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), whole);
  return { what, unit: 'characters', size: String(text ?? '').length, shortened: false };
}

/** How many rows the list of a path has; with `*` on the way the longest. */
function longestAt(value: unknown, [key, ...rest]: readonly string[]): number {
  if (key === undefined) return Array.isArray(value) ? value.length : 0;
  if (!isRecord(value)) return 0;
  if (key === '*') return Math.max(0, ...Object.values(value).map((one) => longestAt(one, rest)));
  return longestAt(value[key], rest);
}

function withLess<O extends object>(output: O, less: readonly DetailAt[], keep: readonly number[]): O {
  return less.reduce((made, detail, at) => {
    const limit = keep[at] ?? Number.POSITIVE_INFINITY;
    if (limit === Number.POSITIVE_INFINITY) return made;
    const { of, field, shorter } = detail;
    const path = field?.split('.') ?? [];
    const lessText = (value: unknown) => {
      if (!shorter) return firstOf(value, limit);
      return limit > 0 ? value : shorter(value as never);
    };
    if (of === undefined) return changed(made, path, lessText) as O;
    const lessRow = (row: unknown) => changed(row, path, (value) => lessOf(value, detail));
    return changed(made, of.split('.'), (rows) =>
      Array.isArray(rows) ? rows.map((row, number) => (number < limit ? row : lessRow(row))) : rows,
    ) as O;
  }, output);
}

function withRows<O extends object>(whole: O, lists: readonly ListAt[], rows: View['rows']): O {
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

/** Tokens that a text, or a value as JSON, takes, about. */
export function tokensOf(value: unknown): number {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/**
 * The largest number from 0 to `most` whose cost is within a limit, where costs never fall; 0 when none is. Costs grow
 * about evenly, so the next question is where a straight line would cross the limit. While answers come from one side it
 * is a step further that way, each twice as long: soon there is one from the other side, and little between them.
 */
export function largestThatFits(most: number, limit: number, costOf: (count: number) => number): number {
  let [low, high] = [0, Math.max(0, most)];
  let highCost = costOf(high);
  if (highCost <= limit) return high;
  let lowCost = costOf(low);
  if (lowCost > limit) return 0;
  for (let step = 0; high - low > 1; ) {
    const crossing = low + Math.floor(((limit - lowCost) / (highCost - lowCost)) * (high - low));
    const middle = Math.max(low + 1, Math.min(high - 1, crossing + step));
    const cost = costOf(middle);
    if (cost <= limit) {
      [low, lowCost] = [middle, cost];
      step = step > 0 ? 2 * step : 1;
    } else {
      [high, highCost] = [middle, cost];
      step = step < 0 ? 2 * step : -1;
    }
  }
  return low;
}

/** What an answer says of what it leaves out. */
export interface Extent {
  /** Sentences. */
  readonly cut: readonly string[];
  /** Of the next page; null: this is the last. */
  readonly cursor: string | null;
}

/** An answer that fits, with what it says of itself. */
export interface Fitted<O> extends Extent {
  readonly output: O;
}

/**
 * Makes an answer in the largest size that fits one form of it: first details are left out, one after the other, each
 * from the last row on; then rows fall from the end, those of the last list first.
 *
 * @param cost Tokens that the form takes, with all that is said with the output.
 * @throws CodewalkError `INVALID_INPUT` for a cursor of another question, or of a graph that has changed since.
 */
export function fitted<O extends object>(
  draft: Draft<O> & Partial<Pick<WholeDraft<O>, 'whole'>>,
  asked: Asked,
  cost: (output: O, extent: Extent) => number,
): Fitted<O> {
  const tokens = asked.tokens ?? draft.limit.default;
  const offsets = asked.cursor === undefined ? [] : checkedOffsets(asked.cursor, asked.question, draft);
  const starts = draft.lists.map(({ from }, at) => Math.max(0, (offsets[at] ?? 0) - from));
  const most = Math.ceil((tokens * CHARACTERS_PER_TOKEN) / LEAST_CHARACTERS);
  const counts = draft.lists.map((list, at) =>
    Math.min(most, list.most ?? most, Math.max(0, list.rows - (starts[at] ?? 0))),
  );
  const keep = draft.less.map(() => Number.POSITIVE_INFINITY);
  /** What was made last: it is asked for again. */
  let last: { readonly numbers: readonly number[]; readonly fitted: Fitted<O> } | null = null;
  const made = (): Fitted<O> => {
    const numbers = [...counts, ...keep];
    if (last?.numbers.every((number, at) => number === numbers[at])) return last.fitted;
    const view = { rows: counts.map((count, at) => ({ from: starts[at] ?? 0, count })), keep: [...keep] };
    const isWhole =
      draft.lists.every(({ rows }, at) => counts[at] === rows && starts[at] === 0) &&
      keep.every((limit) => limit === Number.POSITIVE_INFINITY);
    const output = (isWhole ? draft.whole : undefined) ?? draft.make(view);
    last = { numbers, fitted: { output, ...extentOf(draft, view, asked.question, tokens) } };
    return last.fitted;
  };
  const costNow = () => {
    const { output, ...extent } = made();
    return cost(output, extent);
  };
  const bare = () => cost(made().output, { cut: [], cursor: null });
  /** The cost of what is shown, with what is said of what is not. */
  let now = costNow();
  /** Sets a number to the largest that fits, the least where none does. Whether one does. */
  const shrink = (numbers: number[], at: number, size: number, least: number): boolean => {
    const costs = new Map([[size - least, now]]);
    const costOf = (count: number): number => {
      numbers[at] = least + count;
      const known = costs.get(count) ?? costNow();
      costs.set(count, known);
      return known;
    };
    const count = largestThatFits(size - least, tokens, costOf);
    now = costOf(count);
    return now <= tokens;
  };
  const fitsWithLess = () => {
    let before = bare();
    return draft.less.some(({ size }, at) => {
      keep[at] = 0;
      const after = bare();
      // What this form does not show is not left out of it.
      if (after >= before) {
        keep[at] = Number.POSITIVE_INFINITY;
        return false;
      }
      before = after;
      if (after <= tokens) return shrink(keep, at, size, 0);
      // What is said of what is left out only adds to it.
      now = after;
      return false;
    });
  };
  const lastFirst = [...draft.lists.keys()].reverse();
  const fitsWithRows = () =>
    [true, false].some((holdsLeast) =>
      lastFirst.some((at) => {
        const count = counts[at] ?? 0;
        const least = holdsLeast ? Math.min(draft.lists[at]?.least ?? 0, count) : 0;
        return count > least && shrink(counts, at, count, least);
      }),
    );
  const [first, second] = draft.rowsFirst ? [fitsWithRows, fitsWithLess] : [fitsWithLess, fitsWithRows];
  if (now > tokens && !first()) second();
  return made();
}

function extentOf(
  { lists, less, limit, revision }: Draft,
  { rows, keep }: View,
  question: string,
  tokens: number,
): Extent {
  const pages = lists.map((list, at) => {
    const { from, count } = rows[at] ?? { from: 0, count: 0 };
    const first = list.from + from;
    return { ...list, first, end: first + count, fell: from + count < list.rows };
  });
  const partial = pages.filter(({ first, end, total }) => (first > 0 && first < total) || end < total);
  const left = partial.filter(({ end, total }) => end < total);
  // Of what was shortened more than once the last one says most.
  const texts = new Map(
    less.flatMap((detail, at) => lessText(detail, keep[at] ?? 0).map((text) => [detail.what, text])),
  );
  const shorter = [...texts.values()];
  const moves = left.length > 0 && pages.some(({ first, end }) => end > first);
  const isSmaller = shorter.length > 0 || left.some(({ fell }) => fell);
  const ways = [
    ...(moves ? ['the next page gives more'] : []),
    ...(isSmaller && tokens < limit.max ? [`max_tokens up to ${limit.max} gives more`] : []),
    ...left.flatMap(({ narrower }) => narrower ?? []),
  ];
  const [page, ...others] = partial;
  const verb = others.length === 0 && page && page.end - page.first === 1 ? 'is' : 'are';
  const shown = `${partial.map(pageText).join(', ')} ${verb} shown`;
  const said = [
    ...(partial.length > 0 ? [`${shown.charAt(0).toUpperCase()}${shown.slice(1)}`] : []),
    ...shorter,
  ];
  const [head, tail] = [said.join('. '), [...new Set(ways)].join(', ')];
  const figures = [revision ?? '', ...pages.map(({ end }) => end)].map((one) => one.toString(BASE));
  return {
    cut: said.length === 0 ? [] : [tail === '' ? `${head}.` : `${head}: ${tail}.`],
    cursor: moves ? [question, ...figures].join('.') : null,
  };
}

function pageText({
  what,
  first,
  end,
  total: count,
  isExact,
  latest,
}: Rows & { first: number; end: number }) {
  const total = isExact === false ? `at least ${count}` : count;
  if (end === first) return `none of ${total} ${what}`;
  const side = latest ? 'last' : 'first';
  if (first === 0) return `the ${end === 1 ? side : `${side} ${end}`} of ${total} ${what}`;
  return `${what} ${first + 1} to ${end} of ${total}${latest ? ' from the end' : ''}`;
}

function lessText({ what, unit, size, shortened }: Detail, limit: number): string[] {
  if (limit >= size) return [];
  if (unit === 'characters')
    return [limit === 0 ? `${what} is left out` : `${what} is cut at ${limit} characters`];
  const from = limit === 0 ? '' : ` from row ${limit + 1} on`;
  return [`${what} are ${shortened ? 'shortened' : 'left out'}${from}`];
}

/** The input fields of a walker that lists rows: the budget of an answer, in tokens, and its page. */
export function pageFields(limit: TokenLimit) {
  return {
    max_tokens: z.number().int().min(1).max(limit.max).optional().describe(`Default ${limit.default}`),
    cursor: z
      .string()
      .max(LONGEST_CURSOR)
      .optional()
      .describe('state.cursor')
      .meta({ help: 'Next rows: state.cursor of the answer before' }),
  };
}

/** The input field of a number within bounds, as of the rows that a list shows at most. */
export function limitField({ min, max, default: usual }: { min: number; max: number; default: number }) {
  return z.number().int().min(min).max(max).default(usual);
}

/** What is asked of an answer: its budget and its page. */
export interface Asked {
  /** The caller's `max_tokens`; undefined: the answer's default. */
  readonly tokens: number | undefined;
  /** Where the page begins; undefined: at the first row. */
  readonly cursor: string | undefined;
  /** Identifies the question, whatever its page and its budget: eight characters. */
  readonly question: string;
}

/** What an input asks of a walker's answer. @param root The project's; null for a graph in memory. */
export function askedOf(
  { name, input: schema }: { readonly name: string; readonly input: z.ZodType },
  root: string | null,
  given: Readonly<Record<string, unknown>>,
): Asked {
  const { max_tokens: tokens, cursor } = given;
  const input = (schema.safeParse(given).data ?? given) as object;
  const fields = Object.entries(input).filter(([field, value]) => !PAGING.has(field) && value !== undefined);
  const question = JSON.stringify([name, root, fields.sort(([a], [b]) => (a < b ? -1 : 1))]);
  return {
    tokens: typeof tokens === 'number' ? tokens : undefined,
    cursor: typeof cursor === 'string' ? cursor : undefined,
    question: createHash('sha256').update(question).digest('base64url').slice(0, 8),
  };
}

/** Rows of each list that the pages before a cursor have shown; empty without one. @throws CodewalkError `INVALID_INPUT` for a text that is no cursor. */
export function offsetsOf(cursor: string | undefined): readonly number[] {
  return cursor === undefined ? [] : readCursor(cursor).offsets;
}

/** A cursor has the question, the revision (empty for records, which grow while they are paged) and an offset for each list. */
function readCursor(text: string) {
  const [question = '', revision = '', ...rest] = text.split('.');
  const figure = (one: string) => (/^[0-9a-z]{1,8}$/u.test(one) ? Number.parseInt(one, BASE) : Number.NaN);
  const offsets = rest.map(figure);
  const isRead = question.length === 8 && offsets.length > 0 && offsets.every((one) => one <= LAST_OFFSET);
  if (!isRead || (revision !== '' && Number.isNaN(figure(revision))))
    throw wrongCursor(text, 'is not a valid cursor');
  return { question, revision: revision === '' ? null : figure(revision), offsets };
}

function checkedOffsets(text: string, question: string, { revision, lists }: Draft): readonly number[] {
  const cursor = readCursor(text);
  if (cursor.question !== question || cursor.offsets.length !== lists.length)
    throw wrongCursor(text, 'belongs to another question');
  if (cursor.revision !== revision) throw wrongCursor(text, 'is of an older graph: files have changed since');
  return cursor.offsets;
}

function wrongCursor(text: string, why: string): CodewalkError {
  return new CodewalkError('INVALID_INPUT', `cursor: '${text}' ${why}`, {
    input: text,
    suggestion: 'Ask without `cursor`: the answer names the cursor of its next page.',
  });
}

/** What was found, in the order of the list. `isAll`: there are no more; default: where the hits do not fill the page. */
export interface Found<T> {
  readonly hits: readonly T[];
  readonly notes: readonly string[];
  readonly isAll?: boolean;
}

/** The rows that are asked for: without a limit all, after those of `offset` and of the cursor's pages. */
export interface Page {
  readonly cursor?: string | undefined;
  readonly offset?: number;
  readonly limit?: number;
}

/** How many rows have to be found for a page, with one more that shows whether there are others. */
export function mostOf({ cursor, offset = 0, limit = 0 }: Page): number {
  return offset + (offsetsOf(cursor)[0] ?? 0) + limit + 1;
}

/** A page of a list as an answer; rows are called as the list is. @param rowsOf Makes its rows. @param more Makes the other fields of the answer. */
export async function listAnswer<A extends string, T, R, M extends object>(
  list: { at: A; what?: string; tokens: TokenLimit; less: readonly Omit<DetailAt, 'of'>[] },
  { hits, notes, isAll }: Found<T>,
  { cursor, offset = 0, limit = Number.POSITIVE_INFINITY }: Page,
  rowsOf: (some: readonly T[]) => Promise<R[]>,
  more: (page: { readonly total: number; readonly has_more: boolean }) => M,
) {
  const { at, what = at, tokens, less } = list;
  const [from = 0] = offsetsOf(cursor);
  const total = hits.length - offset;
  const has_more = total > from + limit;
  const rows = await rowsOf(hits.slice(offset + from, offset + from + limit));
  const whole = {
    ...({ [at]: rows } as Record<A, R[]>),
    ...more({ total, has_more }),
    state: { cut: notes },
  };
  const lists = [{ at, what, from, total, isExact: isAll ?? !has_more }];
  const details = less.map((detail) => ({ of: at, ...detail }));
  return presented(draftBy(whole, { limit: tokens, lists, less: details }));
}
