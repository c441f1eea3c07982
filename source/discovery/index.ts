export { type ChangeOnDisk, changeOnDisk, type KnownContent } from './changed-on-disk.js';
export { contentMark } from './content-mark.js';
export { decidesForOthers } from './deciding-files.js';
export type { KnownFile } from './directory-walk.js';
export { type DiscoverOptions, discover } from './discover.js';
export { type GlobSet, readGlobs } from './globs.js';
export { ignoreFilesAbove } from './ignore-files.js';
export { isProgramming, LANGUAGE_NAMES, languageName, UNKNOWN_LANGUAGE } from './language-names.js';
export { DISCOVERY_LIMITS, type DiscoveryLimits } from './limits.js';
export { type ListingRow, listing } from './listing.js';
export { mayBeRead } from './may-be-read.js';
export { type ReadOptions, readText, type TextRead } from './read-text.js';
export {
  type DiscoveredFile,
  type Discovery,
  type EnteredFolder,
  PLAIN_REASONS,
  type PlainReason,
  SKIP_REASONS,
  type SkippedFile,
  type SkipReason,
} from './reasons.js';
export { SECRET_EXAMPLES, SECRET_FOLDERS, SECRET_NAMES, secretRule } from './secret-files.js';
export { type TrackedMark, trackedMark } from './tracked-files.js';
export { VENDORED_FOLDERS, VENDORED_MARKERS } from './vendored-folders.js';
