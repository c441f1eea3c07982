import { z } from 'zod';
import {
  byImportance,
  emptyNotes,
  filterOf,
  firstMemories,
  foundList,
  ListedRow,
  type MemoryRef,
  memoriesDraft,
  memoriesMarkdown,
  memoryRows,
  offsetField,
  queryField,
  relationsField,
  searchMemories,
  shareField,
  TOLERANCES,
  tagsField,
  typeOf,
  typesField,
  wholeField,
} from '../../graphs/memory/index.js';
import { offsetsOf, pageFields, presented } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';

const { memorySearchRows, lookupTokens } = LIMITS;

const SearchOutput = z.object({
  /** `score`: a share of the largest that the words could get; null without words. */
  results: z.array(ListedRow.extend({ score: z.number().nullable() })),
  /** Whether there are more after these. */
  has_more: z.boolean(),
});

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
  output: SearchOutput,
  examples: [
    { title: 'What is known of a subject', input: { query: 'session expiry' } },
    { title: 'Decisions that matter', input: { memory_types: ['decision'], min_importance: 0.8 } },
    { title: 'A word that may be misspelt', input: { query: 'sesion', search_tolerance: 'fuzzy' } },
  ],
  finish: async ({ state, context }) => {
    const {
      limit,
      tags,
      project_path,
      search_tolerance: tolerance = 'normal',
      match_mode: mode = 'any',
    } = state;
    const [from = 0] = offsetsOf(state.cursor);
    const offset = state.offset + from;
    const filter = await filterOf(context, {
      types: state.memory_types.map(typeOf),
      tags,
      project_path,
      minImportance: state.min_importance ?? null,
      relations: state.relationship_filter,
    });
    const things = [state.query, ...state.terms].filter((thing) => thing !== '');
    const most = offset + limit + 1;
    const hits: { readonly memory: MemoryRef; readonly score: number | null }[] = [];
    const notes: string[] = [];
    if (things.length > 0) {
      const found = await searchMemories(context, { things, tolerance, mode }, filter, most);
      hits.push(...found.hits);
      notes.push(...found.notes);
    } else {
      const { memories, note } = await firstMemories(context, filter, most);
      hits.push(...memories.map((memory) => ({ memory, score: null })));
      if (note !== null) notes.push(note);
    }
    if (state.sort === 'importance') hits.sort((a, b) => byImportance(a.memory, b.memory));
    const results = await memoryRows(context, hits.slice(offset, offset + limit), ({ score }) => ({ score }));
    const cut = [...(await emptyNotes(context, results.length)), ...notes];
    const output = { results, has_more: hits.length > offset + limit, state: { cut } };
    return presented(memoriesDraft(output, foundList(from, hits.length - state.offset, limit)));
  },
  markdown: ({ results }) => memoriesMarkdown(results, 'best first'),
});
