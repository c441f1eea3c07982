import { z } from 'zod';
import {
  filterOf,
  ListedRow,
  memoriesMarkdown,
  memoryPage,
  offsetField,
  queryField,
  RecallScore,
  recalledMemories,
  typesField,
  wholeField,
} from '../../graphs/memory/index.js';
import { mostOf, pageFields } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { wasRead } from './memory-read.js';

const { memoryRecallRows, lookupTokens } = LIMITS;

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
  output: z.object({
    results: z.array(ListedRow.extend({ score: z.number(), why: RecallScore })),
    /** Whether there are more after these. */
    has_more: z.boolean(),
  }),
  examples: [{ title: 'Before a change', input: { query: 'why do sessions end too soon?' } }],
  finish: async ({ state, context }) => {
    const filter = await filterOf(context, state);
    const found = await recalledMemories(context, { query: state.query, filter, most: mostOf(state) });
    return memoryPage(context, found, state, ({ has_more }) => ({ has_more }));
  },
  afterwards: ({ results }) => wasRead(results.map(({ id }) => id)),
  markdown: ({ results }) => memoriesMarkdown(results, 'what fits best first'),
});
