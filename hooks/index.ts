export type { Agent, Client, Machine } from './agent.js';
export { AGENTS, agentNamed, CLIENTS, clientNamed } from './agents/index.js';
export { runHook } from './hook-program.js';
export { type DetectedClient, detectedClients } from './install/detect.js';
export {
  entriesOf,
  type HookCommand,
  hookCommands,
  isOnPath,
  lastingNode,
  lastingPath,
  type Programs,
  serverConfig,
} from './install/entries.js';
export { examineClients } from './install/examine.js';
export { type ChangedFile, install, installedProfiles, partsOf, uninstall } from './install/install.js';
export { agents } from './payloads.js';
