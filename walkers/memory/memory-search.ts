import { z } from 'zod';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS, Memory } from '../../schema/index.js';
import { readIndex } from '../../search/index.js';
import { budgetField } from '../token-budget.js';
import { fitMemories } from './fit-memories.js';
import { byImportance, foundMemories, type MemoryFilter, passes } from './found-memories.js';
import { queryField, shareField, tagsField, typesField, typesOf } from './memory-fields.js';
import { memoriesMarkdown } from './memory-markdown.js';
import { MemoryRow, memoryRow } from './memory-row.js';
import { MEMORY_TEXT, wordsOf } from './memory-text.js';

const { memorySearchRows, lookupTokens } = LIMITS;

/** What a search for memories answers. */
const SearchOutput = z.object({
  results: z.array(MemoryRow.extend({ score: z.number().nullable() })),
  /** Whether there are more behind these. */
  has_more: z.boolean(),
});

/** Finds memories: by words within filters, or by filters alone. */
export const MemorySearch = defineWalker('memory_search', {
  description:
    'Find memories by words, type, tags or importance. With a query the best match comes first, without one the most important.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    query: queryField.default('').meta({ positional: true }),
    memory_types: typesField.default([]),
    tags: tagsField.default([]).describe('Any of them'),
    project_path: z.string().trim().min(1).optional(),
    min_importance: shareField.optional(),
    limit: z
      .number()
      .int()
      .min(memorySearchRows.min)
      .max(memorySearchRows.max)
      .default(memorySearchRows.default),
    offset: z.number().int().min(0).default(0),
    max_tokens: budgetField(lookupTokens),
  },
  output: SearchOutput,
  examples: [
    { title: 'What is known of a subject', input: { query: 'session expiry' } },
    { title: 'Decisions that matter', input: { memory_types: ['decision'], min_importance: 0.8 } },
  ],
  start: () => null,
  on: () => [],
  finish: async ({ state, context }) => {
    const { query, limit, offset } = state;
    const filter: MemoryFilter = {
      types: typesOf(state.memory_types).map(({ type }) => type),
      tags: [...state.tags, ...typesOf(state.memory_types).flatMap(({ tag }) => tag ?? [])],
      projectPath: state.project_path ?? null,
      minImportance: state.min_importance ?? null,
    };
    const scores = new Map<string, number>();
    let found = await foundMemories(context, filter);
    if (query !== '') {
      const index = readIndex(context, MEMORY_TEXT);
      const hits = await index.search(wordsOf(query), { limit: await index.size() });
      for (const { id, score } of hits) scores.set(id, score);
      found = (await context.nodesOf(Memory, [...scores.keys()])).filter((memory) => passes(memory, filter));
      found.sort((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0) || byImportance(a, b));
    }
    const page = found.slice(offset, offset + limit);
    const rows = page.map((memory) => ({ ...memoryRow(memory), score: scores.get(memory.id) ?? null }));
    const fitted = fitMemories(rows, state.max_tokens);
    return {
      results: [...fitted.rows],
      has_more: found.length > offset + limit,
      state: { cut: [...fitted.cut] },
    };
  },
  markdown: ({ results }) => memoriesMarkdown(results, 'best first'),
});
