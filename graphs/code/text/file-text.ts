import { LIMITS } from '../../../schema/index.js';
import { madeDocuments, Words } from '../../../search/index.js';
import { type Beside, withoutSecrets } from '../../../source/index.js';
import { fileDocuments } from './file-documents.js';

/** What lists the exact versions of all packages: long, written by tools, and found by nothing that anybody asks. */
const LOCK_FILE = /(?:^|[\\/])(?:[^\\/]*[-.]lock(?:\.[a-z]+)?|npm-shrinkwrap\.json|go\.sum)$/i;

/** Makes the documents of files, on one thread: as index runs keep them. */
export function documentMaker(): Beside {
  const words = new Words();
  return ({ path, text, facts }) => {
    const isData = facts === null && (text.length > LIMITS.indexedText.max || LOCK_FILE.test(path));
    // What facts were made of has none.
    const shown = isData ? '' : facts === null ? withoutSecrets(text) : text;
    return madeDocuments(fileDocuments({ path, text: shown, facts }, words));
  };
}
