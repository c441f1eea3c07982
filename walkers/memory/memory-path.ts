import { z } from 'zod';
import { idField, memoryNamed, RelationRow, relationName, relationRows } from '../../graphs/memory/index.js';
import { limitField, plural, quotedLine, stripHidden } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS, MEMORY_TYPES } from '../../schema/index.js';
import { relatedMemories } from './related.js';

const { memoryPathDepth: depth } = LIMITS;

/** Shows how two memories are related: a shortest way along relations in either direction. */
export const MemoryPath = defineWalker('memory_path', {
  description:
    'How two memories are related: the shortest way from one to the other along relations in either direction.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    from_memory_id: idField,
    to_memory_id: idField,
    max_depth: limitField(depth).describe('Relations on the way'),
  },
  output: z.object({
    found: z.boolean(),
    /** Relations on the way; null where there is none. */
    length: z.number().int().nullable(),
    /** The memories on the way, both ends included; where there is none, the two ends. */
    memories: z.array(z.object({ id: z.string(), type: z.enum(MEMORY_TYPES), title: z.string() })),
    /** The relations between them, each seen from the memory before it. */
    relationships: z.array(RelationRow),
    /** Memories that were looked at. */
    reached: z.number().int(),
  }),
  examples: [
    { title: 'From a problem to a fix', input: { from_memory_id: '01k8z5x2m9', to_memory_id: '01k8z61f0c' } },
  ],
  finish: async ({ state: { from_memory_id, to_memory_id, max_depth }, context }) => {
    const from = await memoryNamed(context, from_memory_id, 'from_memory_id');
    const to = await memoryNamed(context, to_memory_id, 'to_memory_id');
    const { related, isCut } = await relatedMemories(context, from.id, [], max_depth);
    const way = from === to ? [] : related.find(({ memory }) => memory === to)?.way;
    const relationships = await relationRows(context, way ?? []);
    // Where no memory is as far as the limit, none is beyond it.
    const isFurther = !way && related.some((one) => one.way.length === max_depth);
    const deeper = max_depth < depth.max ? `: max_depth up to ${depth.max} looks further` : '';
    const between = way ? relationships.map(({ memory }) => memory) : [to];
    return {
      found: way !== undefined,
      length: way?.length ?? null,
      memories: [from, ...between].map(({ id, type, title }) => ({ id, type, title: stripHidden(title) })),
      relationships,
      reached: related.length,
      state: {
        cut: [
          ...(isCut ? [`Only the ${related.length} nearest memories were looked at.`] : []),
          ...(isFurther ? [`There is none of at most ${plural(max_depth, 'relation')}${deeper}.`] : []),
        ],
      },
    };
  },
  markdown: ({ found, length, memories, relationships }) => {
    const [first, ...others] = memories.map(
      ({ id, type, title }) => `${quotedLine(title, 100)} (${type}) ${id}`,
    );
    if (!found) return ['No way was found from', `- ${first}`, `to`, `- ${others.at(-1)}`, ''].join('\n');
    const steps = relationships.map((relation, at) => {
      const leads = relation.direction === 'out' ? 'leads to' : 'comes from';
      return `- ${relationName(relation)} (${relation.strength}) ${leads} ${others[at]}`;
    });
    return [`## ${plural(length ?? 0, 'relation')}`, '', `- ${first}`, ...steps, ''].join('\n');
  },
});
