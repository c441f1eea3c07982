import { z } from 'zod';
import { defineWalker } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';
import { changeMemory } from './changed-memory.js';
import { keptSaid } from './kept-memory.js';
import { contextField, contextOf } from './memory-context.js';
import { idField, SAID_FIELDS, shareField, typeField, typeOf } from './memory-fields.js';
import { writeMemoryText } from './memory-text.js';
import { memoryNamed } from './named-memory.js';

const UpdateOutput = z.object({
  memory_id: z.string(),
  /** False: it says all this already. */
  updated: z.boolean(),
  /** From 1; what it said before is kept. */
  version: z.number().int(),
});

/** Changes some of what a memory says. */
export const MemoryUpdate = defineWalker('memory_update', {
  description: 'Change what a memory says: the fields that are given. What it said before is kept.',
  access: 'write',
  reads: 'trace',
  input: {
    memory_id: idField,
    title: SAID_FIELDS.title.optional(),
    content: SAID_FIELDS.content.optional(),
    summary: SAID_FIELDS.summary.optional(),
    tags: SAID_FIELDS.tags.optional(),
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
    const meant = state.type && typeOf(state.type);
    const tags = meant?.tag ? [...(state.tags ?? memory.tags), meant.tag] : state.tags;
    const patch = {
      ...keptSaid({ ...state, tags }),
      ...(meant ? { type: meant.type } : {}),
      ...contextOf(state.context ?? {}, context.projectRoot),
    };
    if (Object.keys(patch).length === 0)
      throw new CodewalkError('INVALID_INPUT', 'nothing is said that the memory should say now', {
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
