import { z } from 'zod';
import { offsetsOf, pageFields, presented } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { readIndex } from '../../search/index.js';
import { plural } from '../markdown.js';
import { AboutFields, withAbout } from './about-row.js';
import { memoriesDraft } from './fit-memories.js';
import { byImportance } from './found-memories.js';
import { idField, queryField } from './memory-fields.js';
import { memoriesMarkdown } from './memory-markdown.js';
import { MemoryRow, memoryRow } from './memory-row.js';
import { MEMORY_TEXT, wordsOf } from './memory-text.js';
import { memoryNamed } from './named-memory.js';
import { relatedMemories } from './related-memories.js';

const { memoryContextualDepth, memoryContextualRows, lookupTokens } = LIMITS;

const ContextualOutput = z.object({
  results: z.array(
    MemoryRow.extend({
      ...AboutFields,
      score: z.number(),
      /** Relations between it and the memory that was asked for. */
      distance: z.number().int(),
      /** The relations on the way to it, and whether the way follows their direction. */
      via: z.array(z.object({ type: z.string(), direction: z.enum(['out', 'in']), strength: z.number() })),
    }),
  ),
  /** Memories that are related and were searched. */
  related: z.number().int(),
  has_more: z.boolean(),
});

/** A search inside what is related to a memory. */
export const MemoryContextualSearch = defineWalker('memory_contextual_search', {
  description:
    'Search by words inside what is related to one memory, up to max_depth relations away in either direction.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    memory_id: idField.describe('Not searched itself'),
    query: queryField.min(1),
    max_depth: z
      .number()
      .int()
      .min(memoryContextualDepth.min)
      .max(memoryContextualDepth.max)
      .default(memoryContextualDepth.default),
    limit: z
      .number()
      .int()
      .min(memoryContextualRows.min)
      .max(memoryContextualRows.max)
      .default(memoryContextualRows.default),
    ...pageFields(lookupTokens),
  },
  output: ContextualOutput,
  examples: [
    { title: 'What is known around a problem', input: { memory_id: '01k8z5x2m9', query: 'time zone' } },
  ],
  finish: async ({ state: { memory_id, query, max_depth, limit, cursor }, context }) => {
    const memory = await memoryNamed(context, memory_id);
    const { reached, cut } = await relatedMemories(context, memory.id, [], max_depth);
    const within = reached.map((one) => one.memory.id);
    const hits = await readIndex(context, MEMORY_TEXT).search(wordsOf(query), {
      limit: within.length,
      within,
    });
    const scores = new Map(hits.map(({ id, score }) => [id, score]));
    const scoreOf = (id: string) => scores.get(id) ?? 0;
    const found = reached
      .filter((one) => scores.has(one.memory.id))
      .sort((a, b) => scoreOf(b.memory.id) - scoreOf(a.memory.id) || byImportance(a.memory, b.memory));
    const [from = 0] = offsetsOf(cursor);
    const rows = found.slice(from, from + limit).map((one) => ({
      ...memoryRow(one.memory),
      score: scoreOf(one.memory.id),
      distance: one.distance,
      via: one.way.map(({ type, direction, strength }) => ({ type, direction, strength })),
    }));
    const few = cut ? [`Only the ${reached.length} nearest memories were searched.`] : [];
    const output = {
      results: await withAbout(context, rows),
      related: reached.length,
      has_more: found.length > from + limit,
      state: { cut: few },
    };
    return presented(memoriesDraft(output, { at: 'results', what: 'memories', from, total: found.length }));
  },
  markdown: ({ results, related }) =>
    memoriesMarkdown(results, `best first, of ${plural(related, 'related one')}`),
});
