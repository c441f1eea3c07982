export { type CompilerConfig, readCompilerConfig } from './compiler-config.js';
export { javascriptImport } from './javascript-import.js';
export { type NpmPlaces, npmPlaces } from './npm-places.js';
export { type PackageEntry, packageEntries, packageInternals } from './package-entries.js';
