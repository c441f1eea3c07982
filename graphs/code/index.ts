export { type ProjectChanges, projectChanges } from './changes.js';
export { changedWith } from './context/evidence.js';
export { type AskedRange, type Focus, focusOf } from './context/focus.js';
export { type Related, RelatedRow, relatedTo, TestRow } from './context/related.js';
export { textOf } from './context/texts.js';
export { CODE_TEXT, CountedWords } from './documents.js';
export { latestConcepts } from './history/commit-concepts.js';
export { type ChangeHistory, changeHistory } from './history/git-history.js';
export { Counter, FileProblem, IndexOutput, problemLines } from './index-output.js';
export {
  clearTexts,
  filesToIndex,
  importScip,
  indexProject,
  indexTexts,
  UpdateOutput,
  updateFiles,
} from './index-project.js';
export { endsInParts, missingReexports, offeredNames, topSymbols } from './modules.js';
export {
  areOverloads,
  declarationsOf,
  type FoundNames,
  findNamed,
  implementationOf,
  isConstructorId,
  isNamed,
  kindOf,
  type Named,
  nameField,
  pathField,
  qualifiedName,
  symbolKey,
  type Wanted,
  withoutOverloads,
} from './names.js';
export { isAtOrBeneath } from './scan.js';
export { scipIndex } from './scip/export-scip.js';
export { type Scoped, scopedIds, withinScope } from './scope.js';
export {
  type AroundQuery,
  type AroundSeeds,
  aroundSeeds,
  CodeEdge,
  CodeNode,
  type CodeRef,
  codeEdge,
  codeNode,
  codeNodes,
  edgesAmong,
  expand,
  NodeKind,
  PACK_RELATIONS,
  PackNode,
  type PackRelation,
  relationOf,
  sortedEdges,
} from './search/pack.js';
export { type Question, questionOf, shownQuery } from './search/question.js';
export {
  type FoundCode,
  noFilesNotes,
  type RankedCode,
  rankCode,
  type Selection,
  selectionOf,
} from './search/rank-code.js';
export { Snippets } from './search/snippets.js';
export { SIBLING_STORES } from './siblings.js';
export { changeSinceIndexed, indexedText, SourceTexts } from './source-texts.js';
export {
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
  WRITTEN_MARK,
} from './state.js';
export { fileSymbols } from './symbols.js';
export { throwIfOver, turn } from './write.js';
