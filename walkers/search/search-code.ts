import { z } from 'zod';
import { draftBy, offsetsOf, presented } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { indexProgress, unfinishedState } from '../code/index-progress.js';
import { parametersField } from '../query/parts/cypher-input.js';
import { queryFields } from '../query/parts/query-input.js';
import { chosenBy } from './filter/chosen.js';
import { codeNodes } from './hits/found-nodes.js';
import { graphContextOf } from './hits/graph-context.js';
import { SearchHit, searchHit } from './hits/hit-rows.js';
import { searchMarkdown } from './hits/search-markdown.js';
import { questionOf } from './question/question.js';
import { shownQuery } from './question/shown-query.js';
import { rankCode } from './ranking/rank-code.js';
import { textIndexNotes } from './ranking/text-index-notes.js';

const { searchRows, searchFiles } = LIMITS;

/** What `search_code` answers (S1-22). */
export const SearchOutput = z.object({
  /** What was looked for. */
  query: z.string(),
  /** The best first. */
  hits: z.array(SearchHit),
  /** Paths by all that is found in them, the best first. */
  files: z.array(z.string()),
  /** What the structure filter selected; absent without one. */
  candidates: z.number().int().optional(),
  /** What is to be known of the answer: a cut query, names that a filter has and the graph does not. */
  notes: z.array(z.string()),
});
/** See {@link SearchOutput}. */
export type SearchOutput = z.infer<typeof SearchOutput>;

/**
 * The files and symbols that a task, an issue or a stack trace is about (S1-19 to S1-27): ranked by words, names and
 * frames, files and calls; where a structure filter is given, only inside what it selects.
 */
export const SearchCode = defineWalker('search_code', {
  description:
    'Where in the code? Give a task, an issue, a stack trace or words: the files and symbols it is about, each with callers, callees, tests and imports. structure_filter: search only inside what a Cypher query returns.',
  input: {
    query: z
      .string()
      .refine((text) => text.trim() !== '', 'must not be empty')
      .describe('Words, names, an issue, a trace'),
    structure_filter: z
      .string()
      .max(LIMITS.cypherQuery.max)
      .refine((text) => text.trim() !== '', 'must not be empty')
      .optional()
      .describe('Read-only Cypher whose first column is nodes: MATCH (f:Function) … RETURN f'),
    parameters: parametersField(),
    limit: z.number().int().min(searchRows.min).max(searchRows.max).default(searchRows.default),
    ...queryFields,
  },
  output: SearchOutput,
  examples: [
    { title: 'Where a task leads to', input: { query: 'sessions must expire after an hour' } },
    {
      title: 'Functions about authentication that call a database method',
      input: {
        query: 'authentication',
        structure_filter:
          'MATCH (f)-[:CALLS]->(m:Method) WHERE m.class_name ENDS WITH $store RETURN DISTINCT f',
        parameters: { store: 'Database' },
      },
    },
  ],
  // It ranks over an index: nothing is visited.
  start: async () => null,
  on: () => [],
  finish: async ({ state, context }) => {
    const progress = unfinishedState(await indexProgress(context));
    const { query, structure_filter, parameters, scope, limit } = state;
    const [from = 0] = offsetsOf(state.cursor);
    const question = questionOf(query);
    const chosen = await chosenBy(context, question.text, { structure_filter, parameters, scope });
    const selection = chosen?.selection ?? null;
    const { found, files, notes: missing } = await rankCode(context, question, selection);
    const shown = found.slice(from, from + limit);
    const shownIds = shown.map(({ id }) => id);
    const nodes = await codeNodes(context, shownIds);
    const neighboursOf = graphContextOf(context);
    const hits: SearchHit[] = [];
    for (const one of shown) {
      const node = nodes.get(one.id);
      if (node) hits.push(searchHit(node, one, await neighboursOf(one.id)));
    }
    const notes = [
      ...question.notes,
      ...(chosen?.notes ?? []),
      ...(found.length === 0 ? await textIndexNotes(context) : []),
      ...(selection && found.length === 0
        ? [`${selection.ids.size} candidates; none has a word of the query.`]
        : []),
    ];
    const head = {
      query: shownQuery(question.text),
      files: files.slice(0, searchFiles.max),
      ...(selection ? { candidates: selection.ids.size } : {}),
      notes,
    };
    return presented(
      draftBy(
        { ...head, hits, state: { pending: progress.pending, cut: [...progress.cut, ...missing] } },
        {
          limit: LIMITS.lookupTokens,
          revision: context.codeRevision,
          lists: [
            { at: 'hits', what: 'hits', from, total: found.length },
            { at: 'files', what: 'files', least: 5 },
          ],
          less: [
            { of: 'hits', field: 'graph_context', what: 'Neighbours', as: null },
            { of: 'hits', field: 'summary', what: 'Docstrings' },
            { of: 'hits', field: 'signature', what: 'Signatures' },
            { of: 'hits', field: 'why', what: 'Reasons' },
          ],
        },
      ),
    );
  },
  markdown: searchMarkdown,
});
