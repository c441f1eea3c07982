export { type Beside, type Extraction, type FileToExtract, TOO_SLOW } from './extraction.js';
export { createExtractionPool, type ExtractionPool, type PoolOptions } from './pool.js';
export { serveExtraction } from './serve-extraction.js';
