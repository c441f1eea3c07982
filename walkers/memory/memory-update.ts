import { z } from 'zod';
import {
  CONTENT_FIELDS,
  changeMemory,
  idField,
  memoryNamed,
  SimilarFields,
  similarFields,
  similarLines,
  storedContent,
} from '../../graphs/memory/index.js';
import { defineWalker } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';

/** Changes some fields of a memory. */
export const MemoryUpdate = defineWalker('memory_update', {
  description: 'Change the given fields of a memory. Its earlier content stays as a version.',
  access: 'write',
  reads: 'trace',
  input: { memory_id: idField, ...z.object(CONTENT_FIELDS).partial().shape },
  output: z.object({
    memory_id: z.string(),
    /** False: it has all this already. */
    updated: z.boolean(),
    /** From 1; earlier versions stay. */
    version: z.number().int(),
    ...SimilarFields.shape,
  }),
  examples: [
    { title: 'It matters more', input: { memory_id: '01k8z5x2m9', importance: 0.9, tags: ['sessions'] } },
  ],
  finish: async ({ state, context }) => {
    const memory = await memoryNamed(context, state.memory_id);
    const patch = storedContent(state, context.projectRoot);
    if (Object.keys(patch).length === 0)
      throw new CodewalkError('INVALID_INPUT', 'no field to change is given', {
        input: state.memory_id,
        suggestion: `Give at least one of ${Object.keys(CONTENT_FIELDS).join(', ')}.`,
      });
    const { updated, ...similar } = await changeMemory(context, memory, patch);
    return { memory_id: memory.id, updated, version: memory.version, ...similarFields(similar) };
  },
  markdown: ({ memory_id, updated, version, ...similar }) => {
    const said = updated ? `says this now (version ${version}).` : 'says this already.';
    return [`${memory_id} ${said}`, ...similarLines(memory_id, similar), ''].join('\n');
  },
});
