import { z } from 'zod';
import { deleteMemory, idField, memoryNamed, wasDone } from '../../graphs/memory/index.js';
import { plural } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';

/** Deletes a memory with its relations. */
export const MemoryDelete = defineWalker('memory_delete', {
  description:
    'Delete a memory with its relations. memory_as_of and memory export still have what it was; codewalk forget --memory erases that too.',
  access: 'write',
  reads: 'trace',
  input: { memory_id: idField },
  output: z.object({
    memory_id: z.string(),
    deleted: z.boolean(),
    /** Relations that were deleted with it; 0 where the request was done before. */
    relationships: z.number().int(),
  }),
  examples: [{ title: 'By its id', input: { memory_id: '01k8z5x2m9' } }],
  finish: async ({ state: { memory_id }, context }) => {
    if (await wasDone(context)) return { memory_id, deleted: true, relationships: 0 };
    const memory = await memoryNamed(context, memory_id);
    return { memory_id: memory.id, deleted: true, relationships: await deleteMemory(context, memory) };
  },
  markdown: ({ memory_id, relationships }) =>
    `Deleted ${memory_id} and ${plural(relationships, 'relation')}.\n`,
});
