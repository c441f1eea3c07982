import { languages, serveExtraction } from '../../source/index.js';
import { documentMaker } from './documents.js';

await serveExtraction(languages, documentMaker());
