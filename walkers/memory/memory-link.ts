import { z } from 'zod';
import { defineWalker } from '../../runtime/index.js';
import { CodewalkError, LIMITS, MEMORY_RELATIONS } from '../../schema/index.js';
import { keptText } from '../trace/kept-text.js';
import { idField, relationField, shareField, textUpTo } from './memory-fields.js';
import { memoryNamed } from './named-memory.js';

const LinkOutput = z.object({
  relationship_id: z.string(),
  /** False: it was there, and now is as strong as this says. */
  created: z.boolean(),
  relationship_type: relationField,
  from_memory_id: z.string(),
  to_memory_id: z.string(),
});

/** Joins two memories. There is one relation of a type from one memory to another: said again, it is changed. */
export const MemoryLink = defineWalker('memory_link', {
  description: 'Relate one memory to another: a fix SOLVES a problem. Said again, the relation is changed.',
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
  output: LinkOutput,
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
    const relation = MEMORY_RELATIONS[relationship_type];
    const said = {
      ...(state.strength === undefined ? {} : { strength: state.strength }),
      ...(state.confidence === undefined ? {} : { confidence: state.confidence }),
      ...(state.context === undefined
        ? {}
        : { context: keptText(state.context, LIMITS.memoryContext.max).text }),
    };
    const known = (await context.q(from).out(relation).edges()).find((edge) => edge.to === to.id);
    const relation_id = known?.relation_id ?? `${relationship_type}:${from.id}:${to.id}`;
    if (known) context.set(known, said);
    else {
      const created_at = new Date(context.now()).toISOString();
      await context.connect(from, to, relation({ ...said, relation_id, created_at }));
    }
    return {
      relationship_id: relation_id,
      created: known === undefined,
      relationship_type,
      from_memory_id: from.id,
      to_memory_id: to.id,
    };
  },
  markdown: ({ relationship_id, created, relationship_type, from_memory_id, to_memory_id }) =>
    `${created ? 'Related' : 'Changed'}: ${from_memory_id} ${relationship_type} ${to_memory_id}, as relation ${relationship_id}.\n`,
});
