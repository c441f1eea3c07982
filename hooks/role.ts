import type { StepRole } from '../schema/index.js';
import { purposeOf } from './shell/purpose.js';
import type { Call } from './told.js';

/** Files that are read by people. */
const DOCS = /\.(?:md|mdx|rst|adoc)$|(?:^|\/)(?:docs?|documentation)\/[^/]*\.txt$/iu;

/** What a call is part of; null: it may be part of anything. */
export function roleOf({ doing, files, command }: Call): StepRole | null {
  switch (doing) {
    case 'read':
    case 'search':
      return 'reading';
    case 'edit':
      return files.length > 0 && files.every((file) => DOCS.test(file)) ? 'docs' : 'editing';
    case 'plan':
      return 'planning';
    case 'shell': {
      const purpose = purposeOf(command ?? '');
      return purpose === 'trying' ? 'testing' : purpose === 'looking' ? 'reading' : null;
    }
    case 'other':
      return null;
  }
}
