import { z } from 'zod';
import { defineWalker } from '../../runtime/index.js';
import { plural } from '../markdown.js';
import { idField } from './memory-fields.js';
import { memoryNamed } from './named-memory.js';
import { linksOf } from './relation-links.js';
import { removeMemories } from './remove-memories.js';
import { wasDone } from './sent-again.js';

const DeleteOutput = z.object({
  memory_id: z.string(),
  deleted: z.boolean(),
  /** Relations to other memories that went with it; 0 where the answer that said so was lost. */
  relationships: z.number().int(),
});

/** Forgets a memory: what it says, what it said before, its relations. */
export const MemoryDelete = defineWalker('memory_delete', {
  description: 'Delete a memory for good, with its relations and all that it said before.',
  access: 'write',
  reads: 'trace',
  input: { memory_id: idField },
  output: DeleteOutput,
  examples: [{ title: 'By its id', input: { memory_id: '01k8z5x2m9' } }],
  finish: async ({ state: { memory_id }, context }) => {
    if (await wasDone(context)) return { memory_id, deleted: true, relationships: 0 };
    const memory = await memoryNamed(context, memory_id);
    const [links = []] = await linksOf(context, [memory.id]);
    await removeMemories(context, [memory]);
    return { memory_id: memory.id, deleted: true, relationships: links.length };
  },
  markdown: ({ memory_id, relationships }) =>
    `Deleted ${memory_id} and ${plural(relationships, 'relation')}.\n`,
});
