export { defineTextIndex, type TextIndexType } from './definition.js';
export { type MadeDocument, madeDocuments } from './documents.js';
export {
  type FoundDocument,
  readIndex,
  type SearchOptions,
  TextIndexReader,
  wordsBeginning,
} from './reader.js';
export {
  clearIndexes,
  type IndexFamily,
  sweepBlobs,
  sweepIndexes,
  TextIndexWriter,
  writeIndex,
} from './writer.js';
