import { z } from 'zod';
import {
  byImportance,
  filterOf,
  ListedRow,
  memoriesMarkdown,
  memoryPage,
  offsetField,
  queryField,
  relationsField,
  searchMemories,
  shareField,
  TOLERANCES,
  tagsField,
  typesField,
  wholeField,
} from '../../graphs/memory/index.js';
import { mostOf, pageFields } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';

const { memorySearchRows, lookupTokens } = LIMITS;

/** Finds memories: by words within filters, or by filters alone (S4-27). */
export const MemorySearch = defineWalker('memory_search', {
  description:
    'Find memories by words, type, tags or importance: the best match first, without words the most important.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    query: queryField.default('').meta({ positional: true }),
    terms: z.array(queryField).default([]),
    memory_types: typesField.default([]),
    tags: tagsField.default([]),
    project_path: z.string().optional(),
    min_importance: shareField.optional(),
    limit: wholeField(memorySearchRows).default(memorySearchRows.default),
    offset: offsetField.default(0),
    search_tolerance: z.enum(TOLERANCES).optional(),
    match_mode: z.enum(['any', 'all']).optional(),
    relationship_filter: relationsField.default([]),
    sort: z.enum(['relevance', 'importance']).optional(),
    ...pageFields(lookupTokens),
  },
  output: z.object({
    /** `score`: a share of the largest that the words could get; null without words. */
    results: z.array(ListedRow.extend({ score: z.number().nullable() })),
    /** Whether there are more after these. */
    has_more: z.boolean(),
  }),
  examples: [
    { title: 'What is known of a subject', input: { query: 'session expiry' } },
    { title: 'Decisions that matter', input: { memory_types: ['decision'], min_importance: 0.8 } },
    { title: 'A word that may be misspelt', input: { query: 'sesion', search_tolerance: 'fuzzy' } },
  ],
  finish: async ({ state, context }) => {
    const { search_tolerance: tolerance = 'normal', match_mode: mode = 'any' } = state;
    const filter = await filterOf(context, state);
    const things = [state.query, ...state.terms].filter((thing) => thing !== '');
    const query = { things, tolerance, mode, filter, most: mostOf(state) };
    const found = await searchMemories(context, query);
    const hits = [...found.hits];
    if (state.sort === 'importance') hits.sort((a, b) => byImportance(a.memory, b.memory));
    return memoryPage(context, { ...found, hits }, state, ({ has_more }) => ({ has_more }));
  },
  markdown: ({ results }) => memoriesMarkdown(results, 'best first'),
});
