import { z } from 'zod';
import { stripHidden } from '../../present/index.js';
import { defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { LIMITS, MEMORY_TYPES, Memory } from '../../schema/index.js';
import { plural } from '../markdown.js';
import { quotedLine } from '../shown-text.js';
import { idField } from './memory-fields.js';
import { memoryNamed } from './named-memory.js';
import { relatedMemories } from './related-memories.js';
import { type RelationLink, relationsBehind } from './relation-links.js';
import { RelationRow, relationRow } from './relation-row.js';

const { memoryPathDepth } = LIMITS;

const PathOutput = z.object({
  found: z.boolean(),
  /** Relations on the way; null where there is none. */
  length: z.number().int().nullable(),
  /** The memories on the way, both ends included; where there is none, the two ends. */
  memories: z.array(z.object({ id: z.string(), type: z.enum(MEMORY_TYPES), title: z.string() })),
  /** The relations between them, each seen from the memory before it. */
  relationships: z.array(RelationRow),
  /** Memories that were looked at on the way. */
  reached: z.number().int(),
});

/** How two memories are related: the shortest way along relations in either direction. */
export const MemoryPath = defineWalker('memory_path', {
  description:
    'How two memories are related: the shortest way from one to the other along relations in either direction.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    from_memory_id: idField,
    to_memory_id: idField,
    max_depth: z
      .number()
      .int()
      .min(memoryPathDepth.min)
      .max(memoryPathDepth.max)
      .default(memoryPathDepth.default)
      .describe('Relations on the way'),
  },
  output: PathOutput,
  examples: [
    { title: 'From a problem to a fix', input: { from_memory_id: '01k8z5x2m9', to_memory_id: '01k8z61f0c' } },
  ],
  finish: async ({ state: { from_memory_id, to_memory_id, max_depth }, context }) => {
    const from = await memoryNamed(context, from_memory_id, 'from_memory_id');
    const to = await memoryNamed(context, to_memory_id, 'to_memory_id');
    const { reached, cut } = await relatedMemories(context, from.id, [], max_depth);
    const way = from === to ? [] : reached.find(({ memory }) => memory === to)?.way;
    const nodes = way
      ? [
          from,
          ...(await context.nodesOf(
            Memory,
            way.map(({ far }) => far),
          )),
        ]
      : [from, to];
    return {
      found: way !== undefined,
      length: way?.length ?? null,
      memories: nodes.map(({ id, type, title }) => ({ id, type, title: stripHidden(title) })),
      relationships: await relationsOn(way ?? [], nodes, context),
      reached: reached.length,
      state: { cut: cut ? [`Only the ${reached.length} nearest memories were looked at.`] : [] },
    };
  },
  markdown: ({ found, length, memories, relationships }) => {
    const [first, ...others] = memories.map(
      ({ id, type, title }) => `${quotedLine(title, 100)} (${type}) ${id}`,
    );
    if (!found) return ['No way leads from', `- ${first}`, `to`, `- ${others.at(-1)}`, ''].join('\n');
    const steps = others.map((memory, at) => `- ${arrow(relationships[at])} ${memory}`);
    return [`## ${plural(length ?? 0, 'relation')}`, '', `- ${first}`, ...steps, ''].join('\n');
  },
});

function arrow(relation: RelationRow | undefined): string {
  if (relation === undefined) return '';
  const { type, direction, strength } = relation;
  return direction === 'out' ? `${type} (${strength}) leads to` : `${type} (${strength}) comes from`;
}

/** The relations of a way. @param nodes The memories on it: one more than relations. */
async function relationsOn(
  way: readonly RelationLink[],
  nodes: readonly NodeRef<typeof Memory>[],
  context: ReadContext,
): Promise<RelationRow[]> {
  const relations = await relationsBehind(context, way);
  return way.flatMap((link, at) => {
    const [near, relation, far] = [nodes[at], relations[at], nodes[at + 1]];
    return near && relation && far ? [relationRow(near.id, link, relation, far)] : [];
  });
}
