export { type ProjectChanges, projectChanges } from './changes.js';
export { CODE_TEXT, CountedWords } from './documents.js';
export { type ChangeHistory, changeHistory, type FileChange } from './history/change-history.js';
export { HISTORY_TOPICS, readTopics } from './history/kept-history.js';
export { Counter, FileProblem, IndexOutput, problemLines } from './index-output.js';
export {
  clearTexts,
  filesToIndex,
  indexProject,
  indexTexts,
  UpdateOutput,
  updateFiles,
} from './index-project.js';
export { isAtOrBeneath } from './scan.js';
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
export { changeSinceIndexed, SourceTexts } from './source-texts.js';
export {
  fromNowhere,
  indexProgress,
  type MissingState,
  NOTHING_MISSING,
  PROGRESS_MARK,
  readProgress,
  readState,
  stateName,
  storedProject,
  TEXT_MARK,
  TEXT_MARK_NOW,
  toBytes,
  UNFINISHED,
  unfinishedState,
} from './state.js';
export { fileSymbols } from './symbols.js';
export { throwIfOver, turn } from './write.js';
