import { languages, serveExtraction } from '../../source/index.js';
import { documentMaker } from './text/file-text.js';

await serveExtraction(languages, documentMaker());
