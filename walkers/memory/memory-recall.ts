import { z } from 'zod';
import {
  emptyNotes,
  filterOf,
  foundList,
  ListedRow,
  memoriesDraft,
  memoriesMarkdown,
  memoryRows,
  offsetField,
  queryField,
  recalledMemories,
  typeOf,
  typesField,
  wholeField,
} from '../../graphs/memory/index.js';
import { offsetsOf, pageFields, presented } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { semanticHits } from '../../search/index.js';
import { wasRead } from './memory-read.js';

const { memoryRecallRows, lookupTokens } = LIMITS;
/** Hits of embeddings for each memory that is wanted. */
const DEEPER = 4;
const share = z.number();

const RecallOutput = z.object({
  results: z.array(
    ListedRow.extend({
      score: share,
      /** What the score is made of, each from 0 to 1; `text` is null without a query. */
      why: z.object({
        text: share.nullable(),
        importance: share,
        recency: share,
        confidence: share,
        usage: share,
      }),
    }),
  ),
  /** Whether there are more after these. */
  has_more: z.boolean(),
});

/** Recalls what is worth knowing now, asked in plain words. */
export const MemoryRecall = defineWalker('memory_recall', {
  description:
    'Recall what is known before you begin: ask in plain words. Ranked by the words, then by importance, recency, confidence and use.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    query: queryField.default('').meta({ positional: true }),
    memory_types: typesField.default([]),
    project_path: z.string().optional(),
    limit: wholeField(memoryRecallRows).default(memoryRecallRows.default),
    offset: offsetField.default(0),
    ...pageFields(lookupTokens),
  },
  output: RecallOutput,
  examples: [{ title: 'Before a change', input: { query: 'why do sessions end too soon?' } }],
  finish: async ({ state, context }) => {
    const { query, limit, project_path } = state;
    const [from = 0] = offsetsOf(state.cursor);
    const offset = state.offset + from;
    const filter = await filterOf(context, { types: state.memory_types.map(typeOf), project_path });
    const most = offset + limit + 1;
    const semantic = await semanticHits(context, query, ['Memory'], DEEPER * most);
    const { recalled, notes } = await recalledMemories(context, query, filter, most, semantic);
    const results = await memoryRows(context, recalled.slice(offset, offset + limit), ({ score, why }) => ({
      score,
      why,
    }));
    const cut = [...(await emptyNotes(context, results.length)), ...notes];
    const output = { results, has_more: recalled.length > offset + limit, state: { cut } };
    return presented(memoriesDraft(output, foundList(from, recalled.length - state.offset, limit)));
  },
  afterwards: ({ results }) => wasRead(results.map(({ id }) => id)),
  markdown: ({ results }) => memoriesMarkdown(results, 'what fits best first'),
});
