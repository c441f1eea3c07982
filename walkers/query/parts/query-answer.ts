import { z } from 'zod';
import { indexProgress, unfinishedState } from '../../../graphs/code/index.js';
import {
  type DetailAt,
  draftBy,
  type ListAt,
  offsetsOf,
  presented,
  withLess,
  withRows,
} from '../../../present/index.js';
import {
  defineWalker,
  type ReadContext,
  type Shape,
  type WalkerArchetype,
  type WalkerExample,
} from '../../../runtime/index.js';
import { LIMITS } from '../../../schema/index.js';
import { inScope } from './scope.js';

const count = z.number().int();

/** What every structural query says of its answer: these six, and no others. */
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

/** The `state` of a query's answer. */
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

/** The answer of a structural query with these results. */
export interface QueryOutput<F extends Shape> {
  /** What was asked, as a sentence. */
  query: string;
  results: z.infer<z.ZodObject<F>>;
  metadata: QueryMetadata;
  state?: QueryState;
}

/** What a query found, from which `present/` makes a page that fits each form. */
export interface QueryAnswer<B> {
  /** What was asked, as a sentence without its scope. */
  readonly query: string;
  /** What its rows are called, in the plural. */
  readonly what: string;
  /** Rows before the cut. */
  readonly total: number;
  /** False: there are at least so many rows. Default true. */
  readonly isExact?: boolean;
  /** Rows that the page shows at most. Default: the input's `limit`. */
  readonly cap?: number;
  /** How the caller gets fewer rows: a sentence's end. */
  readonly narrower: string;
  /** Lists beside the rows, by their paths in the answer: they fall first. */
  readonly otherLists?: readonly ListAt[];
  /** What rows say shorter before they fall. Default: that of all queries. */
  readonly less?: readonly DetailAt[];
  /** The body with so many rows of the page, whatever follows from them included. */
  readonly make: (count: number) => B;
  /** Default null: nothing was traversed. */
  readonly maxDepth?: number | null;
  /** What else was cut or is to be known: an ambiguous name, a scope. */
  readonly notes: readonly string[];
  /** See {@link QueryState}. */
  readonly unresolved?: number;
  /** See {@link QueryState}. */
  readonly changed?: readonly string[];
}

/** What rows of structural queries say shorter before rows fall. */
const LESS: readonly DetailAt[] = [
  { of: 'results.*', field: 'calls.text', what: 'Source lines' },
  { of: 'results.*', field: 'decorators', what: 'Decorators' },
];

interface QueryDefinition<I extends Shape, F extends Shape> {
  readonly description: string;
  readonly input: I;
  /** The lists and values of its results by name. */
  readonly results: F;
  readonly examples: readonly WalkerExample[];
  /** @param from The number of the page's first row, from 0; of each list beside the rows, too. */
  readonly answer: (
    state: z.output<z.ZodObject<I>>,
    context: ReadContext,
    from: readonly number[],
  ) => Promise<QueryAnswer<z.infer<z.ZodObject<F>>>>;
  readonly markdown: (output: QueryOutput<F>) => string;
}

/** Defines a walker that answers a question about the code: it stays at the root, and spawns the walkers that look around. */
export function defineQuery<const N extends string, I extends Shape, F extends Shape>(
  name: N,
  { results, answer, ...definition }: QueryDefinition<I, F>,
): WalkerArchetype<N, I, Record<never, never>, never, QueryOutput<F>> {
  return defineWalker(name, {
    ...definition,
    output: z.object({
      query: z.string(),
      results: z.object(results),
      metadata: QueryMetadata,
    }) as unknown as z.ZodType<QueryOutput<F>>,
    run: async (_here, context) => {
      const progress = await indexProgress(context);
      const state = context.state as z.output<z.ZodObject<I>> & QueryInput;
      const from = offsetsOf(state.cursor);
      const found = await answer(state, context as ReadContext, from);
      const page = { query: `${found.query}${inScope(state.scope)}`, cap: found.cap ?? state.limit ?? 0 };
      return presentedAnswer(context, progress, from[0] ?? 0, { ...found, ...page });
    },
  });
}

interface QueryInput {
  readonly cursor?: string;
  readonly scope?: string;
  readonly limit?: number;
}

function presentedAnswer<B extends object>(
  context: Pick<ReadContext, 'elapsed' | 'codeRevision'>,
  progress: Awaited<ReturnType<typeof indexProgress>>,
  from: number,
  found: QueryAnswer<B> & { readonly cap: number },
) {
  const { query, total, cap, make, less = LESS, otherLists = [], maxDepth = null, notes, ...rest } = found;
  const { what, narrower, isExact = true, unresolved, changed } = rest;
  const unfinished = unfinishedState(progress);
  const rows = Math.max(0, Math.min(total - from, cap));
  const execution_time_ms = Math.round(context.elapsed() * 1000) / 1000;
  const state: QueryState = {
    pending: unfinished.pending,
    cut: [...unfinished.cut, ...notes],
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
    otherLists.length === 0
      ? null
      : draftBy(answerOf(rows), { limit: LIMITS.lookupTokens, lists: otherLists });
  const most = Math.max(rows, ...(others?.lists ?? []).map((list) => list.rows));
  return presented({
    limit: LIMITS.lookupTokens,
    revision: context.codeRevision,
    lists: [{ what, narrower, isExact, total, rows, from, least: 0 }, ...(others?.lists ?? [])],
    // A detail may be of rows of several lists: while any has it, nothing is said to be left out.
    less: less.map(({ what }) => ({ what, unit: 'rows' as const, size: most })),
    make: ({ rows: [first, ...others], keep }) =>
      withLess(withRows(answerOf(first?.count ?? 0), otherLists, others), less, keep),
  });
}
