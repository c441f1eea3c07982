import { z } from 'zod';
import {
  byImportance,
  idField,
  ListedRow,
  MEMORY_TEXT,
  memoriesMarkdown,
  memoryNamed,
  memoryPage,
  queryField,
  RelationStep,
  relationStep,
  wordsOf,
} from '../../graphs/memory/index.js';
import { limitField, pageFields, plural } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { readIndex } from '../../search/index.js';
import { relatedMemories } from './related.js';

const { memoryContextualDepth: depth, memoryContextualRows: rows, lookupTokens } = LIMITS;

const Via = RelationStep.pick({ type: true, strength: true, proposed: true }).extend({
  direction: z.enum(['out', 'in']),
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
    max_depth: limitField(depth),
    limit: limitField(rows),
    ...pageFields(lookupTokens),
  },
  output: z.object({
    results: z.array(
      ListedRow.extend({
        score: z.number(),
        /** Relations between it and the memory that was asked for. */
        distance: z.number().int(),
        /** The relations on the way to it, and whether the way follows their direction. */
        via: z.array(Via),
      }),
    ),
    /** Related memories that were searched. */
    related: z.number().int(),
    has_more: z.boolean(),
  }),
  examples: [
    { title: 'What is known around a problem', input: { memory_id: '01k8z5x2m9', query: 'time zone' } },
  ],
  finish: async ({ state, context }) => {
    const { id } = await memoryNamed(context, state.memory_id);
    const { related, isCut } = await relatedMemories(context, id, [], state.max_depth);
    const ids = related.map(({ memory }) => memory.id);
    const scores = await readIndex(context, MEMORY_TEXT).scores(wordsOf(state.query), ids);
    const hits = related
      .map(({ memory, way }) => ({
        memory,
        score: scores.get(memory.id) ?? 0,
        distance: way.length,
        via: way.map((step) => Via.parse({ ...relationStep(step), direction: step.direction })),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || byImportance(a.memory, b.memory));
    const notes = isCut ? [`Only the ${related.length} nearest memories were searched.`] : [];
    const found = { hits, notes, isAll: true };
    return memoryPage(context, found, state, ({ has_more }) => ({ related: related.length, has_more }));
  },
  markdown: ({ results, related }) =>
    memoriesMarkdown(results, `best first, of ${plural(related, 'related one')}`),
});
