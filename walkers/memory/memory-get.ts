import { z } from 'zod';
import { draftBy, pageFields, presented } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { AboutFields, aboutOf, UNBOUND } from './about-row.js';
import { idField } from './memory-fields.js';
import { memoryMarkdown } from './memory-markdown.js';
import { wasRead } from './memory-read.js';
import { MemoryRow, memoryRow } from './memory-row.js';
import { memoryNamed } from './named-memory.js';
import { RelationRow, relationsOf } from './relation-row.js';

const GetOutput = z.object({
  memory: MemoryRow,
  /** The strongest first; empty where they were not asked for. */
  relationships: z.array(RelationRow),
  ...AboutFields,
});

/** One memory, whole. */
export const MemoryGet = defineWalker('memory_get', {
  description:
    'Show one memory whole: what it says, where it was made, what it is about, its relations to others.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    memory_id: idField.describe('Its beginning will do where it is the only one'),
    include_relationships: z.boolean().default(true),
    ...pageFields(LIMITS.packTokens),
  },
  output: GetOutput,
  examples: [{ title: 'By its id', input: { memory_id: '01k8z5x2m9' } }],
  finish: async ({ state: { memory_id, include_relationships }, context }) => {
    const memory = await memoryNamed(context, memory_id);
    const relationships = include_relationships ? await relationsOf(memory, context) : [];
    const { about, freshness } = (await aboutOf(context, [memory.id])).get(memory.id) ?? UNBOUND;
    return presented(
      draftBy(
        { memory: memoryRow(memory), relationships, about, freshness },
        {
          limit: LIMITS.packTokens,
          lists: [
            { at: 'relationships', what: 'relationships' },
            { at: 'about', what: 'things that it is about', least: 3 },
          ],
          rowsFirst: true,
          less: [{ field: 'memory.content', what: 'The content' }],
        },
      ),
    );
  },
  afterwards: ({ memory }) => wasRead([memory.id]),
  markdown: ({ memory, relationships, about }) => memoryMarkdown(memory, relationships, about),
});
