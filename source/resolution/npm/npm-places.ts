import type { PackageManifest } from '../manifest.js';
import { type AliasScope, aliasScopes, type CompilerConfigs } from './alias-scopes.js';
import type { PackageEntry } from './package-entries.js';

/** One npm package of the project. */
export interface NpmPackage {
  /** Root-relative. */
  directory: string;
  entries: readonly PackageEntry[];
  internals: readonly PackageEntry[];
}

/** What the manifests of a project say of where JavaScript modules are. */
export interface NpmPlaces {
  /** Packages by name; of two of one name the one nearest to the root. */
  readonly packages: ReadonlyMap<string, NpmPackage>;
  /** Packages by their folder, those without a name included. */
  readonly folders: ReadonlyMap<string, NpmPackage>;
  /** Scopes of configurations by their folder, the one that editors take first. */
  readonly aliases: ReadonlyMap<string, readonly AliasScope[]>;
}

/** The npm packages and compiler configurations among manifests. */
export function npmPlaces(manifests: readonly PackageManifest[]): NpmPlaces {
  const packages = new Map<string, NpmPackage>();
  const folders = new Map<string, NpmPackage>();
  const configs = new Map<string, NonNullable<PackageManifest['compiler']>>();
  for (const { path, ecosystem, name, directory, entries = [], internals = [], compiler } of manifests) {
    if (compiler) configs.set(path, compiler);
    if (ecosystem !== 'npm') continue;
    const one: NpmPackage = { directory, entries, internals };
    folders.set(directory, one);
    const known = name === null ? one : packages.get(name);
    if (name !== null && (!known || directory.length < known.directory.length)) packages.set(name, one);
  }
  const found: CompilerConfigs = configs;
  return { packages, folders, aliases: aliasScopes(found, (name) => packages.get(name)?.directory) };
}
