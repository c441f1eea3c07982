export type { Agents, HookText } from './agents.js';
export { answer, answerSchema, signatureOf } from './answer.js';
export { type Backup, listBackups, type MadeBackup, readBackup } from './backups/index.js';
export { rebuildHistory, restoreHistory } from './backups/replace-history.js';
export { askHook, hookDeadline, runningDaemon, stopDaemon } from './client/find-daemon.js';
export { hostAt, RemoteHost } from './client/remote-host.js';
export {
  changeSetting,
  type HeldSetting,
  heldSettings,
  indexDefaults,
  readConfig,
  settingName,
  settingsFor,
  typedValue,
} from './config.js';
export { toLog } from './daemon/auto-index.js';
export { runDaemon } from './daemon/run-daemon.js';
export { ownHello } from './daemon/wire.js';
export { directHost } from './direct-host.js';
export { isEligible, isRecorded } from './eligible.js';
export { folderSize } from './folders.js';
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
export { parseEntry as unlabelled, type RecordedPayload } from './journal/entry.js';
export {
  clientsSeen,
  type HookCounts,
  hookCounts,
  type Ingest,
  ingestOn,
  Journal,
  type JournalEvent,
  journalCounts,
  type RecordOptions,
  recordEntry,
} from './journal/index.js';
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
export { knownRoot, projectRootOf, ROOT_FIELD } from './project-root.js';
export { adopt } from './projects/adopt.js';
export { type Forgetting, type Forgotten, forgetEvents, forgetProjects } from './projects/forget.js';
export { type Collection, collectGarbage } from './projects/gc.js';
export { pausedBy, pauseFile, setPaused } from './projects/pause.js';
export { findProject, listProjects, type Project } from './projects/project-list.js';
export { type HomeSizes, homeSizes, purgeHome } from './projects/purge-home.js';
export { removeProject } from './projects/remove.js';
export type { StoreOwner } from './projects/store-owner.js';
export { namedWalker, WalkerRegistry } from './registry.js';
export type { Spool } from './spool.js';
export { standardInput } from './standard-input.js';
export { type Check, examine } from './status/examine.js';
export { examineEmbeddings } from './status/examine-embeddings.js';
export { type HomeStatus, homeStatus } from './status/home-status.js';
export {
  configFile,
  graphsFolderOf,
  homesOf,
  userHome,
  workingDirectory,
} from './surroundings.js';
export { builtInSignatures, packageVersion } from './version.js';
export { writeWhole } from './whole-file.js';
