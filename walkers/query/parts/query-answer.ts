import { z } from 'zod';
import { indexProgress, unfinishedState } from '../../../graphs/code/index.js';
import {
  type DetailAt,
  draftBy,
  type ListAt,
  presented,
  withLess,
  withRows,
} from '../../../present/index.js';
import type { ReadContext, Shape } from '../../../runtime/index.js';
import { LIMITS } from '../../../schema/index.js';

const count = z.number().int();

/** What every structural query says of its answer: these six, and no others (S0-26). */
export const QueryMetadata = z.object({
  row_count: count,
  /** Rows before the cut. */
  total_count: count,
  truncated: z.boolean(),
  /** With fractions. */
  execution_time_ms: z.number(),
  /** Null where nothing is traversed. */
  max_depth: count.nullable(),
  query_type: z.literal('structural'),
});
export type QueryMetadata = z.infer<typeof QueryMetadata>;

/** What a query says of itself beside its body; see `state` of every answer (P-01). */
export interface QueryState {
  readonly cut: readonly string[];
  readonly pending: number;
  /** Calls that may belong to the answer, and are no facts. */
  readonly unresolved?: number;
  /** Files that are on disk otherwise than the graph has them. */
  readonly changed?: readonly string[];
  /** Gives the next rows. */
  readonly cursor?: string;
}

/**
 * The schema of a structural query's answer (S0-56, X-18).
 *
 * @param fields The lists and values of its results by name.
 */
export function queryOutput<F extends Shape>(fields: F) {
  return z.object({
    /** What was asked, as a sentence. */
    query: z.string(),
    results: z.object(fields),
    metadata: QueryMetadata,
  });
}

/** The rows of a query's answer, from which `present/` makes a page that fits each form (P-02). */
export interface QueryRows<B> {
  /** What its rows are called, in the plural. */
  readonly what: string;
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
  /** The body with so many rows, whatever follows from them included. */
  readonly make: (count: number) => B;
}

/** What an answer says alongside its rows. */
export interface QueryNotes {
  /** What was asked, as a sentence. */
  readonly query: string;
  /** Rows before the cut. */
  readonly total: number;
  /** Null where nothing was traversed. */
  readonly maxDepth: number | null;
  /** What else was cut or is to be known: an ambiguous name, a scope. */
  readonly notes: readonly string[];
  /** See {@link QueryState}. */
  readonly unresolved?: number;
  /** See {@link QueryState}. */
  readonly changed?: readonly string[];
}

/** What rows of structural queries say shorter before rows fall (P-02). */
const LESS: readonly DetailAt[] = [
  { of: 'results.*', field: 'calls.text', what: 'Source lines' },
  { of: 'results.*', field: 'decorators', what: 'Decorators' },
];

/** The answer of a structural query: its rows with the six figures and what it says of itself. Made last: it tells the time. */
export async function queryAnswer<B extends object>(
  context: Pick<ReadContext, 'elapsed' | 'blobs' | 'projectRoot' | 'codeRevision'>,
  { make, cap, from = 0, less = LESS, beside = [], ...size }: QueryRows<B>,
  { query, total, maxDepth, notes, unresolved, changed }: QueryNotes,
) {
  const progress = unfinishedState(await indexProgress(context));
  const rows = Math.max(0, Math.min(size.total - from, cap));
  const execution_time_ms = Math.round(context.elapsed() * 1000) / 1000;
  const state: QueryState = {
    pending: progress.pending,
    cut: [...progress.cut, ...notes],
    ...(unresolved === undefined ? {} : { unresolved }),
    ...(changed === undefined ? {} : { changed }),
  };
  const answerOf = (count: number) => {
    const metadata: QueryMetadata = {
      row_count: count,
      total_count: total,
      truncated: total > count,
      execution_time_ms,
      max_depth: maxDepth,
      query_type: 'structural',
    };
    return { query, results: make(count), metadata, state };
  };
  const others =
    beside.length === 0 ? null : draftBy(answerOf(rows), { limit: LIMITS.lookupTokens, lists: beside });
  const most = Math.max(rows, ...(others?.lists ?? []).map((list) => list.rows));
  return presented({
    limit: LIMITS.lookupTokens,
    revision: context.codeRevision,
    lists: [{ ...size, rows, from, least: 0 }, ...(others?.lists ?? [])],
    // A detail may be of rows of several lists: while any has it, nothing is said to be left out.
    less: less.map(({ what }) => ({ what, unit: 'rows' as const, size: most })),
    make: ({ rows: [first, ...rest], keep }) =>
      withLess(withRows(answerOf(first?.count ?? 0), beside, rest), less, keep),
  });
}
