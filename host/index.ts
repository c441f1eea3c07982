export type { AgentPayload, Agents, HookQuestion, RecordedPayload } from './agents.js';
export { type Answer, type AnswerBody, AnswerState, answer, answerSchema } from './answer.js';
export { Archive, ArchiveLine } from './archive/index.js';
export type { RebuildOptions, Rebuilt } from './archive/rebuild.js';
export { rebuildHistory } from './archive/rebuild-history.js';
export { askHook } from './client/ask-hook.js';
export { madeHome, runningDaemon } from './client/find-daemon.js';
export { RemoteHost, type RemoteHostOptions } from './client/remote-host.js';
export { stopDaemon } from './client/stop-daemon.js';
export {
  changeSetting,
  configFile,
  type HeldSetting,
  heldSettings,
  readConfig,
  type SettingSource,
  settingsFor,
} from './config.js';
export { settingName, typedValue } from './config-checks.js';
export { ownHello } from './daemon/hello.js';
export type { HookAsk } from './daemon/hook-desk.js';
export { type DaemonOptions, runDaemon } from './daemon/run-daemon.js';
export { toLog } from './daemon/upkeep.js';
export { directHost } from './direct-host.js';
export { isEligible, isRecorded } from './eligible.js';
export { folderSize } from './folders.js';
export { Freshness, type FreshnessOptions } from './freshness/freshness.js';
export { History } from './history.js';
export type { Host, Spawned, SpawnOptions, SpawnRequest, Spool } from './host.js';
export { type HostPlace, hostAt } from './host-at.js';
export { type IndexDefaults, indexDefaults } from './index-defaults.js';
export { parseEntry as unlabelled } from './journal/entry-label.js';
export {
  type AsideReason,
  type ClientsSeen,
  clientsSeen,
  type Declined,
  type Drained,
  type HookCounts,
  hookCounts,
  type Ingest,
  ingestOn,
  Journal,
  type JournalCounts,
  type JournalEvent,
  type JournalOptions,
  journalCounts,
  type RecordOptions,
  recordEntry,
} from './journal/index.js';
export type {
  BuildOptions,
  BuildStats,
  CodeKind,
  CodeLibrary,
  CodeRelation,
  ExpandOptions,
  PackOptions,
  QueryOptions,
  ReachedNode,
  SeedHit,
  WrittenCounts,
} from './library/code-library.js';
export {
  Extraction,
  type ExtractionResult,
  type ExtractionStats,
  type ExtractOptions,
  extract,
} from './library/extract.js';
export { QueryResult, SnippetPack } from './library/query-result.js';
export { type OpenGraphOptions, openGraph } from './library/shared-graph.js';
export { LocalHost, type LocalHostOptions, type OpenGraphFacts } from './local/local-host.js';
export { builtInSignatures } from './manifest.js';
export { namedWalker } from './named-walker.js';
export {
  type Absent,
  DEFAULT_LIMITS,
  type OpenGraph,
  type OpenOptions,
  openEmbedded,
} from './open-graph.js';
export { hasGraph, knownRoot, projectRootOf, ROOT_FIELD } from './project-root.js';
export { type Adoption, type AdoptOptions, adopt } from './projects/adopt.js';
export { type Forgetting, type Forgotten, forgetEvents, forgetProjects } from './projects/forget.js';
export { type Collection, collectGarbage, type Garbage } from './projects/gc.js';
export { pausedBy, pauseFile, setPaused } from './projects/pause.js';
export { findProject, listProjects, type Project } from './projects/project-list.js';
export { type HomeSizes, homeSizes, purgeHome } from './projects/purge-home.js';
export { type Removal, type RemoveOptions, removeProject } from './projects/remove.js';
export type { StoreOwner } from './projects/store-owner.js';
export { WalkerRegistry } from './registry.js';
export { type JsonSchema, signatureOf, type WalkerSignature } from './signature.js';
export { standardInput } from './standard-input.js';
export { type Check, examine } from './status/examine.js';
export { examineEmbeddings } from './status/examine-embeddings.js';
export { type DaemonFacts, daemonFacts, type HomeStatus, homeStatus } from './status/home-status.js';
export {
  graphsFolderOf,
  type HomeOptions,
  processSurroundings,
  type Surroundings,
  userHome,
  workingDirectory,
} from './surroundings.js';
export { type LoadedWalkers, type LoadOptions, loadUserWalkers } from './user-walkers.js';
export { packageVersion } from './version.js';
export { writeWhole } from './whole-file.js';
export { wrongInput } from './wrong-input.js';
