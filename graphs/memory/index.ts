export {
  AboutFields,
  aboutOf,
  linesHash,
  memoriesAbout,
  memoriesOfFiles,
  type Remembered,
  RememberedRow,
  rememberedAs,
  rememberedLine,
  type TextOnDisk,
  textOnDisk,
} from './about.js';
export {
  contextField,
  projectPaths,
  storedContent,
  storedContext,
  storedText,
  surroundingContext,
} from './content.js';
export { exportRecords } from './export.js';
export * from './fields.js';
export { memoryNamed, wasDone, whyNoMemoryId } from './identity.js';
export { planImport } from './import.js';
export { ExchangeRecord, type Problem, readRecords } from './records.js';
export {
  linksOf,
  RelationRow,
  RelationThen,
  relatedMemories,
  relationProps,
  relationRows,
  relationsBehind,
  relationsOf,
  relationsThen,
  storeRelationVersion,
} from './relations.js';
export {
  emptyNotes,
  foundList,
  ListedRow,
  MemoryRow,
  memoriesDraft,
  memoriesMarkdown,
  memoryMarkdown,
  memoryRows,
  VersionRow,
  versionRow,
  versionsMarkdown,
} from './rows.js';
export { type Recalled, recalledMemories, searchMemories } from './search.js';
export { byImportance, filterOf, firstMemories, type MemoryFilter, NO_FILTER } from './select.js';
export { similarMemories } from './similar.js';
export { type Standing, standingsOf } from './standing.js';
export {
  MEMORY_TEXT,
  type MemoryRef,
  type TextQuery,
  TOLERANCES,
  wordsOf,
  writeMemoryText,
} from './text.js';
export {
  changeMemory,
  deleteMemory,
  earlierVersions,
  eraseMemories,
  type StoredMemory,
  storedMemories,
  versionsThen,
  versionThen,
} from './versions.js';
