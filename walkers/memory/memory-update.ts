import { z } from 'zod';
import {
  CONTENT_FIELDS,
  changeMemory,
  contextField,
  idField,
  memoryNamed,
  shareField,
  storedContent,
  storedContext,
  typeField,
  typeOf,
  writeMemoryText,
} from '../../graphs/memory/index.js';
import { defineWalker } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';

const UpdateOutput = z.object({
  memory_id: z.string(),
  /** False: it has all this already. */
  updated: z.boolean(),
  /** From 1; earlier versions stay. */
  version: z.number().int(),
});

/** Changes some fields of a memory. */
export const MemoryUpdate = defineWalker('memory_update', {
  description: 'Change the given fields of a memory. Its earlier content stays as a version.',
  access: 'write',
  reads: 'trace',
  input: {
    memory_id: idField,
    title: CONTENT_FIELDS.title.optional(),
    content: CONTENT_FIELDS.content.optional(),
    summary: CONTENT_FIELDS.summary.optional(),
    tags: CONTENT_FIELDS.tags.optional(),
    importance: shareField.optional(),
    type: typeField.optional(),
    confidence: shareField.optional(),
    effectiveness: shareField.optional(),
    context: contextField.optional(),
  },
  output: UpdateOutput,
  examples: [
    { title: 'It matters more', input: { memory_id: '01k8z5x2m9', importance: 0.9, tags: ['sessions'] } },
  ],
  finish: async ({ state, context }) => {
    const memory = await memoryNamed(context, state.memory_id);
    const patch = {
      ...storedContent(state),
      ...(state.type === undefined ? {} : { type: typeOf(state.type) }),
      ...storedContext(state.context ?? {}, context.projectRoot),
    };
    if (Object.keys(patch).length === 0)
      throw new CodewalkError('INVALID_INPUT', 'no field to change is given', {
        input: state.memory_id,
        suggestion:
          'Give at least one of title, content, summary, tags, importance, type, confidence, effectiveness, context.',
      });
    const updated = await changeMemory(context, memory, patch);
    await writeMemoryText(context, [memory]);
    return { memory_id: memory.id, updated, version: memory.version };
  },
  markdown: ({ memory_id, updated, version }) =>
    updated ? `${memory_id} says this now (version ${version}).\n` : `${memory_id} says this already.\n`,
});
