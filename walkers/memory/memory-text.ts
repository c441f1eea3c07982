import type { NodeRef, WriteContext } from '../../runtime/index.js';
import type { Memory, MemoryVersion } from '../../schema/index.js';
import { defineTextIndex, Words, writeIndex } from '../../search/index.js';

/**
 * The words of memories, in the store of the memories: a commit changes both or neither. Whoever changes what goes into
 * it gives it another name: stores of before are then made anew.
 */
export const MEMORY_TEXT = defineTextIndex('memories-3', {
  layer: 'durable',
  fields: { title: 1, summary: 1, content: 1, tags: 2, files: 1, paths: 0 },
});
/** A field of it. `paths`: whole paths, as {@link pathWord} spells them; words of queries are in none. */
export type MemoryField = (typeof MEMORY_TEXT)['fields'][number];

const words = new Words();

/** The words of a query, each once. */
export function wordsOf(query: string): Map<string, number> {
  return new Map(words.of(query).map((word) => [word, 1]));
}

/** A path as a word of its own: how many memories name a file. */
export const pathWord = (path: string): string => `/${path}`;

/** The words of what a memory says, or said once, as {@link MEMORY_TEXT} has them. */
export function fieldsOf(said: NodeRef<typeof Memory> | NodeRef<typeof MemoryVersion>) {
  const { title, summary, content, tags, context_files_involved } = said;
  return {
    title: words.of(title),
    summary: words.of(summary ?? ''),
    // What has nothing to add says its title again: its words count once.
    content: content === title ? [] : words.of(content),
    tags: words.of(tags.join('\n')),
    files: words.of(context_files_involved.join('\n')),
    paths: context_files_involved.map(pathWord),
  };
}

type Writing = Pick<WriteContext, 'blobs' | 'blobsUnder' | 'putBlob'>;

/** Brings the index of words up to what memories say; part of the run's own commit. */
export async function writeMemoryText(
  context: Writing,
  memories: readonly NodeRef<typeof Memory>[],
): Promise<void> {
  const writer = writeIndex(context, MEMORY_TEXT);
  for (const memory of memories) writer.put(memory.id, fieldsOf(memory));
  await writer.flush();
}

/** Takes memories out of the index of words; part of the run's own commit. */
export async function removeMemoryText(context: Writing, ids: readonly string[]): Promise<void> {
  const writer = writeIndex(context, MEMORY_TEXT);
  for (const id of ids) writer.remove(id);
  await writer.flush();
}
