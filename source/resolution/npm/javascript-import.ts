import { directoryOf, joined, resolvedFrom } from '../file-path.js';
import type { ImportTarget } from '../resolution.js';
import { isNodeStandard } from '../standard-library.js';
import type { AliasScope } from './alias-scopes.js';
import { entryFile, moduleFile, type Paths } from './module-file.js';
import type { NpmPackage, NpmPlaces } from './npm-places.js';
import { entryFiles, starPart } from './package-entries.js';

/**
 * What a TypeScript or JavaScript specifier names, seen from a file: relative ones by probing extensions and index
 * files; others by the `paths` and `baseUrl` of the nearest configuration, as a package of the project by its
 * manifest, as a Node built-in, or as a foreign package.
 */
export function javascriptImport(
  paths: Paths,
  npm: NpmPlaces,
  from: string,
  specifier: string,
): ImportTarget {
  // What a bundler is told (`?raw`, `#part`) is no part of the name, unless a file is called that.
  const bare = specifier.replace(/[?#].*/s, '') || specifier;
  if (/^\.{1,2}(?:\/|$)/.test(bare)) {
    const file = relativeFile(paths, npm, from, specifier) ?? relativeFile(paths, npm, from, bare);
    return file === null ? { unresolved: specifier } : { file };
  }
  if (/^node:/.test(bare)) return { package: bare.replace(/^node:/, ''), stdlib: true };
  const alias =
    aliasFile(paths, npm, from, bare) ?? (bare === specifier ? null : aliasFile(paths, npm, from, specifier));
  if (alias !== null) return { file: alias };
  if (isNodeStandard(bare)) return { package: bare, stdlib: true };
  if (bare.startsWith('#')) {
    const file = internalFile(paths, npm, from, bare);
    return file === null ? { unresolved: specifier } : { file };
  }
  const name = /^(?:@[^/]+\/)?[^/@][^/]*/.exec(bare)?.[0];
  const conventional =
    name === undefined || bare.startsWith('~/') ? conventionalFile(paths, npm, from, bare) : null;
  if (conventional !== null) return { file: conventional };
  // `/absolute`, `@/alias`, `https://…`: names that something else gives a meaning, no packages.
  if (name === undefined || /^[/~]|^[\w+-]+:/.test(bare)) return { unresolved: specifier };
  const own = npm.packages.get(name);
  if (own === undefined) return { package: name };
  const file = packageFile(paths, npm, own, bare.slice(name.length + 1));
  return file === null ? { package: name } : { file };
}

function relativeFile(paths: Paths, npm: NpmPlaces, from: string, specifier: string): string | null {
  const base = resolvedFrom(directoryOf(from), specifier);
  const onlyFolder = specifier.endsWith('/') || /(?:^|\/)\.{1,2}$/.test(specifier);
  return base === null ? null : moduleFile(paths, npm, base, onlyFolder);
}

/**
 * What configurations make of a name. The nearest folder that has one decides; those further up are asked for their
 * patterns too, because a bundler or test runner often reads the root's.
 */
function aliasFile(paths: Paths, npm: NpmPlaces, from: string, name: string): string | null {
  let isNearest = true;
  for (const folder of foldersAbove(from)) {
    const scopes = npm.aliases.get(folder);
    if (!scopes) continue;
    for (const scope of scopes) {
      const found = patternFile(paths, npm, scope, name, isNearest);
      if (found !== null) return found;
      const { baseUrl } = scope;
      const inBase = isNearest && baseUrl !== null ? moduleFile(paths, npm, joined(baseUrl, name)) : null;
      if (inBase !== null) return inBase;
    }
    isNearest = false;
  }
  return null;
}

function patternFile(
  paths: Paths,
  npm: NpmPlaces,
  scope: AliasScope,
  name: string,
  withCatchAll: boolean,
): string | null {
  const fitting = scope.paths.flatMap(({ pattern, targets }) => {
    const part = pattern === name ? '' : starPart(pattern, name);
    return part === null || (pattern === '*' && !withCatchAll) ? [] : [{ pattern, targets, part }];
  });
  fitting.sort((a, b) => prefixLength(b.pattern, name) - prefixLength(a.pattern, name));
  for (const { targets, part } of fitting.slice(0, 1))
    for (const target of targets) {
      const found =
        moduleFile(
          paths,
          npm,
          target.replace('*', () => part),
        ) ?? builtFile(paths, npm, target, part);
      if (found !== null) return found;
    }
  return null;
}

/** A pattern may name what is built; its source stands in the package around it. */
function builtFile(paths: Paths, npm: NpmPlaces, target: string, part: string): string | null {
  const named = target.replace('*', () => part);
  for (const folder of foldersAbove(named))
    if (npm.folders.has(folder))
      return entryFile(paths, npm, folder, folder === '' ? named : named.slice(folder.length + 1));
  return null;
}

/**
 * `@/views/Home` and `~/views/Home`, which projects of bundlers use without any configuration that could be read: the
 * sources of the nearest package. No package can be called that.
 */
function conventionalFile(paths: Paths, npm: NpmPlaces, from: string, name: string): string | null {
  const inside = /^[@~]\/(.+)$/.exec(name)?.[1];
  const folder =
    inside === undefined ? undefined : [...foldersAbove(from)].find((one) => npm.folders.has(one));
  if (inside === undefined || folder === undefined) return null;
  for (const sources of ['src', 'app', '']) {
    const found = moduleFile(paths, npm, joined(joined(folder, sources), inside));
    if (found !== null) return found;
  }
  return null;
}

/** An exact name fits best, then the longest text before the star. */
function prefixLength(pattern: string, name: string): number {
  return pattern === name ? Number.POSITIVE_INFINITY : pattern.indexOf('*');
}

function internalFile(paths: Paths, npm: NpmPlaces, from: string, name: string): string | null {
  for (const folder of foldersAbove(from)) {
    const own = npm.folders.get(folder);
    for (const file of own ? entryFiles(own.internals, name) : []) {
      const found = file.startsWith('.') ? entryFile(paths, npm, folder, file) : null;
      if (found !== null) return found;
    }
  }
  return null;
}

/** The source behind a package's entry or subpath: as its manifest says, else where the usual layouts have it. */
function packageFile(paths: Paths, npm: NpmPlaces, own: NpmPackage, subpath: string): string | null {
  const { directory, entries } = own;
  for (const file of entryFiles(entries, subpath === '' ? '.' : `./${subpath}`)) {
    const found = entryFile(paths, npm, directory, file);
    if (found !== null) return found;
  }
  const source = moduleFile(paths, npm, joined(directory, joined('src', subpath)), subpath === '');
  return source ?? moduleFile(paths, npm, joined(directory, subpath), subpath === '');
}

function* foldersAbove(path: string): Generator<string> {
  let folder = path;
  do {
    folder = directoryOf(folder);
    yield folder;
  } while (folder !== '');
}
