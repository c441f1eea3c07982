export { type Extraction, type FileToExtract, type MakeDocuments, TOO_SLOW } from './extraction.js';
export { createExtractionPool, type ExtractionPool, type PoolOptions } from './pool.js';
export { serveExtraction } from './serve-extraction.js';
