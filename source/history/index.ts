export type { CommitFact } from './commit-fact.js';
export { type CommitFiles, commitFiles, type TouchedFile } from './commit-files.js';
export { type CommitLines, commitLines, type Hunk } from './commit-lines.js';
export { commitList } from './commit-list.js';
export { firstCommit } from './first-commit.js';
export type { GitAnswer } from './git-answer.js';
export { type GitHead, gitHead } from './git-head.js';
export { gitLog } from './git-log.js';
export { historyMark } from './history-mark.js';
