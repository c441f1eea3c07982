import { byText, directoryOf, joined, sharedFolders } from '../resolution/file-path.js';
import type { ImportTarget } from '../resolution/resolution.js';
import { isPythonStandard } from '../resolution/standard-library.js';

/** What is read of a manifest. */
interface Manifest {
  readonly ecosystem: string;
  readonly directory: string;
}

/** Where the project's Python modules can be found. */
export interface PythonModules {
  layout: PythonLayout;
  /** Source roots by the first name of what they hold: `flask` is found in `src`. Sorted. */
  roots: Pick<ReadonlyMap<string, readonly string[]>, 'get'>;
  /** Every folder that holds a Python file, at any depth. */
  folders: Pick<ReadonlySet<string>, 'has'>;
}

/** {@link PythonModules} with all that is in it. */
export interface PythonIndex extends PythonModules {
  roots: ReadonlyMap<string, readonly string[]>;
  folders: ReadonlySet<string>;
}

/** A Python module of the project: a file, or a folder without `__init__.py` on the way to one. */
export type PythonModule = { file: string } | { folder: string };

/** Indexes the Python files of a project by what imports can call them. */
export function pythonModules(paths: ReadonlySet<string>, manifests: readonly Manifest[]): PythonIndex {
  const layout = pythonLayout(paths, manifests);
  const roots = new Map<string, Set<string>>();
  const folders = new Set<string>();
  for (const path of paths) {
    if (!/\.pyi?$/.test(path)) continue;
    for (let folder = directoryOf(path); folder !== '' && !folders.has(folder); folder = directoryOf(folder))
      folders.add(folder);
    for (const root of rootsOf(layout, path)) {
      const first = /^[^/.]+/.exec(root === '' ? path : path.slice(root.length + 1))?.[0];
      if (first === undefined) continue;
      const known = roots.get(first);
      if (known) known.add(root);
      else roots.set(first, new Set([root]));
    }
  }
  return {
    layout,
    folders,
    roots: new Map([...roots].map(([first, found]) => [first, [...found].sort(byText)])),
  };
}

/** A file is importable from its source root and, outside packages, from its own folder (scripts, tests). */
function rootsOf(layout: PythonLayout, path: string): string[] {
  const root = pythonSourceRoot(layout, path);
  const folder = directoryOf(path);
  const alone = !layout.paths.has(joined(folder, '__init__.py'));
  return alone && folder !== root ? [root, folder] : [root];
}

/** The module of a dotted name below a folder; null when there is none. */
export function moduleBelow(python: PythonModules, folder: string, dotted: string): PythonModule | null {
  const base = dotted === '' ? folder : joined(folder, dotted.replaceAll('.', '/'));
  const stem = base === '' ? '' : `${base}/`;
  const candidates = [`${stem}__init__.py`, `${base}.py`, `${stem}__init__.pyi`, `${base}.pyi`];
  const file = candidates.find((path) => python.layout.paths.has(path));
  if (file !== undefined) return { file };
  return base === '' || python.folders.has(base) ? { folder: base } : null;
}

/**
 * The module of the project that `module` (`..pkg.mod`, `flask.app`) names, seen from a file. Relative names count
 * from the file's package. Absolute ones are looked for in the file's own source roots first, then in the others;
 * when several hold one, in the nearest; and where two are equally near none is chosen. A name of the standard
 * library is the project's only when the file's own root has it.
 */
export function projectModule(python: PythonModules, from: string, module: string): PythonModule | null {
  const dots = /^\.+/.exec(module)?.[0].length ?? 0;
  if (dots > 0) {
    let folder = directoryOf(from);
    for (let level = 1; level < dots; level++) {
      if (folder === '') return null;
      folder = directoryOf(folder);
    }
    return moduleBelow(python, folder, module.slice(dots));
  }
  const first = /^[^.]+/.exec(module)?.[0] ?? module;
  const holders = python.roots.get(first) ?? [];
  const own = rootsOf(python.layout, from);
  for (const root of own) {
    const found = holders.includes(root) ? moduleBelow(python, root, module) : null;
    if (found && !('folder' in found && isPythonStandard(first))) return found;
  }
  if (isPythonStandard(first)) return null;
  return nearest(
    python,
    from,
    module,
    holders.filter((root) => !own.includes(root)),
  );
}

function nearest(
  python: PythonModules,
  from: string,
  module: string,
  roots: readonly string[],
): PythonModule | null {
  let best: PythonModule | null = null;
  let bestShared = -1;
  for (const root of roots) {
    const found = moduleBelow(python, root, module);
    if (!found || 'folder' in found) continue;
    const shared = sharedFolders(found.file, from);
    if (shared === bestShared) best = null;
    if (shared > bestShared) [best, bestShared] = [found, shared];
  }
  return best;
}

/** What a Python import's module is, as a result: a file, the package it comes from, or not known. */
export function pythonImport(python: PythonModules, from: string, module: string): ImportTarget {
  const found = projectModule(python, from, module);
  if (found && 'file' in found) return found;
  if (module.startsWith('.') || found) return { unresolved: module };
  const first = /^[^.]+/.exec(module)?.[0] ?? module;
  return isPythonStandard(first) ? { package: first, stdlib: true } : { package: first };
}

/** What decides where Python files' dotted names begin. */
export interface PythonLayout {
  /** Every File of the project. */
  paths: Pick<ReadonlySet<string>, 'has'>;
  /** Folders with a Python manifest. */
  projects: ReadonlySet<string>;
}

/** The layout of a project's files and manifests. */
export function pythonLayout(paths: PythonLayout['paths'], manifests: readonly Manifest[]): PythonLayout {
  const python = manifests.filter((manifest) => manifest.ecosystem === 'python');
  return { paths, projects: new Set(python.map((manifest) => manifest.directory)) };
}

/** Whether a folder is a regular Python package. */
export function isPackage(layout: PythonLayout, directory: string): boolean {
  const init = directory === '' ? '__init__.py' : `${directory}/__init__.py`;
  return layout.paths.has(init) || layout.paths.has(`${init}i`);
}

/**
 * The folder that a Python file's dotted name is counted from (spec S0-55): the parent of the topmost folder of the
 * unbroken chain of `__init__.py` above the file; without a chain the innermost `src` folder on the path, else the
 * nearest folder with a Python manifest, else the root. `''` is the root: what lies above it is never looked at,
 * so that a root's own folder name decides nothing.
 */
export function pythonSourceRoot(layout: PythonLayout, path: string): string {
  let folder = directoryOf(path);
  if (isPackage(layout, folder)) {
    while (folder !== '' && isPackage(layout, folder)) folder = directoryOf(folder);
    return folder;
  }
  const source = /^(?:.*\/)?src(?=\/)/.exec(path);
  if (source) return source[0];
  while (folder !== '' && !layout.projects.has(folder)) folder = directoryOf(folder);
  return folder;
}
