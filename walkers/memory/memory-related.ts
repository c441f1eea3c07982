import { z } from 'zod';
import {
  idField,
  ListedRow,
  memoriesMarkdown,
  memoryNamed,
  memoryPage,
  RelationStep,
  relationName,
  relationStep,
  relationsField,
  wholeField,
} from '../../graphs/memory/index.js';
import { pageFields, shownLine } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { relatedMemories } from './related.js';

const { memoryRelatedDepth, memoryRelatedRows, lookupTokens } = LIMITS;

/** Shows what is related to a memory, over several relations (S4-30). */
export const MemoryRelated = defineWalker('memory_related', {
  description:
    'Show the memories related to one, in both directions and over several relations, the strongest first.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    memory_id: idField,
    relationship_types: relationsField.default([]).describe('Default: all'),
    max_depth: wholeField(memoryRelatedDepth).default(memoryRelatedDepth.default),
    ...pageFields(lookupTokens),
  },
  output: z.object({
    memory_id: z.string(),
    results: z.array(
      ListedRow.extend({
        /** The first relation on the way. */
        relationship: z.string(),
        strength: z.number(),
        distance: z.number().int(),
        /** The relations on the way, with their true direction. */
        way: z.array(RelationStep),
      }),
    ),
    /** All that were reached, before the cut. */
    total: z.number().int(),
  }),
  examples: [{ title: 'What solves it', input: { memory_id: '01k8z5x2m9', relationship_types: ['SOLVES'] } }],
  finish: async ({ state: { memory_id, relationship_types, max_depth, cursor }, context }) => {
    const { id } = await memoryNamed(context, memory_id);
    const { related, isCut } = await relatedMemories(context, id, relationship_types, max_depth);
    const notes = isCut ? ['More memories are related than are looked at: name relationship_types.'] : [];
    const hits = related.map(({ memory, way }) => {
      const [{ type: relationship = '', props } = {}] = way;
      const strength = props?.strength ?? 0;
      return { memory, relationship, strength, distance: way.length, way: way.map(relationStep) };
    });
    const page = { cursor, limit: memoryRelatedRows.max };
    return memoryPage(context, { hits, notes, isAll: true }, page, ({ total }) => ({ memory_id: id, total }));
  },
  markdown: ({ memory_id, results }) =>
    memoriesMarkdown(
      results,
      `related to ${memory_id}`,
      `No memory is related to ${memory_id}.`,
      ({ way }) => {
        const steps = way.map(
          ({ id, from, to, strength, ...step }) =>
            `${from} ${relationName(step)} ${to} (${strength}, relation ${shownLine(id, 500)})`,
        );
        return [`  ${steps.join(', ')}`];
      },
    ),
});
