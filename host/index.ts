export type { Agents, HookText } from './agents.js';
export { answer, answerSchema, signatureOf } from './answer.js';
export { type Backup, listBackups, readBackup } from './backups/backup-file.js';
export type { MadeBackup } from './backups/make-backup.js';
export { rebuildHistory, restoreHistory } from './backups/replace-history.js';
export { askHook, hookDeadline, runningDaemon, stopDaemon } from './client/find-daemon.js';
export { hostAt, RemoteHost } from './client/remote-host.js';
export {
  changeSetting,
  type HeldSetting,
  heldSettings,
  indexDefaults,
  pausedBy,
  pauseFile,
  readConfig,
  setPaused,
  settingName,
  settingsFor,
  typedValue,
} from './config.js';
export { toLog } from './daemon/auto-index.js';
export { runDaemon } from './daemon/run-daemon.js';
export { ownHello } from './daemon/wire.js';
export { directHost } from './direct-host.js';
export { folderSize, standardInput, writeWhole } from './files.js';
export { Freshness } from './freshness/freshness.js';
export { History } from './history.js';
export {
  type Answer,
  type AnswerBody,
  AnswerState,
  type HookAsk,
  type Host,
  type JsonSchema,
  type Spawned,
  type SpawnOptions,
  type SpawnRequest,
  type WalkerSignature,
} from './host.js';
export { journalCounts } from './journal/aside.js';
export { type HookCounts, readCounters } from './journal/counters.js';
export {
  type JournalEvent,
  parseEntry as unlabelled,
  type RecordedPayload,
  type RecordOptions,
  recordEntry,
} from './journal/entry.js';
export { type Ingest, ingestOn, Journal } from './journal/journal.js';
export {
  type BuildOptions,
  type BuildStats,
  type CodeKind,
  type CodeLibrary,
  type CodeRelation,
  type ExpandOptions,
  type PackOptions,
  type QueryOptions,
  QueryResult,
  type ReachedNode,
  type SeedHit,
  SnippetPack,
  type WrittenCounts,
} from './library/code-library.js';
export {
  Extraction,
  type ExtractionResult,
  type ExtractionStats,
  type ExtractOptions,
  extract,
  type OpenGraphOptions,
  openGraph,
} from './library/open.js';
export { LocalHost } from './local/local-host.js';
export type { OpenGraph, OpenOptions } from './open-graph.js';
export { isEligible, isRecorded, knownRoot, projectRootOf, ROOT_FIELD } from './project-root.js';
export { adopt } from './projects/adopt.js';
export { type Forgetting, type Forgotten, forgetEvents, forgetProjects } from './projects/forget.js';
export { listProjects, type Project } from './projects/project-list.js';
export {
  collectGarbage,
  type HomeSizes,
  homeSizes,
  purgeHome,
  removeProject,
  type StoreOwner,
} from './projects/remove.js';
export { namedWalker, WalkerRegistry } from './registry.js';
export type { Spool } from './spool.js';
export { type Check, examine, examineEmbeddings, type HomeStatus, hasOpen, homeStatus } from './status.js';
export {
  configFile,
  graphsFolderOf,
  homesOf,
  userHome,
  workingDirectory,
} from './surroundings.js';
export { builtInSignatures, packageVersion } from './version.js';
