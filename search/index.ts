export { rarity, type WordQuery } from './bm25.js';
export * from './embeddings/index.js';
export { blended, type Evidence, fused, ranking, type Scores } from './fusion.js';
export { type Hit, TextIndex } from './text-index.js';
export {
  clearIndexes,
  defineTextIndex,
  type FoundDocument,
  type IndexFamily,
  type MadeDocument,
  madeDocuments,
  readIndex,
  sweepBlobs,
  sweepIndexes,
  TextIndexReader,
  type TextIndexType,
  TextIndexWriter,
  wordsBeginning,
  writeIndex,
} from './text-store/index.js';
export { tokensOf, WORDS_VERSION, Words } from './words.js';
