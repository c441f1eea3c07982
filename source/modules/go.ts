import { resolvedFrom } from '../resolution/file-path.js';

/** One `go.mod` or `go.work`, as far as it decides what import paths name. */
export interface GoModule {
  /** Its path, without quotes; null where the file does not say it in a line that can be read. */
  readonly name: string | null;
  /** Import paths that folders of the project stand for: `replace example.com/x => ./x`. */
  readonly replaces: readonly { readonly path: string; readonly folder: string }[];
}

/** What is wrong with a `go.mod`; null where nothing is, as far as it is read. */
export function goModuleProblem({ name }: GoModule): string | null {
  return name === null ? 'no line says which module it is: imports of its packages are not resolved' : null;
}

/** Where the modules of a project are: folders, the longest first. */
export interface GoModules {
  readonly modules: readonly { readonly folder: string; readonly path: string }[];
  /** Folders whose `go.mod` does not say its path, or with a `go.work`. */
  readonly unnamed: readonly string[];
}

/** Characters of a `go.mod` that are read. */
const LONGEST = 1 << 19;

/** Reads a `go.mod`, or the replacements of a `go.work`. Of a damaged one the lines that can be read count. */
export function readGoModule(text: string): GoModule {
  let name: string | null = null;
  let block = '';
  const replaces: { path: string; folder: string }[] = [];
  for (const raw of text.slice(0, LONGEST).split(/\r?\n/)) {
    const comment = raw.indexOf('//');
    const line = (comment < 0 ? raw : raw.slice(0, comment)).trim();
    if (line === ')') block = '';
    const opened = /^(\w+)\s*\($/.exec(line)?.[1];
    if (opened !== undefined) {
      block = opened;
      continue;
    }
    const written = /^module\s+(\S+)$/.exec(line)?.[1];
    if (written !== undefined && block === '') name ??= unquoted(written);
    const replace = block === 'replace' ? line : /^replace\s+(.*)$/.exec(line)?.[1];
    const [, path, folder] = /^(\S+)(?:\s+\S+)?\s+=>\s+(\.\.?(?:\/\S*)?)$/.exec(replace ?? '') ?? [];
    if (path !== undefined && folder !== undefined)
      replaces.push({ path: unquoted(path), folder: unquoted(folder) });
  }
  const isPath = name !== null && /^[\w.~/-]+$/.test(name);
  return { name: isPath ? name : null, replaces };
}

function unquoted(text: string): string {
  return text.replace(/^["`](.*)["`]$/, '$1');
}

/** The modules of a project. @param manifests Each with the folder that its `go.mod` stands in. */
export function goModules(
  manifests: readonly { readonly directory: string; readonly name: string | null; readonly go?: GoModule }[],
): GoModules {
  const modules: { folder: string; path: string }[] = [];
  const unnamed: string[] = [];
  for (const { directory, name, go } of manifests) {
    if (!go) continue;
    if (name === null) unnamed.push(directory);
    else modules.push({ folder: directory, path: name });
    for (const { path, folder } of go.replaces) {
      const target = resolvedFrom(directory, folder);
      if (target !== null) modules.push({ folder: target, path });
    }
  }
  modules.sort((a, b) => b.path.length - a.path.length || (a.folder < b.folder ? -1 : 1));
  return { modules, unnamed };
}

/**
 * The folders of a project that an import path may name, the surest first: below the module that the file is in, below
 * another one, in the folder of vendored modules. Which of them hold a package is for the caller to see. What no module
 * says is not guessed: of a module whose path cannot be read no package is imported.
 */
export function goFolders({ modules, unnamed }: GoModules, from: string, path: string): string[] {
  const named = modules.filter((module) => isBelow(path, module.path));
  const folders = named
    .sort((a, b) => shared(b.folder, from) - shared(a.folder, from))
    .map(({ folder, path: prefix }) => joined(folder, path.slice(prefix.length + 1)));
  const around = [...modules.map(({ folder }) => folder), ...unnamed].filter((folder) =>
    isBelow(from, folder),
  );
  for (const folder of new Set(around)) folders.push(joined(folder, `vendor/${path}`));
  return folders;
}

/** The import path of the package in a folder, a major version left out; the folder itself outside of all modules. */
export function goPackageName({ modules }: GoModules, folder: string): string {
  let best: { folder: string; path: string } | undefined;
  for (const module of modules)
    if (isBelow(folder, module.folder) && (!best || module.folder.length > best.folder.length)) best = module;
  if (!best) return folder;
  return joined(
    best.path.replace(/\/v\d+$/, ''),
    best.folder === '' ? folder : folder.slice(best.folder.length + 1),
  );
}

/** Whether an import path is one of the standard library: its first part is no host. */
export function isGoStandard(path: string): boolean {
  return !(/^[^/]*/.exec(path)?.[0] ?? '').includes('.');
}

function isBelow(path: string, prefix: string): boolean {
  return prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
}

function joined(folder: string, rest: string): string {
  return folder === '' ? rest : rest === '' ? folder : `${folder}/${rest}`;
}

function shared(folder: string, path: string): number {
  return isBelow(path, folder) ? folder.length + 1 : 0;
}
