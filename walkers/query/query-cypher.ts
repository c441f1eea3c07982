import { z } from 'zod';
import { run, Watch } from '../../cypher/index.js';
import { offsetsOf } from '../../present/index.js';
import { defineWalker, type ReadContext, TooLongHere } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { cypherMarkdown } from './cypher/cypher-markdown.js';
import { CypherView } from './cypher/cypher-view.js';
import { CYPHER_LESS } from './cypher/fit-cypher.js';
import { jsonValue } from './cypher/json-value.js';
import { planText } from './cypher/plan-text.js';
import { PREPARED } from './cypher/prepared-slot.js';
import { anyValue } from './cypher/stored-value.js';
import { parametersField } from './parts/cypher-input.js';
import { type QueryState, queryAnswer, queryOutput } from './parts/query-answer.js';
import { pageFields } from './parts/query-input.js';

const { cypherRows } = LIMITS;
/** A query that has gone over no more items may work so many times as long as others before it goes elsewhere. */
const FEW_ITEMS = 5000;
const FEW_TIMES = 10;
const CypherRow = z.record(z.string(), z.unknown());

/** What `query_cypher` answers (S0-41). */
export const CypherOutput = queryOutput({
  rows: z.array(CypherRow),
  /** As the last RETURN calls them, in its order. */
  columns: z.array(z.string()),
  row_count: z.number().int(),
  truncated: z.boolean(),
  /** What the query names and the graph does not have, with what may have been meant. */
  hints: z.array(z.string()),
  /** How the query is run, with EXPLAIN or PROFILE; else null. */
  plan: z.string().nullable(),
});
/** See {@link CypherOutput}. */
export type CypherOutput = z.infer<typeof CypherOutput> & { state?: QueryState };

/**
 * Runs a read-only Cypher query over one version of the graph (S0-17 to S0-22, S0-41): code, traces and memories under
 * the names of the mapping tables.
 */
export const QueryCypher = defineWalker('query_cypher', {
  description:
    'Ask the graph anything in read-only Cypher: code, traces, memories. Labels Function, Class, File, Task, Error…; types CALLS, IMPORTS, INHERITS, DEFINES, TOUCHES_FILE…',
  input: {
    query: z
      .string()
      .min(1)
      .max(LIMITS.cypherQuery.max)
      .refine((text) => text.trim() !== '', 'must not be empty')
      .describe('MATCH … RETURN …'),
    parameters: parametersField(),
    limit: z.number().int().min(cypherRows.min).max(cypherRows.max).default(cypherRows.default),
    explain: z.boolean().default(false).describe('Show the plan, run nothing'),
    profile: z.boolean().default(false).describe('Run, and show what each step took'),
    ...pageFields,
  },
  output: CypherOutput,
  examples: [
    {
      title: 'Functions by a part of their name',
      input: {
        query: 'MATCH (f:Function) WHERE f.name CONTAINS $pattern RETURN f',
        parameters: { pattern: 'login' },
      },
    },
    {
      title: 'What is called most',
      input: {
        query:
          'MATCH ()-[:CALLS]->(f) RETURN f.qualified_name, count(*) AS calls ORDER BY calls DESC LIMIT 10',
      },
    },
  ],
  // The engine looks from wherever its plan says: nothing is visited.
  start: () => null,
  on: () => [],
  finish: async ({ state: { query, parameters, limit, explain, profile, cursor }, context }) => {
    const mode = explain ? 'explain' : profile ? 'profile' : null;
    const { sharing } = context;
    const begun = sharing.begin();
    if (begun) await begun;
    const watch = watchOf(context);
    const prepared = context.kept(PREPARED).of(query, watch);
    const view = await CypherView.of(context);
    try {
      const [from = 0] = offsetsOf(cursor);
      const found = await run(prepared, view, {
        parameters: new Map(Object.entries(parameters).map(([name, value]) => [name, anyValue(value)])),
        limit: from + limit,
        watch,
        now: context.now,
        ...(mode === null ? {} : { mode }),
      });
      const spend = (items: number) => watch.spend(items);
      const rows = found.rows
        .slice(from)
        .map((row) =>
          Object.fromEntries(found.columns.map((column, at) => [column, jsonValue(row[at] ?? null, spend)])),
        );
      const { count: total, isExact } = found.total;
      const make = (count: number) => ({
        rows: rows.slice(0, count),
        columns: [...found.columns],
        row_count: count,
        truncated: total > count,
        hints: [...found.hints],
        plan: found.plan === null ? null : planText(found.plan),
      });
      const most =
        limit < cypherRows.max ? `limit up to ${cypherRows.max} gives more` : 'SKIP and LIMIT page on';
      return await queryAnswer(
        context,
        { make, what: 'rows', total, isExact, cap: limit, narrower: most, from, less: CYPHER_LESS },
        { query, total, maxDepth: null, notes: [...found.cuts], changed: [...view.changed] },
      );
    } finally {
      await view.close();
    }
  },
  markdown: cypherMarkdown,
});

/** The time of a query, which begins with its run; another's turn, and what is too long for this thread, are the host's to say. */
function watchOf(context: ReadContext): Watch {
  const { sharing } = context;
  return new Watch({
    clock: () => context.elapsed(),
    started: 0,
    deadlineMs: LIMITS.cypherTime.default,
    checkAborted: () => context.signal.throwIfAborted(),
    beside: {
      turn: (workedMs) => sharing.turn(workedMs),
      processor: sharing.processor,
      check: (workedMs, items) => {
        const most = sharing.patienceMs * (items > FEW_ITEMS ? 1 : FEW_TIMES);
        if (workedMs > most) throw new TooLongHere(context.elapsed());
      },
      hold: (bytes) => sharing.hold(bytes),
    },
  });
}
