export type { CommitFact } from './commit-fact.js';
export { firstCommit } from './first-commit.js';
export { type GitHead, gitHead } from './git-head.js';
export { type GitLog, gitLog } from './git-log.js';
export { historyMark } from './history-mark.js';
