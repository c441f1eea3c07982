import { z } from 'zod';
import { LIMITS } from '../../../schema/index.js';
import { PACK_RELATIONS, type PackRelation } from './relations.js';

const { codebaseSeeds, codebaseHops } = LIMITS;

/** What `query_codebase` and `pack_snippets` both take. */
export const codebaseFields = {
  q: z
    .string()
    .refine((text) => text.trim() !== '', 'must not be empty')
    .meta({ help: 'What it is about, in any words' }),
  k: z
    .number()
    .int()
    .min(codebaseSeeds.min)
    .max(codebaseSeeds.max)
    .default(codebaseSeeds.default)
    .describe('Seeds'),
  hop: z.number().int().min(codebaseHops.min).max(codebaseHops.max).default(codebaseHops.default),
  rels: z
    .string()
    .refine((text) => relationsIn(text) !== null, `only ${PACK_RELATIONS.join(', ')}, with commas between`)
    .optional()
    .describe('Only these: CONTAINS,CALLS,…'),
  include_symbols: z.boolean().default(false),
  scope: z.string().trim().min(1, 'it is empty').optional().meta({ place: true }),
};

/** The relations that a list with commas names, in their own order; all where none is given; null where it names another. */
export function relationsIn(text: string | undefined): PackRelation[] | null {
  if (text === undefined) return [...PACK_RELATIONS];
  const named = new Set(text.split(',').map((one) => one.trim().toUpperCase()));
  const known = PACK_RELATIONS.filter((relation) => named.has(relation));
  return known.length === named.size ? known : null;
}
