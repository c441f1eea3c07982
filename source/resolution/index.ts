export { isManifest, type ManifestText, type PackageManifest, readManifests } from './manifest.js';
export { type ModuleTable, moduleTable } from './module-table.js';
export { createProgram, type Program, type ProgramInput } from './program.js';
export { moduleNames, symbolName } from './qualified-name.js';
export * from './resolution.js';
export { resolvePath, resolveProgram } from './resolve.js';
