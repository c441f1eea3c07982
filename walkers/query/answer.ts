import { z } from 'zod';
import { indexProgress, nameField, unfinishedState } from '../../graphs/code/index.js';
import {
  type DetailAt,
  DIAGRAM_FORMATS,
  diagramBlock,
  draftBy,
  type ListAt,
  limitField,
  offsetsOf,
  pageFields,
  plural,
  presented,
  shownLine,
  shownOf,
} from '../../present/index.js';
import {
  defineWalker,
  type ReadContext,
  type Shape,
  type WalkerArchetype,
  type WalkerExample,
} from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { aboutText, type TargetFields } from './targets.js';

/*
 * How a structural query answers. `answer` finds rows and says how results follow from a page of them, `markdown` gives
 * lines for a result; the page, its budget, the counts, the notes and the heading are made here.
 */

const count = z.number().int();

/** What every structural query says of its answer: these six, and no others. */
const QueryMetadata = z.object({
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
type QueryMetadata = z.infer<typeof QueryMetadata>;

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

/** The singular and the plural of what a row is called. */
type Noun = readonly [one: string, many: string];

/** What a query found. */
interface QueryAnswer<R, B> {
  /** What was asked, as a sentence without its scope. */
  readonly query: string;
  readonly noun: Noun;
  /** The rows of the page. */
  readonly rows: readonly R[];
  /** Rows before the cut. */
  readonly total: number;
  /** False: there are at least so many rows. Default true. */
  readonly isExact?: boolean;
  /** How the caller gets fewer rows: a sentence's end. */
  readonly narrower: string;
  /** Lists of the results that follow from no row, by their names: they fall first. */
  readonly otherLists?: readonly ListAt[];
  /** What rows say shorter before they fall. Default: their source lines and decorators. */
  readonly less?: readonly DetailAt[];
  /** The results with the first rows of the page, whatever follows from them included. */
  readonly make: (rows: readonly R[]) => B;
  /** Default null: nothing was traversed. */
  readonly maxDepth?: number | null;
  /** What else was cut or is to be known: an ambiguous name, a scope. */
  readonly notes: readonly string[];
  /** Rows that are outside of the scope. */
  readonly outside?: number;
  /** Where else to look; follows the notes. */
  readonly hints?: readonly string[];
  /** See {@link QueryState}. */
  readonly unresolved?: number;
  /** See {@link QueryState}. */
  readonly changed?: readonly string[];
}

/** A page of an answer's rows. */
interface QueryPage {
  /** The number of the first row of each list. */
  readonly offsets: readonly number[];
  /** The rows of the page among all. @param most Default: the input's `limit`. */
  of<T>(all: readonly T[], most?: number): readonly T[];
}

/** A result in Markdown: ``Callers of a (`a` function, src/a.ts:1): 3 callers.`` and its blocks. */
export interface QueryMarkdown {
  /** What is counted in the heading; without rows it says that none are known. */
  readonly count: Noun | string;
  /** Follows the count. */
  readonly also?: string;
  /** Follows the full stop. */
  readonly more?: string;
  /** Blocks of lines; empty ones are left out. */
  readonly blocks: readonly (readonly string[])[];
}

const LESS: readonly DetailAt[] = [
  { of: 'results.*', field: 'calls.text', what: 'Source lines' },
  { of: 'results.*', field: 'decorators', what: 'Decorators' },
];

interface QueryDefinition<I extends Shape, F extends Shape, R> {
  readonly description: string;
  readonly input: I;
  /** The lists and values of its results by name. */
  readonly results: F;
  readonly examples: readonly WalkerExample[];
  readonly answer: (
    state: z.output<z.ZodObject<I>>,
    context: ReadContext,
    page: QueryPage,
  ) => Promise<QueryAnswer<R, z.infer<z.ZodObject<F>>>>;
  /** A string: the whole text. */
  readonly markdown: (output: QueryOutput<F>) => QueryMarkdown | string;
}

/** Defines a walker that answers a question about the code: it stays at the root, and spawns the walkers that look around. */
export function defineQuery<const N extends string, I extends Shape, F extends Shape, R>(
  name: N,
  { results, answer, markdown, ...definition }: QueryDefinition<I, F, R>,
): WalkerArchetype<N, I, Record<never, never>, never, QueryOutput<F>> {
  return defineWalker(name, {
    ...definition,
    output: z.object({
      query: z.string(),
      results: z.object(results),
      metadata: QueryMetadata,
    }) as unknown as z.ZodType<QueryOutput<F>>,
    run: async (_here, context): Promise<QueryOutput<F>> => {
      const { pending, cut } = unfinishedState(await indexProgress(context));
      const state = context.state as z.output<z.ZodObject<I>> & QueryInput;
      const offsets = offsetsOf(state.cursor);
      const [from = 0] = offsets;
      const of = <T>(all: readonly T[], most = state.limit ?? 0) => all.slice(from, from + most);
      const found = await answer(state, context as ReadContext, { offsets, of });
      const execution_time_ms = Math.round(context.elapsed() * 1000) / 1000;
      const { noun, rows, total, isExact = true, narrower, otherLists = [], less = LESS, make } = found;
      const { unresolved, changed, maxDepth = null, notes, outside = 0, hints = [] } = found;
      const inScope = state.scope === undefined ? '' : ` in ${state.scope}`;
      const left =
        outside > 0
          ? [`${outside} more ${outside === 1 ? `${noun[0]} is` : `${noun[1]} are`} outside of the scope.`]
          : [];
      const said: QueryState = {
        pending,
        cut: [...cut, ...notes, ...left, ...hints],
        ...(unresolved === undefined ? {} : { unresolved }),
        ...(changed === undefined ? {} : { changed }),
      };
      const settle = (whole: { rows: readonly R[]; results: Results }): QueryOutput<F> => {
        const row_count = whole.rows.length;
        const fewer = () => {
          const keys = otherLists
            .map(({ at }) => at.split('.')[1] ?? '')
            .filter((key) => key in whole.results);
          return { ...make(whole.rows), ...Object.fromEntries(keys.map((key) => [key, whole.results[key]])) };
        };
        return {
          query: `${found.query}${inScope}`,
          results: row_count === rows.length ? (whole.results as QueryOutput<F>['results']) : fewer(),
          metadata: {
            row_count,
            total_count: total,
            truncated: total > row_count,
            execution_time_ms,
            max_depth: maxDepth,
            query_type: 'structural',
          },
          state: said,
        };
      };
      const lists = [{ at: 'rows', what: noun[1], narrower, isExact, total, from }, ...otherLists];
      const shape = { limit: LIMITS.lookupTokens, revision: context.codeRevision, lists, less, settle };
      return presented(draftBy({ rows, results: make(rows) as Results }, shape));
    },
    markdown: (output) => {
      const made = markdown(output);
      return typeof made === 'string' ? made : markdownText(output, made);
    },
  });
}

type Results = Readonly<Record<string, unknown>>;
interface QueryInput {
  readonly cursor?: string;
  readonly scope?: string;
  readonly limit?: number;
}

function markdownText<F extends Shape>(
  output: QueryOutput<F>,
  { count, also = '', more = '', blocks }: QueryMarkdown,
): string {
  const { query, metadata } = output;
  const { diagram, ...about } = output.results as TargetFields & { diagram?: string };
  const { row_count, total_count } = metadata;
  const countText = () => {
    if (typeof count === 'string') return count;
    return total_count === 0 ? 'none are known' : shownOf(row_count, total_count, ...count);
  };
  const head = `${shownLine(query, 200)}${aboutText(about)}: ${countText()}${also}.${more}`;
  const shown = diagram === undefined ? blocks : [[diagramBlock(diagram)]];
  const texts = shown.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${[head, ...texts].join('\n\n')}\n`;
}

/** A title with its lines; nothing without lines. */
export function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

/**
 * What an answer says of calls that may belong to it, and are no facts; empty where there are none (P-01).
 *
 * @param which How they are said to belong: `may lead there`.
 */
export function unresolvedText(
  { state }: { readonly state?: QueryState },
  which: string,
  noun = 'call',
): string {
  const unresolved = state?.unresolved ?? 0;
  return unresolved === 0 ? '' : ` ${plural(unresolved, `unresolved ${noun}`)} ${which}.`;
}

/** What every structural query takes as well. */
export const queryFields = {
  scope: nameField('Folder, file or package').optional(),
  ...pageFields(LIMITS.lookupTokens),
};

/** The input field of the most rows that a structural query shows at once (S0-59). */
export function rowsField() {
  return limitField({ min: 1, max: LIMITS.queryRows.max, default: LIMITS.queryRows.max });
}

/** What a query whose answer can be drawn takes as well. */
export const diagramFields = {
  format: z.enum(DIAGRAM_FORMATS).optional().describe('A diagram as well'),
};
