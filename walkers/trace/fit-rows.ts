import { LIMITS } from '../../schema/index.js';
import { largestThatFits, tokensOf } from '../token-budget.js';

const { lookupTokens } = LIMITS;

/** Rows that fit, and what was left out for it. */
export interface FittedRows<T> {
  readonly rows: readonly T[];
  readonly cut: readonly string[];
}

/** What rows may take, in tokens. */
export interface RowsBudget {
  /** The caller's `max_tokens`; undefined: none was given. */
  readonly asked: number | undefined;
  /** Without one fields shrink above it. Default: that of look-ups. */
  readonly fields?: number;
}

/**
 * Makes rows fit a budget (P-02): fields first, for all rows alike, in the order of `shrinks`; rows fall, the last one
 * first, only above a budget that the caller gave, or above the ceiling.
 *
 * @param what The rows' name in the plural.
 * @param shrinks What is left out, each on top of those before.
 */
export function fitRows<T>(
  whole: readonly T[],
  what: string,
  { asked, fields: usual = lookupTokens.default }: RowsBudget,
  shrinks: readonly ((row: T) => T)[],
): FittedRows<T> {
  const fields = asked ?? usual;
  const most = asked ?? lookupTokens.max;
  let rows = whole;
  for (const shrink of shrinks) {
    if (tokensOf(rows) <= fields) break;
    rows = rows.map(shrink);
  }
  const fits = largestThatFits(rows.length, (count) => tokensOf(rows.slice(0, count)) <= most);
  const cut = [
    ...(JSON.stringify(rows) === JSON.stringify(whole)
      ? []
      : [`Texts and lists of the ${what} are shortened.`]),
    ...(fits < rows.length ? [`The first ${fits} of ${rows.length} ${what} are shown.`] : []),
  ];
  const more = cut.length > 0 ? [`max_tokens up to ${lookupTokens.max} gives more.`] : [];
  return { rows: rows.slice(0, fits), cut: [...cut, ...more] };
}

/** A text of at most so many characters, cut with `…`. */
export function short(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
