import { z } from 'zod';
import { LIMITS } from '../../../schema/index.js';
import { PACK_RELATIONS } from './relations.js';

const { codebaseSeeds, codebaseHops } = LIMITS;

/** What `query_codebase` and `pack_snippets` both take. */
export const codebaseFields = {
  q: z
    .string()
    .refine((text) => text.trim() !== '', 'must not be empty')
    .describe('What is looked for, in words'),
  k: z
    .number()
    .int()
    .min(codebaseSeeds.min)
    .max(codebaseSeeds.max)
    .default(codebaseSeeds.default)
    .describe('Seeds found by text'),
  hop: z
    .number()
    .int()
    .min(codebaseHops.min)
    .max(codebaseHops.max)
    .default(codebaseHops.default)
    .describe('Hops around them'),
  rels: z
    .preprocess(
      (given) =>
        typeof given === 'string' ? given.split(',').map((one) => one.trim().toUpperCase()) : given,
      z.array(z.enum(PACK_RELATIONS)).min(1),
    )
    .default([...PACK_RELATIONS]),
  include_symbols: z.boolean().default(false).describe('Stubs of what is not known, too'),
};
