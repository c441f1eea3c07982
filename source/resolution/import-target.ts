import { directoryOf } from './file-path.js';
import { javascriptImport } from './npm/index.js';
import type { Program } from './program.js';
import { pythonImport } from './python-modules.js';
import type { ImportTarget } from './resolution.js';

/** What the module of an import names, seen from a file. */
export function importTarget(program: Program, from: string, module: string): ImportTarget {
  const python = program.tables.get(from)?.isPython ?? false;
  const key = `${python ? 'py' : 'js'}\0${directoryOf(from)}\0${module}`;
  return program.lookups.remembered(program.caches.imports, key, () =>
    python
      ? pythonImport(program.python, from, module)
      : javascriptImport(program.paths, program.npm, from, module),
  );
}
