import { languages } from '../languages/index.js';
import { serveExtraction } from './serve-extraction.js';

await serveExtraction(languages);
