export type { Extraction, FileToExtract, ReadContent } from './extraction.js';
export { createExtractionPool, type ExtractionPool, type PoolOptions } from './pool.js';
