import { z } from 'zod';
import {
  byImportance,
  idField,
  ListedRow,
  MEMORY_TEXT,
  memoriesDraft,
  memoriesMarkdown,
  memoryNamed,
  memoryRows,
  queryField,
  relatedMemories,
  wordsOf,
} from '../../graphs/memory/index.js';
import { offsetsOf, pageFields, plural, presented } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { readIndex } from '../../search/index.js';

const { memoryContextualDepth, memoryContextualRows, lookupTokens } = LIMITS;

const ContextualOutput = z.object({
  results: z.array(
    ListedRow.extend({
      score: z.number(),
      /** Relations between it and the memory that was asked for. */
      distance: z.number().int(),
      /** The relations on the way to it, and whether the way follows their direction. */
      via: z.array(z.object({ type: z.string(), direction: z.enum(['out', 'in']), strength: z.number() })),
    }),
  ),
  /** Related memories that were searched. */
  related: z.number().int(),
  has_more: z.boolean(),
});

/** Searches inside what is related to a memory. */
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
    const { id } = await memoryNamed(context, memory_id);
    const { reached, isCut } = await relatedMemories(context, id, [], max_depth);
    const within = reached.map(({ memory }) => memory.id);
    const options = { limit: within.length, within };
    const hits = await readIndex(context, MEMORY_TEXT).search(wordsOf(query), options);
    const scores = new Map(hits.map((hit) => [hit.id, hit.score]));
    const found = reached
      .flatMap((one) => {
        const score = scores.get(one.memory.id);
        return score === undefined ? [] : [{ ...one, score }];
      })
      .sort((a, b) => b.score - a.score || byImportance(a.memory, b.memory));
    const [from = 0] = offsetsOf(cursor);
    const results = await memoryRows(context, found.slice(from, from + limit), ({ score, way }) => ({
      score,
      distance: way.length,
      via: way.map(({ type, direction, strength }) => ({ type, direction, strength })),
    }));
    const cut = isCut ? [`Only the ${reached.length} nearest memories were searched.`] : [];
    const total = found.length;
    const output = { results, related: reached.length, has_more: total > from + limit, state: { cut } };
    return presented(memoriesDraft(output, { at: 'results', what: 'memories', from, total }));
  },
  markdown: ({ results, related }) =>
    memoriesMarkdown(results, `best first, of ${plural(related, 'related one')}`),
});
