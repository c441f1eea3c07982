import { LIMITS } from '../../../schema/index.js';
import { largestThatFits, tokensOf } from '../../token-budget.js';
import type { Detail } from './code-node.js';

const { lookupTokens } = LIMITS;

/** What an answer may hold. */
export interface AnswerSize {
  /** What its rows are called, in the plural. */
  readonly what: string;
  /** Rows that there are. */
  readonly total: number;
  /** Rows that the tool shows at most (S0-59). */
  readonly cap: number;
  /** How the caller gets the rest where the tool's own cut took rows: a sentence's end. */
  readonly narrower: string;
  /** The caller's `max_tokens`; undefined: none was given. */
  readonly asked: number | undefined;
}

/** An answer that fits. */
export interface FittedAnswer<B> {
  readonly body: B;
  /** Rows in it. */
  readonly rows: number;
  /** Which rows fell, and how to get them. */
  readonly cut: readonly string[];
  /** Which fields of all rows are shorter or left out, and how to get them. Markdown shows none of these. */
  readonly shrunk: readonly string[];
}

/** What fields are left out in, one after the other, with what an answer says of it. */
const DETAILS: readonly (readonly [Detail, string])[] = [
  ['full', ''],
  ['short', 'Decorators are shortened'],
  ['bare', 'Ids and decorators are left out'],
];

/**
 * Makes an answer fit (P-02): first fields of all rows shrink; rows fall, the last first, only at the tool's own cut,
 * above a budget that the caller gave, or above the ceiling.
 *
 * @param make The body with so many rows in so much detail, whatever follows from them included.
 */
export function fitAnswer<B extends object>(
  make: (rows: number, detail: Detail) => B,
  { what, total, cap, narrower, asked }: AnswerSize,
): FittedAnswer<B> {
  const most = Math.min(total, cap);
  const own = most < total ? [`The first ${most} of ${total} ${what} are shown: ${narrower}.`] : [];
  const more = `max_tokens up to ${lookupTokens.max} gives more.`;
  let shrunk: string[] = [];
  let before = 0;
  for (const [detail, said] of DETAILS) {
    const body = make(most, detail);
    const tokens = tokensOf(body);
    // Rows of some kinds have nothing that could be left out.
    if (tokens < before) shrunk = [`${said}: ${more}`];
    before = tokens;
    const budget = asked ?? (detail === 'bare' ? lookupTokens.max : lookupTokens.default);
    if (tokens <= budget) return { body, rows: most, cut: own, shrunk };
  }
  const fits = (count: number) => tokensOf(make(count, 'bare')) <= (asked ?? lookupTokens.max);
  const rows = largestThatFits(most, fits);
  return {
    body: make(rows, 'bare'),
    rows,
    cut: [`The first ${rows} of ${total} ${what} fit: ${more}`],
    shrunk,
  };
}
