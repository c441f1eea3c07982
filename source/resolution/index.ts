export { interfaceOf } from './interface.js';
export type { LookupKey } from './lookups.js';
export { isManifest, type ManifestText, type PackageManifest, readManifests } from './manifest.js';
export { type ModuleTable, moduleTable } from './module-table.js';
export { changedPlaces, createPlaces, type Places } from './places.js';
export { createProgram, type ModuleTables, type Program, type ProgramInput } from './program.js';
export { moduleNames, symbolName } from './qualified-name.js';
export * from './resolution.js';
export { type ResolvedPath, resolvePath, resolveProgram } from './resolve.js';
