export { type ChangeOnDisk, changeOnDisk } from './changed-on-disk.js';
export { contentMark } from './content-mark.js';
export { decidesForOthers } from './deciding-files.js';
export { type DiscoverOptions, discover, foldersAbove } from './discover.js';
export { readGlobs } from './globs.js';
export { ignoreFilesAbove } from './ignore-files.js';
export { isProgramming, LANGUAGE_NAMES, languageName } from './language-names.js';
export { DISCOVERY_LIMITS } from './limits.js';
export { type ListingRow, listing } from './listing.js';
export { mayBeRead } from './may-be-read.js';
export { readText } from './read-text.js';
export {
  type DiscoveredFile,
  type Discovery,
  type EnteredFolder,
  SKIP_REASONS,
  type SkippedFile,
  type SkipReason,
} from './reasons.js';
export { secretRule } from './secret-files.js';
export { type TrackedMark, trackedMark } from './tracked-files.js';
export { VENDORED_FOLDERS } from './vendored-folders.js';
