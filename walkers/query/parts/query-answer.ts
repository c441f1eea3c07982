import { z } from 'zod';
import type { ReadContext, Shape } from '../../../runtime/index.js';
import { indexProgress, unfinishedState } from '../../code/index-progress.js';
import type { FittedAnswer } from './fit-answer.js';

const count = z.number().int();

/** What every structural query says of its answer: these six, and no others (S0-26). */
export const QueryMetadata = z.object({
  /** Rows that are returned. */
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
/** See {@link QueryMetadata}. */
export type QueryMetadata = z.infer<typeof QueryMetadata>;

/** What a query says of itself beside its body; see `state` of every answer (P-01). */
export interface QueryState {
  readonly cut: readonly string[];
  readonly pending: number;
  /** Calls that may belong to the answer, and are no facts. */
  readonly unresolved?: number;
  /** What was cut of the Markdown. Default: the same. */
  readonly markdown_cut?: readonly string[];
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

/** What an answer says beside its rows. */
export interface QueryTold {
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
}

/** The answer of a structural query: its rows with the six figures and what it says of itself. Made last: it tells the time. */
export async function queryAnswer<B extends object>(
  context: Pick<ReadContext, 'elapsed' | 'blobs' | 'projectRoot'>,
  { body, rows, cut, shrunk }: FittedAnswer<B>,
  { query, total, maxDepth, notes, unresolved }: QueryTold,
) {
  const progress = unfinishedState(await indexProgress(context));
  const left = [...progress.cut, ...notes, ...cut];
  const metadata: QueryMetadata = {
    row_count: rows,
    total_count: total,
    truncated: total > rows,
    execution_time_ms: Math.round(context.elapsed() * 1000) / 1000,
    max_depth: maxDepth,
    query_type: 'structural',
  };
  const state: QueryState = {
    pending: progress.pending,
    cut: [...left, ...shrunk],
    markdown_cut: left,
    ...(unresolved === undefined ? {} : { unresolved }),
  };
  return { query, results: body, metadata, state };
}
