import { directoryOf, joined, resolvedFrom } from './file-path.js';
import type { PackageManifest } from './manifest.js';
import type { ImportTarget } from './resolution.js';
import { isNodeStandard } from './standard-library.js';

/** The folders of the project's own npm packages, by package name. */
export type NpmPackages = ReadonlyMap<string, string>;

/** Whether there is a file. */
export type Paths = Pick<ReadonlySet<string>, 'has'>;

/** Packages by name; of two of one name the one nearest to the root. */
export function npmPackages(manifests: readonly PackageManifest[]): NpmPackages {
  const packages = new Map<string, string>();
  for (const { ecosystem, name, directory } of manifests) {
    if (ecosystem !== 'npm' || name === null) continue;
    const known = packages.get(name);
    if (known === undefined || directory.length < known.length) packages.set(name, directory);
  }
  return packages;
}

/** In the order in which TypeScript prefers them: sources, then declarations, then what is built from them. */
const EXTENSIONS = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];

/** The sources that a specifier with a built extension may name. */
const SOURCES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.js$/, ['.ts', '.tsx', '.d.ts', '.js', '.jsx']],
  [/\.jsx$/, ['.tsx', '.jsx']],
  [/\.mjs$/, ['.mts', '.d.mts', '.mjs']],
  [/\.cjs$/, ['.cts', '.d.cts', '.cjs']],
];

/**
 * What a TypeScript or JavaScript specifier names, seen from a file: relative ones by probing extensions and index
 * files, bare ones as a package of the project by its source entry, as a Node built-in, or as a foreign package.
 */
export function javascriptImport(
  paths: Paths,
  packages: NpmPackages,
  from: string,
  specifier: string,
): ImportTarget {
  // What a bundler is told (`?raw`, `#part`) is no part of the name, unless a file is called that.
  const bare = specifier.replace(/[?#].*$/, '') || specifier;
  if (/^\.{1,2}(?:\/|$)/.test(bare)) {
    const file = relativeFile(paths, from, specifier) ?? relativeFile(paths, from, bare);
    return file === null ? { unresolved: specifier } : { file };
  }
  if (isNodeStandard(bare)) return { package: bare.replace(/^node:/, ''), stdlib: true };
  const name = /^(?:@[^/]+\/)?[^/@][^/]*/.exec(bare)?.[0];
  // `#internal`, `/absolute`, `@/alias`, `https://…`: names that a configuration gives a meaning, no packages.
  if (name === undefined || /^[#/~]|^[\w+-]+:/.test(bare)) return { unresolved: specifier };
  const folder = packages.get(name);
  if (folder === undefined) return { package: name };
  const file = sourceEntry(paths, folder, bare.slice(name.length + 1));
  return file === null ? { package: name } : { file };
}

function relativeFile(paths: Paths, from: string, specifier: string): string | null {
  const base = resolvedFrom(directoryOf(from), specifier);
  const onlyFolder = specifier.endsWith('/') || /(?:^|\/)\.{1,2}$/.test(specifier);
  return base === null ? null : probe(paths, base, onlyFolder);
}

/** The source behind a package's entry or subpath, where it follows the usual layouts. */
function sourceEntry(paths: Paths, folder: string, subpath: string): string | null {
  const source = probe(paths, joined(folder, joined('src', subpath)), subpath === '');
  return source ?? probe(paths, joined(folder, subpath), subpath === '');
}

function probe(paths: Paths, base: string, onlyFolder: boolean): string | null {
  if (!onlyFolder) {
    for (const [built, sources] of SOURCES)
      if (built.test(base)) {
        const stem = base.replace(built, '');
        const found = sources.map((extension) => stem + extension).find((path) => paths.has(path));
        if (found !== undefined) return found;
      }
    if (paths.has(base)) return base;
    for (const extension of EXTENSIONS) if (paths.has(base + extension)) return base + extension;
  }
  for (const extension of EXTENSIONS) {
    const index = joined(base, `index${extension}`);
    if (paths.has(index)) return index;
  }
  return null;
}
