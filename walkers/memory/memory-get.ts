import { z } from 'zod';
import {
  AboutFields,
  idField,
  ListedRow,
  MemoryRow,
  memoryMarkdown,
  memoryNamed,
  memoryRows,
  RelationRow,
  relationRows,
  relationsOf,
} from '../../graphs/memory/index.js';
import { draftBy, pageFields, presented } from '../../present/index.js';
import { compareText, defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { wasRead } from './memory-read.js';

/** Shows one memory whole. */
export const MemoryGet = defineWalker('memory_get', {
  description: 'Show one memory whole: its content, context, what it is about, its relations.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    memory_id: idField.describe('Its beginning will do where it is the only one'),
    include_relationships: z.boolean().default(true),
    ...pageFields(LIMITS.packTokens),
  },
  output: z.object({
    memory: MemoryRow,
    /** The strongest first; empty where they were not asked for. */
    relationships: z.array(RelationRow),
    ...AboutFields,
  }),
  examples: [{ title: 'By its id', input: { memory_id: '01k8z5x2m9' } }],
  finish: async ({ state: { memory_id, include_relationships }, context }) => {
    const found = await memoryNamed(context, memory_id);
    const [relations = []] = include_relationships ? await relationsOf(context, [found.id]) : [];
    const relationships = (await relationRows(context, relations)).sort(
      (a, b) =>
        b.strength - a.strength || compareText(`${a.type} ${a.memory.id}`, `${b.type} ${b.memory.id}`),
    );
    const [row] = await memoryRows(context, [{ memory: found }]);
    const { about, freshness, standing, ...memory } = ListedRow.parse(row);
    const shape = {
      limit: LIMITS.packTokens,
      lists: [
        { at: 'relationships', what: 'relationships' },
        { at: 'about', what: 'things that it is about', least: 3 },
      ],
      rowsFirst: true,
      less: [{ field: 'memory.content', what: 'The content' }],
    };
    return presented(
      draftBy({ memory, relationships, about, freshness, ...(standing ? { standing } : {}) }, shape),
    );
  },
  afterwards: ({ memory }) => wasRead([memory.id]),
  markdown: ({ memory, relationships, ...about }) => memoryMarkdown({ ...memory, ...about }, relationships),
});
