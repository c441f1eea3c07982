import { z } from 'zod';
import { offsetsOf, pageFields, presented } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { quotedLine, shownLine } from '../shown-text.js';
import { AboutFields, withAbout } from './about-row.js';
import { memoriesDraft } from './fit-memories.js';
import { idField, relationsField, wholeField } from './memory-fields.js';
import { memoriesMarkdown } from './memory-markdown.js';
import { MemoryRow, memoryRow } from './memory-row.js';
import { memoryNamed } from './named-memory.js';
import { relatedMemories } from './related-memories.js';
import { relationIds } from './relation-links.js';

const { memoryRelatedDepth, memoryRelatedRows, lookupTokens } = LIMITS;

/** One relation on a way, with its true direction. */
const WayStep = z.object({
  id: z.string(),
  type: z.string(),
  from: z.string(),
  to: z.string(),
  strength: z.number(),
});

const RelatedOutput = z.object({
  memory_id: z.string(),
  results: z.array(
    MemoryRow.extend({
      /** The first relation on the way here. */
      relationship: z.string(),
      strength: z.number(),
      distance: z.number().int(),
      way: z.array(WayStep),
      ...AboutFields,
    }),
  ),
  /** All that were reached, before the cut. */
  total: z.number().int(),
});

/** What is related to a memory, over several relations (S4-30). */
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
  output: RelatedOutput,
  examples: [{ title: 'What solves it', input: { memory_id: '01k8z5x2m9', relationship_types: ['SOLVES'] } }],
  finish: async ({ state: { memory_id, relationship_types, max_depth, cursor }, context }) => {
    const start = await memoryNamed(context, memory_id);
    const { reached, cut } = await relatedMemories(context, start.id, relationship_types, max_depth);
    const [from = 0] = offsetsOf(cursor);
    const shown = reached.slice(from, from + memoryRelatedRows.max);
    const ids = await relationIds(
      context,
      shown.flatMap(({ way }) => way),
    );
    const rows = shown.map(({ memory, distance, way }) => {
      let near = start.id;
      const steps = way.map((link) => {
        const { type, direction, far, strength } = link;
        const [from, to] = direction === 'out' ? [near, far] : [far, near];
        near = far;
        return { id: ids.get(link) ?? '', type, from, to, strength };
      });
      const [first] = steps;
      return {
        ...memoryRow(memory),
        relationship: first?.type ?? '',
        strength: first?.strength ?? 0,
        distance,
        way: steps,
      };
    });
    const reach = cut ? ['More memories are related than are looked at: name relationship_types.'] : [];
    const output = {
      memory_id: start.id,
      results: await withAbout(context, rows),
      total: reached.length,
      state: { cut: reach },
    };
    return presented(memoriesDraft(output, { at: 'results', what: 'memories', from, total: reached.length }));
  },
  markdown: ({ memory_id, results }) =>
    [
      memoriesMarkdown(results, `related to ${memory_id}`, `No memory is related to ${memory_id}.`),
      ...results.map(({ title, way }) => {
        const steps = way.map(
          ({ id, type, from, to, strength }) =>
            `${from} ${type} ${to} (${strength}, relation ${shownLine(id, 500)})`,
        );
        return `- ${quotedLine(title, 60)}: ${steps.join(', ')}`;
      }),
      '',
    ].join('\n'),
});
