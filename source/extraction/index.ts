export {
  type Extraction,
  type FileToExtract,
  factsFromBytes,
  factsToBytes,
  type ReadContent,
} from './extraction.js';
export { createExtractionPool, type ExtractionPool, type PoolOptions } from './pool.js';
