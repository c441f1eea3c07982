import type { DetailAt, ListAt } from '../../../present/index.js';

/** What an answer may hold. */
export interface AnswerSize {
  /** What its rows are called, in the plural. */
  readonly what: string;
  /** Rows that there are. */
  readonly total: number;
  /** Rows that the page shows at most (S0-59). */
  readonly cap: number;
  /** How the caller gets fewer rows: a sentence's end. */
  readonly narrower: string;
  /** The number of the page's first row, from 0: `make` knows the rows from there on. Default 0. */
  readonly from?: number;
  /** False: there are at least so many. Default true. */
  readonly isExact?: boolean;
  /** Lists beside the rows, by their paths in the answer: they fall first. */
  readonly beside?: readonly ListAt[];
  /** What rows say shorter before they fall. Default: that of all queries. */
  readonly less?: readonly DetailAt[];
}

/** An answer in any size. */
export interface SizedAnswer<B> extends AnswerSize {
  /** The body with so many rows, whatever follows from them included. */
  readonly make: (count: number) => B;
}

/** An answer that can be made smaller (P-02): `present/` does it, for each form by its own size. */
export function fitAnswer<B extends object>(
  make: (rows: number, detail: 'full') => B,
  size: AnswerSize & { readonly asked?: unknown },
): SizedAnswer<B> {
  return { ...size, make: (count) => make(count, 'full') };
}
