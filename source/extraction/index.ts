export type { Beside, Extraction, FileToExtract, ReadContent } from './extraction.js';
export { createExtractionPool, type ExtractionPool, type PoolOptions } from './pool.js';
export { serveExtraction } from './serve-extraction.js';
