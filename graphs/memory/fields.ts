import { z } from 'zod';
import { didYouMean, isNear } from '../../present/index.js';
import {
  LIMITS,
  MEMORY_RELATION_GROUPS,
  MEMORY_TYPE_ALIASES,
  MEMORY_TYPES,
  type MemoryType,
} from '../../schema/index.js';
import { masked } from '../../source/index.js';

const TYPE_WORDS = [...MEMORY_TYPES, 'pattern'] as const;
/** Tags that one search may name: twenty times those that a memory can have. */
const MOST_TAGS = 20 * LIMITS.memoryTags.max;
const RELATION_NAMES = Object.values(MEMORY_RELATION_GROUPS).flat();

/** Input: the id of a memory. */
export const idField = textField(200);

/** Input: a path, a name or the id of anything in the graph. */
export const nameField = textField(5000);

/** Input: the id of a relation, which holds the ids of two memories. */
export const relationIdField = textField(1000);

/** Input: a number from 0 to 1. A refinement, so that the bounds stay out of every tool's schema. */
export const shareField = z
  .number()
  .refine((share) => share >= 0 && share <= 1, { error: 'it is from 0 to 1' });

/** Input: a whole number within a limit. */
export function wholeField({ min, max }: { readonly min: number; readonly max: number }) {
  return z.int().refine((number) => number >= min && number <= max, { error: `it is from ${min} to ${max}` });
}

/** Input: the number of rows to skip. */
export const offsetField = z.int().refine((number) => number >= 0, { error: 'it is at least 0' });

/** Inputs: what a memory says. Longer texts are refused. */
export const CONTENT_FIELDS = {
  title: textField(LIMITS.memoryTitle.max),
  content: textField(LIMITS.memoryContent.max),
  summary: textUpTo(LIMITS.memorySummary.max),
  // A secret in lower case would not be recognised.
  tags: tagList(textField(LIMITS.memoryTag.max).overwrite(masked).toLowerCase(), LIMITS.memoryTags.max),
  importance: shareField,
  type: z.enum(TYPE_WORDS).overwrite(typeOf),
  confidence: shareField,
  effectiveness: shareField,
  // `storedContext` checks its parts, which keeps the tools' schemas short.
  context: z
    .record(z.string(), z.unknown())
    .describe('files_involved[], languages[], …; the rest is filled in'),
};

/** Input: the words of a search. */
export const queryField = textUpTo(LIMITS.memoryQuery.max);

/** Input: tags, one of which a memory must have. */
export const tagsField = tagList(z.string().trim().toLowerCase(), MOST_TAGS);

/** Input: types to look for, or other words for them. */
export const typesField = z.array(oneOf(TYPE_WORDS, 'type of memory'));

/** Input: one of the 35 relations. */
export const relationField = z.enum(RELATION_NAMES);

/** Input: relations to look for. */
export const relationsField = z.array(oneOf(RELATION_NAMES, 'relation'));

/** The type that a word of {@link typeField} stands for. */
export function typeOf(word: string): MemoryType {
  return word === 'pattern' ? MEMORY_TYPE_ALIASES.pattern : (word as MemoryType);
}

/** A text of at most so many characters; longer ones are refused. */
export function textUpTo(most: number) {
  return z
    .string()
    .trim()
    .refine((text) => text.length <= most, {
      error: ({ input }) => `it has ${String(input).length} characters, at most ${most} are taken`,
    });
}

function tagList(tag: z.ZodString, most: number) {
  return z
    .array(tag)
    .refine((tags) => tags.length <= most, { error: `at most ${most} tags` })
    .meta({ commas: true });
}

function textField(most: number) {
  return textUpTo(most).refine((text) => text !== '', { error: 'it is empty' });
}

/** A word of a list that is too long for every tool's schema; the error names the nearest words. */
function oneOf(words: readonly string[], what: string) {
  return z.string().refine((word) => words.includes(word), {
    error: ({ input }) => {
      const near = didYouMean(words.filter((word) => isNear(String(input), word)).slice(0, 2));
      return `no ${what}. ${near}There are ${words.join(', ')}`;
    },
  });
}
