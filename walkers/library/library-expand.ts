import { z } from 'zod';
import { expand, PACK_RELATIONS } from '../../graphs/code/index.js';
import { defineWalker } from '../../runtime/index.js';
import { canonicalId, LIMITS } from '../../schema/index.js';

const { codebaseHops, runVisits } = LIMITS;

/** Breadth first from seeds over relations, both ways (S2-18). */
export const LibraryExpand = defineWalker('library_expand', {
  description:
    'What is around some nodes, breadth first, with the hops and the seed of each: for the library.',
  input: {
    seeds: z.array(z.string()),
    hop: z.number().int().min(codebaseHops.min).max(codebaseHops.max).default(1),
    rels: z.array(z.enum(PACK_RELATIONS)).default([...PACK_RELATIONS]),
  },
  output: z.object({
    reached: z.array(z.object({ id: z.string(), best_hop: z.number().int(), via_seed: z.string() })),
  }),
  finish: async ({ state: { seeds, hop, rels }, context }) => {
    const ids = [...new Set(seeds.map(canonicalId))];
    const there = (await context.nodes(ids)).flatMap((node) => (node && !node.gone ? [node.id] : []));
    const { reached } = await expand(context, there, { hop, rels, most: runVisits.default });
    return { reached: [...reached].map(([id, way]) => ({ id, ...way })) };
  },
});
