import { of } from './limit.js';

/** How long is looked and waited for files that changed, before an answer. */
export const FRESHNESS_LIMITS = {
  freshLook: of(
    { default: 50 },
    'ms',
    'P-01',
    'Looking for changed files before an answer; then it is `unchecked`',
  ),
  freshFirstLook: of(
    { default: 2000 },
    'ms',
    'own',
    'The same before the first answer of a graph that was just opened',
  ),
  freshWait: of(
    { default: 2000 },
    'ms',
    'P-01',
    'Wait for changed files to be indexed; then the answer names them',
  ),
  fenceWait: of(
    { max: 100 },
    'ms',
    'own',
    'What a watcher gets to tell what it has; then the files are looked at',
  ),
  firstIndexWait: of(
    { default: 10_000 },
    'ms',
    'own',
    'A question waits so long for the index that it began',
  ),
  pendingFiles: of({ max: 20 }, 'rows', 'own', 'Files that an answer names as pending'),
} as const;
