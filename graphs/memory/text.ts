import type { NodeRef, WriteContext } from '../../runtime/index.js';
import type { Memory, MemoryVersion } from '../../schema/index.js';
import { defineTextIndex, Words, writeIndex } from '../../search/index.js';

/** A memory as a run reads it. */
export type MemoryRef = NodeRef<typeof Memory>;

/**
 * The text index of memories, in the store of the memories: a commit changes both or neither. A change of its fields needs
 * another name, so that existing stores rebuild it. `paths`: whole paths as {@link pathWord}; no query finds these.
 */
export const MEMORY_TEXT = defineTextIndex('memories-3', {
  layer: 'durable',
  fields: { title: 1, summary: 1, content: 1, tags: 2, files: 1, paths: 0 },
});

const words = new Words();

/** The words of a query, each once with the weight 1. */
export function wordsOf(query: string): Map<string, number> {
  return new Map(words.of(query).map((word) => [word, 1]));
}

/** A path as a word of its own, to count how many memories name a file. */
export const pathWord = (path: string): string => `/${path}`;

/** The words of a memory or version by field of {@link MEMORY_TEXT}. */
export function fieldsOf(memory: MemoryRef | NodeRef<typeof MemoryVersion>) {
  const { title, summary, content, tags, context_files_involved: files } = memory;
  return {
    title: words.of(title),
    summary: words.of(summary ?? ''),
    // A content that only repeats the title: its words count once.
    content: content === title ? [] : words.of(content),
    tags: words.of(tags.join('\n')),
    files: words.of(files.join('\n')),
    paths: files.map(pathWord),
  };
}

type Writing = Pick<WriteContext, 'blobs' | 'blobsUnder' | 'putBlob'>;

/** Updates the text index for memories, in the run's own commit. */
export async function writeMemoryText(context: Writing, memories: readonly MemoryRef[]): Promise<void> {
  const writer = writeIndex(context, MEMORY_TEXT);
  for (const memory of memories) writer.put(memory.id, fieldsOf(memory));
  await writer.flush();
}

/** Removes memories from the text index, in the run's own commit. */
export async function removeMemoryText(context: Writing, ids: readonly string[]): Promise<void> {
  const writer = writeIndex(context, MEMORY_TEXT);
  for (const id of ids) writer.remove(id);
  await writer.flush();
}
