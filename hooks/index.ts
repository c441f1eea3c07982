export { agents } from './agents.js';
export { runHook } from './hook-program.js';
export type { ChangeKind, FileChange } from './install/change.js';
export { kindOf } from './install/change.js';
export type { InstallableClient, Machine } from './install/client.js';
export { INSTALLABLE, installableClient } from './install/clients.js';
export { type InstallOptions, install } from './install/install.js';
export { lastingNode, lastingPath, type Programs } from './install/programs.js';
export { type Uninstalled, type UninstallOptions, uninstall } from './install/uninstall.js';
