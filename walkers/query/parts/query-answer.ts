import { z } from 'zod';
import type { ReadContext, Shape } from '../../../runtime/index.js';

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
 * @param row One of the main list's; @param fields The lists and values under their own names.
 */
export function queryOutput<R extends z.ZodType, F extends Shape>(row: R, fields: F) {
  return z.object({
    /** What was asked, as a sentence. */
    query: z.string(),
    /** The main list. */
    results: z.array(row),
    ...fields,
    metadata: QueryMetadata,
  });
}

/** The six figures of an answer. @param maxDepth Null where nothing was traversed. */
export function queryMetadata(
  { elapsed }: Pick<ReadContext, 'elapsed'>,
  rows: number,
  total: number,
  maxDepth: number | null,
): QueryMetadata {
  return {
    row_count: rows,
    total_count: total,
    truncated: total > rows,
    execution_time_ms: Math.round(elapsed() * 1000) / 1000,
    max_depth: maxDepth,
    query_type: 'structural',
  };
}
