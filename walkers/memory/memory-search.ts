import { z } from 'zod';
import { offsetsOf, pageFields, presented } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { AboutFields, withAbout } from './about-row.js';
import { foundMemories, memoriesDraft } from './fit-memories.js';
import { byImportance, firstMemories, type MemoryFilter, type MemoryRef } from './found-memories.js';
import {
  offsetField,
  queryField,
  relationsField,
  shareField,
  tagsField,
  typesField,
  typesOf,
  wholeField,
} from './memory-fields.js';
import { memoriesMarkdown } from './memory-markdown.js';
import { MemoryRow, memoryRow } from './memory-row.js';
import { soughtWords, TOLERANCES } from './sought.js';
import { textHits } from './text-hits.js';
import { whyNone } from './why-none.js';

const { memorySearchRows, lookupTokens } = LIMITS;

/** What a search for memories answers. */
const SearchOutput = z.object({
  /** `score`: of the largest that the words could get; null without words. */
  results: z.array(MemoryRow.extend({ score: z.number().nullable(), ...AboutFields })),
  /** Whether there are more behind these. */
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
    { title: 'A word that may be mistyped', input: { query: 'sesion', search_tolerance: 'fuzzy' } },
  ],
  finish: async ({ state, context }) => {
    const { limit, search_tolerance: tolerance = 'normal', match_mode: mode = 'any' } = state;
    const [from = 0] = offsetsOf(state.cursor);
    const offset = state.offset + from;
    const filter: MemoryFilter = {
      types: typesOf(state.memory_types),
      tags: state.tags,
      projectPath: state.project_path ?? null,
      minImportance: state.min_importance ?? null,
      relations: state.relationship_filter,
    };
    const things = [state.query, ...state.terms].filter((thing) => thing !== '');
    const most = offset + limit + 1;
    const found: { memory: MemoryRef; score: number | null }[] = [];
    const notes: string[] = [];
    if (things.length === 0) {
      const { memories, note } = await firstMemories(context, filter, most);
      found.push(...memories.map((memory) => ({ memory, score: null })));
      if (note !== null) notes.push(note);
    } else {
      const sought = await soughtWords(context, { things, tolerance, mode });
      if (sought.words.size === 0) notes.push('The query has no word that tells memories apart.');
      const { hits, note } = await textHits(context, sought, filter, most);
      found.push(...hits);
      if (note !== null) notes.push(note);
      if (state.sort === 'importance') found.sort((a, b) => byImportance(a.memory, b.memory));
    }
    const rows = found
      .slice(offset, offset + limit)
      .map(({ memory, score }) => ({ ...memoryRow(memory), score }));
    const output = {
      results: await withAbout(context, rows),
      has_more: found.length > offset + limit,
      state: { cut: [...(await whyNone(context, rows)), ...notes] },
    };
    return presented(memoriesDraft(output, foundMemories(from, found.length - state.offset, limit)));
  },
  markdown: ({ results }) => memoriesMarkdown(results, 'best first'),
});
