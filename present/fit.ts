import { type Asked, type Cursor, cursorText, readCursor, wrongCursor } from './cursor.js';
import type { Detail, Draft, RowList, View } from './draft.js';
import { CHARACTERS_PER_TOKEN, largestThatFits } from './tokens.js';

/** No row takes less, in any form. */
const LEAST_CHARACTERS = 8;

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
 * Makes an answer in the largest size that fits one form of it (P-02): first details are left out, one after the other,
 * each from the last row on; then rows fall from the end, those of the last list first.
 *
 * @param cost Tokens that the form takes, with all that is told beside the output.
 * @throws CodewalkError `INVALID_INPUT` for a cursor of another question, or of a graph that has changed since.
 */
export function fitted<O extends object>(
  draft: Draft<O>,
  asked: Asked,
  cost: (output: O, extent: Extent) => number,
): Fitted<O> {
  const tokens = asked.tokens ?? draft.limit.default;
  const offsets =
    asked.cursor === undefined ? [] : checkedCursor(asked.cursor, asked.question, draft).offsets;
  const starts = draft.lists.map(({ from }, at) => Math.max(0, (offsets[at] ?? 0) - from));
  const most = Math.ceil((tokens * CHARACTERS_PER_TOKEN) / LEAST_CHARACTERS);
  const counts = draft.lists.map((list, at) =>
    Math.min(most, list.most ?? most, Math.max(0, list.rows - (starts[at] ?? 0))),
  );
  const keep = draft.less.map(() => Number.POSITIVE_INFINITY);
  const made = (): Fitted<O> => {
    const view = { rows: counts.map((count, at) => ({ from: starts[at] ?? 0, count })), keep };
    return { output: draft.make(view), ...extentOf(draft, view, asked.question, tokens) };
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
  const last = [...draft.lists.keys()].reverse();
  const fitsWithRows = () =>
    [(list: RowList) => list.least, () => 0].some((leastOf) =>
      last.some((at) => {
        const [list, count = 0] = [draft.lists[at], counts[at]];
        const least = list ? Math.min(leastOf(list), count) : 0;
        return count > least && shrink(counts, at, count, least);
      }),
    );
  const [first, second] = draft.rowsFirst ? [fitsWithRows, fitsWithLess] : [fitsWithLess, fitsWithRows];
  if (now > tokens && !first()) second();
  return made();
}

function checkedCursor(text: string, question: string, { revision, lists }: Draft): Cursor {
  const cursor = readCursor(text);
  if (cursor.question !== question || cursor.offsets.length !== lists.length)
    throw wrongCursor(text, 'belongs to another question');
  if (cursor.revision !== revision) throw wrongCursor(text, 'is of an older graph: files have changed since');
  return cursor;
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
  // Of what was shortened more than once the last time tells most.
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
  const said = [
    ...(partial.length > 0 ? [capital(`${partial.map(pageText).join(', ')} ${verb} shown`)] : []),
    ...shorter,
  ];
  const [head, tail] = [said.join('. '), [...new Set(ways)].join(', ')];
  return {
    cut: said.length === 0 ? [] : [tail === '' ? `${head}.` : `${head}: ${tail}.`],
    cursor: moves ? cursorText({ question, revision, offsets: pages.map(({ end }) => end) }) : null,
  };
}

function pageText({ what, first, end, total: count, isExact, latest }: Page): string {
  const total = isExact === false ? `at least ${count}` : count;
  if (end === first) return `none of ${total} ${what}`;
  const side = latest ? 'last' : 'first';
  if (first === 0) return `the ${end === 1 ? side : `${side} ${end}`} of ${total} ${what}`;
  return `${what} ${first + 1} to ${end} of ${total}${latest ? ' from the end' : ''}`;
}

function lessText({ what, unit, size, shortened = false }: Detail, limit: number): string[] {
  if (limit >= size) return [];
  if (unit === 'characters')
    return [limit === 0 ? `${what} is left out` : `${what} is cut at ${limit} characters`];
  const from = limit === 0 ? '' : ` from row ${limit + 1} on`;
  return [`${what} are ${shortened ? 'shortened' : 'left out'}${from}`];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Page extends RowList {
  readonly first: number;
  readonly end: number;
}
