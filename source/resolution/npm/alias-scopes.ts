import { directoryOf, joined, resolvedFrom } from '../file-path.js';
import type { CompilerConfig, PathPattern } from './compiler-config.js';

/** What one configuration, with all that it extends, says of names that are no relative paths. */
export interface AliasScope {
  /** The folder that bare names are looked up in, root-relative; null for none. */
  baseUrl: string | null;
  /** `paths` with targets root-relative; those that leave the root are left out. */
  paths: readonly PathPattern[];
  /** Where what is built lies and what it is built from, root-relative; null when it does not say. */
  built: { outDir: string; rootDir: string } | null;
}

/** Configurations by their root-relative paths. */
export type CompilerConfigs = ReadonlyMap<string, CompilerConfig>;

/** A package's folder by its name, for configurations that extend one of a package. */
export type PackageFolders = (name: string) => string | undefined;

/**
 * The scopes of every folder that has configurations: first `tsconfig.json`, then what it refers to, then the
 * others, which a bundler or test runner may be told to use.
 */
export function aliasScopes(
  configs: CompilerConfigs,
  folders: PackageFolders,
): ReadonlyMap<string, readonly AliasScope[]> {
  const byFolder = new Map<string, string[]>();
  for (const path of configs.keys()) {
    const folder = directoryOf(path);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), path]);
  }
  const scopes = new Map<string, readonly AliasScope[]>();
  for (const [folder, paths] of byFolder) {
    const main = paths.find((path) => path.endsWith('tsconfig.json')) ?? paths[0] ?? '';
    const referred = (configs.get(main)?.references ?? []).flatMap(
      (written) => configPath(configs, folders, folder, written) ?? [],
    );
    const inOrder = new Set([main, ...referred.filter((path) => directoryOf(path) === folder), ...paths]);
    scopes.set(
      folder,
      [...inOrder].map((path) => scopeOf(configs, folders, path, folder, new Set())),
    );
  }
  return scopes;
}

const NOTHING: AliasScope = { baseUrl: null, paths: [], built: null };

function scopeOf(
  configs: CompilerConfigs,
  folders: PackageFolders,
  path: string,
  leaf: string,
  open: Set<string>,
): AliasScope {
  const config = configs.get(path);
  if (!config || open.has(path)) return NOTHING;
  const within = new Set(open).add(path);
  const folder = directoryOf(path);
  let scope = NOTHING;
  for (const written of config.extends) {
    const base = configPath(configs, folders, folder, written);
    if (base !== null) scope = over(scope, scopeOf(configs, folders, base, leaf, within));
  }
  const placed = (written: string | null, from = folder) => {
    if (written === null) return null;
    const inLeaf = /^\$\{configDir\}\/?(.*)$/.exec(written)?.[1];
    return inLeaf === undefined ? resolvedFrom(from, written) : resolvedFrom(leaf, inLeaf);
  };
  const baseUrl = placed(config.baseUrl) ?? scope.baseUrl;
  const own = config.paths?.map(({ pattern, targets }) => ({
    pattern,
    targets: targets.flatMap((target) => placed(target, baseUrl ?? folder) ?? []),
  }));
  const outDir = placed(config.outDir);
  const rootDir = placed(config.rootDir) ?? joined(folder, 'src');
  return { baseUrl, paths: own ?? scope.paths, built: outDir === null ? scope.built : { outDir, rootDir } };
}

function over(below: AliasScope, above: AliasScope): AliasScope {
  return {
    baseUrl: above.baseUrl ?? below.baseUrl,
    paths: above.paths.length > 0 ? above.paths : below.paths,
    built: above.built ?? below.built,
  };
}

/** The configuration that `extends` or a reference names: a file, a folder, or a file of a package of the project. */
function configPath(
  configs: CompilerConfigs,
  folders: PackageFolders,
  folder: string,
  written: string,
): string | null {
  const name = /^(?:@[^/]+\/)?[^/@.][^/]*/.exec(written)?.[0];
  const inPackage = name === undefined ? undefined : folders(name);
  const base =
    inPackage === undefined
      ? resolvedFrom(folder, written)
      : resolvedFrom(inPackage, `.${written.slice(name?.length)}`);
  if (base === null) return null;
  return [base, `${base}.json`, joined(base, 'tsconfig.json')].find((path) => configs.has(path)) ?? null;
}
