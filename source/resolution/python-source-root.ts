import { directoryOf } from './file-path.js';
import type { PackageManifest } from './manifest.js';

/** What decides where Python files' dotted names begin. */
export interface PythonLayout {
  /** Every File of the project. */
  paths: Pick<ReadonlySet<string>, 'has'>;
  /** Folders with a Python manifest. */
  projects: ReadonlySet<string>;
}

/** The layout of a project's files and manifests. */
export function pythonLayout(
  paths: PythonLayout['paths'],
  manifests: readonly PackageManifest[],
): PythonLayout {
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
