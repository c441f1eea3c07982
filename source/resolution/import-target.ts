import { moduleBelow } from '../modules/index.js';
import { directoryOf } from './file-path.js';
import { javascriptImport } from './npm/index.js';
import type { Places } from './places.js';
import type { Program } from './program.js';
import type { ImportTarget } from './resolution.js';

/** What the module of an import names, seen from a file. */
export function importTarget(program: Program, from: string, module: string): ImportTarget {
  const key = `${directoryOf(from)}\0${module}`;
  return program.lookups.remembered(program.caches.imports, key, () =>
    javascriptImport(program.paths, program.npm, from, module),
  );
}

/**
 * The files of the project that an import of a module's absolute name loads, wherever it is written: by the manifests
 * of npm packages, and below each source root of Python. Empty for a name of something outside.
 */
export function importedFiles(
  { paths, npm, modules: { python } }: Pick<Places, 'npm' | 'modules'> & Pick<Program, 'paths'>,
  module: string,
): string[] {
  if (/^[./]/.test(module)) return [];
  const script = javascriptImport(paths, npm, '', module);
  const roots = python.roots.get(/^[^.]*/.exec(module)?.[0] ?? '') ?? [];
  const below = roots.flatMap((root) => {
    const found = moduleBelow(python, root, module);
    return found && 'file' in found ? [found.file] : [];
  });
  return [...new Set([...('file' in script ? [script.file] : []), ...below])];
}
