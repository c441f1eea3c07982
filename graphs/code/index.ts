export type { FileProblem } from './changed-files.js';
export { allChanges, changesAt } from './changed-paths.js';
export { Counter } from './counter.js';
export { changeSinceIndexed } from './file-change.js';
export { readState, stateName, toBytes } from './file-state.js';
export { fileSymbols } from './file-symbols.js';
export { type ChangeHistory, changeHistory, type FileChange } from './history/change-history.js';
export { HISTORY_TOPICS, readTopics } from './history/kept-history.js';
export { allProblems, broughtBy } from './index-figures.js';
export { PROGRESS_MARK, readProgress, TEXT_MARK, TEXT_MARK_NOW } from './index-mark.js';
export { IndexOutput } from './index-output.js';
export * from './index-progress.js';
export { indexProject, indexWhole } from './index-project.js';
export { IndexRun } from './index-run.js';
export { INDEX_SESSION, type IndexSession } from './index-session.js';
export { problemLines } from './problem-lines.js';
export { type ProjectIndex, storedProject } from './project-index.js';
export { type AskedScope, askedScope, isAtOrBeneath, rootOf } from './scope.js';
export {
  type AroundQuery,
  aroundAnswer,
  aroundSeeds,
  edgesWithin,
  expand,
} from './search/around.js';
export { type Question, questionOf, shownQuery } from './search/question.js';
export { type FoundCode, noFilesNotes, type RankedCode, rankCode } from './search/rank-code.js';
export {
  CodeEdge,
  CodeNode,
  type CodeRef,
  codeEdge,
  codeNode,
  codeNodes,
  NodeKind,
  PACK_RELATIONS,
  PackNode,
  type PackRelation,
  relationOf,
} from './search/records.js';
export { type Selection, selectionOf } from './search/selection.js';
export { firstLines, Snippet, type SnippetSpan, Snippets, snippetSpans } from './search/snippets.js';
export { SourceTexts } from './source-texts.js';
export { clearTexts } from './text/clear-texts.js';
export { CODE_TEXT } from './text/code-text.js';
export { CountedWords } from './text/file-documents.js';
export { dropTexts } from './texts-anew.js';
export { throwIfOver, turn } from './turn.js';
