import type { TextIndexType } from './definition.js';
import { type ReadableShelf, TextIndexReader } from './reader.js';
import { TextIndexWriter, type WritableShelf } from './writer.js';

export { clearIndexes, type IndexFamily, sweepIndexes } from './clear.js';
export { defineTextIndex, type TextIndexType } from './definition.js';
export { type MadeDocument, madeDocuments } from './documents.js';
export { wordsBeginning } from './known-words.js';
export { type FoundDocument, type SearchOptions, TextIndexReader } from './reader.js';
export { sweepBlobs } from './sweep.js';
export { TextIndexWriter } from './writer.js';

/** An index of texts, as a run reads it. */
export function readIndex<F extends string>(
  context: ReadableShelf,
  type: TextIndexType<F>,
): TextIndexReader<F> {
  return new TextIndexReader(context, type);
}

/** An index of texts, as a run changes it. */
export function writeIndex<F extends string>(
  context: WritableShelf,
  type: TextIndexType<F>,
): TextIndexWriter<F> {
  return new TextIndexWriter(context, type);
}
