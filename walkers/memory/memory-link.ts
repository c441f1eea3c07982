import { z } from 'zod';
import {
  idField,
  memoryNamed,
  relationField,
  relationProps,
  shareField,
  storedText,
  storeRelationVersion,
  textUpTo,
} from '../../graphs/memory/index.js';
import { defineWalker } from '../../runtime/index.js';
import { CodewalkError, LIMITS, MEMORY_RELATIONS } from '../../schema/index.js';

const LinkOutput = z.object({
  relationship_id: z.string(),
  /** False: it was there, and was changed. */
  created: z.boolean(),
  relationship_type: relationField,
  from_memory_id: z.string(),
  to_memory_id: z.string(),
});

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
    const { relationship_type: type, strength, confidence, context: text } = state;
    const relation = MEMORY_RELATIONS[type];
    const known = (await context.q(from).out(relation).edges()).find((edge) => edge.to === to.id);
    const isProposed = known !== undefined && relationProps(known).proposed;
    const given = {
      ...(strength === undefined && !isProposed
        ? {}
        : { strength: strength ?? LIMITS.relationStrength.default }),
      ...(confidence === undefined && !isProposed
        ? {}
        : { confidence: confidence ?? LIMITS.memoryConfidence.default }),
      ...(text === undefined ? {} : { context: storedText(text) }),
      proposed: false,
    };
    const relation_id = known?.relation_id ?? `${type}:${from.id}:${to.id}`;
    const now = new Date(context.now()).toISOString();
    if (known) {
      const before = relationProps(known);
      const isNew = Object.entries({ ...before, ...given }).some(
        ([field, value]) => before[field as keyof typeof before] !== value,
      );
      if (isNew) await storeRelationVersion(context, { type, from: from.id, to: to.id, props: before }, now);
      context.set(known, given);
    } else await context.connect(from, to, relation({ ...given, relation_id, created_at: now }));
    return {
      relationship_id: relation_id,
      created: known === undefined,
      relationship_type: type,
      from_memory_id: from.id,
      to_memory_id: to.id,
    };
  },
  markdown: ({ relationship_id, created, relationship_type, from_memory_id, to_memory_id }) =>
    `${created ? 'Related' : 'Changed'}: ${from_memory_id} ${relationship_type} ${to_memory_id}, as relation ${relationship_id}.\n`,
});
