import { z } from 'zod';
import {
  LIMITS,
  MEMORY_RELATION_GROUPS,
  MEMORY_TYPE_ALIASES,
  MEMORY_TYPES,
  type MemoryType,
} from '../../schema/index.js';
import { masked } from '../../source/index.js';
import { didYouMean, isNear } from '../suggestion.js';

const ALIASES = ['pattern', 'decision'] as const satisfies readonly (keyof typeof MEMORY_TYPE_ALIASES)[];
const TYPE_WORDS = [...MEMORY_TYPES, ...ALIASES] as const;
/** Tags that one search may name: twenty times those that a memory can have. */
const MOST_TAGS = 20 * LIMITS.memoryTags.max;
const RELATION_NAMES = Object.values(MEMORY_RELATION_GROUPS).flat();

/** A memory's type as callers write it: one of the 13, or another word for one. */
export const typeField = z.enum(TYPE_WORDS);

/** The id of a memory. */
export const idField = textField(200);

/** A path, a name or the id of anything in the graph. */
export const nameField = textField(5000);

/** The id of a relation: it has those of two memories. */
export const relationIdField = textField(1000);

/** A share from 0 to 1. Refinements, so that the bounds are no part of every tool's schema. */
export const shareField = z
  .number()
  .refine((share) => share >= 0 && share <= 1, { error: 'it is from 0 to 1' });

/** A whole number within a limit. */
export function wholeField({ min, max }: { readonly min: number; readonly max: number }) {
  return z.int().refine((number) => number >= min && number <= max, { error: `it is from ${min} to ${max}` });
}

/** How many rows are passed over. */
export const offsetField = z.int().refine((number) => number >= 0, { error: 'it is at least 0' });

/** What somebody says of a memory. Longer texts are refused. */
export const SAID_FIELDS = {
  title: textField(LIMITS.memoryTitle.max),
  content: textField(LIMITS.memoryContent.max),
  summary: textUpTo(LIMITS.memorySummary.max),
  tags: z
    // A secret in small letters is none that could be known.
    .array(textField(LIMITS.memoryTag.max).overwrite(masked).toLowerCase())
    .refine((tags) => tags.length <= LIMITS.memoryTags.max, {
      error: `at most ${LIMITS.memoryTags.max} tags`,
    })
    .meta({ commas: true }),
};

/** What is looked for, in words. */
export const queryField = textUpTo(LIMITS.memoryQuery.max);

/** Tags of which a memory has to have one. */
export const tagsField = z
  .array(z.string().trim().toLowerCase())
  .refine((tags) => tags.length <= MOST_TAGS, { error: `at most ${MOST_TAGS} tags` })
  .meta({ commas: true });

/** Types that are looked for; other words for them mean them too. */
export const typesField = z.array(oneOf(TYPE_WORDS, 'type of memory'));

/** One of the 35 relations. */
export const relationField = z.enum(RELATION_NAMES);

/** Relations that are looked for. */
export const relationsField = z.array(oneOf(RELATION_NAMES, 'relation'));

/** A type, and the tag that keeps the difference where another word stood for it. */
export interface MeantType {
  readonly type: MemoryType;
  readonly tag: string | null;
}

/** The type that a word of {@link typeField} stands for. */
export function typeOf(said: z.infer<typeof typeField>): MeantType {
  return said === 'pattern' || said === 'decision' ? MEMORY_TYPE_ALIASES[said] : { type: said, tag: null };
}

/** The types that a list of words stands for. */
export function typesOf(said: readonly string[]): MeantType[] {
  return TYPE_WORDS.filter((word) => said.includes(word)).map(typeOf);
}

/** A text of at most so many characters; longer ones are refused. */
export function textUpTo(most: number) {
  return longest(z.string().trim(), most);
}

/** A text that is not empty. */
function textField(most: number) {
  return longest(
    z
      .string()
      .trim()
      .refine((text) => text !== '', { error: 'it is empty' }),
    most,
  );
}

function longest(text: z.ZodString, most: number): z.ZodString {
  return text.refine((one) => one.length <= most, {
    error: ({ input }) => `it has ${String(input).length} characters, at most ${most} are taken`,
  });
}

/** A word of a list that is too long for every tool's schema; a wrong one is told the nearest. */
function oneOf(words: readonly string[], what: string) {
  return z.string().refine((word) => words.includes(word), {
    error: ({ input }) => {
      const near = didYouMean(words.filter((word) => isNear(String(input), word)).slice(0, 2));
      return `no ${what}. ${near}There are ${words.join(', ')}`;
    },
  });
}
