import { z } from 'zod';
import {
  idField,
  memoryNamed,
  relate,
  relationField,
  shareField,
  textUpTo,
} from '../../graphs/memory/index.js';
import { defineWalker } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { replacedOver } from './related.js';

/** Relates two memories. There is one relation of a type from one memory to another. */
export const MemoryLink = defineWalker('memory_link', {
  description: 'Relate one memory to another: a fix SOLVES a problem. Done again, it changes the relation.',
  access: 'write',
  reads: 'trace',
  input: {
    from_memory_id: idField,
    to_memory_id: idField,
    relationship_type: relationField,
    strength: shareField.optional(),
    confidence: shareField.optional(),
    context: textUpTo(LIMITS.memoryContext.max).optional(),
  },
  output: z.object({
    relationship_id: z.string(),
    /** False: it was there, and was changed. */
    created: z.boolean(),
    relationship_type: relationField,
    from_memory_id: z.string(),
    to_memory_id: z.string(),
  }),
  examples: [
    {
      title: 'What a fix solves',
      input: {
        from_memory_id: '01k8z5x2m9',
        to_memory_id: '01k8z4w1k7',
        relationship_type: 'SOLVES',
        strength: 0.9,
      },
    },
  ],
  finish: async ({ state, context }) => {
    const from = await memoryNamed(context, state.from_memory_id, 'from_memory_id');
    const to = await memoryNamed(context, state.to_memory_id, 'to_memory_id');
    if (from === to)
      throw new CodewalkError('INVALID_INPUT', `to_memory_id: '${to.id}' is the same memory`, {
        input: to.id,
        suggestion: 'A relation joins two memories.',
      });
    const { relationship_type } = state;
    const last = relationship_type === 'REPLACES' ? await replacedOver(context, to.id, from.id) : undefined;
    if (last) {
      const why = `to_memory_id: '${to.id}' replaces '${from.id}' already: two cannot replace each other`;
      throw new CodewalkError('INVALID_INPUT', why, {
        input: to.id,
        suggestion: `If that is no longer so, report it first: memory_outcome of the relation ${last.props.relation_id}, without success.`,
      });
    }
    const { id, created } = await relate(context, [from, relationship_type, to], state);
    const ends = { from_memory_id: from.id, to_memory_id: to.id };
    return { relationship_id: id, created, relationship_type, ...ends };
  },
  markdown: ({ relationship_id, created, relationship_type, from_memory_id, to_memory_id }) =>
    `${created ? 'Related' : 'Changed'}: ${from_memory_id} ${relationship_type} ${to_memory_id}, as relation ${relationship_id}.\n`,
});
