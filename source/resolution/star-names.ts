import { importTarget } from './import-target.js';
import { definitionAt, type ModuleTable, TOP } from './module-table.js';
import type { Program } from './program.js';

/** The files behind a file's stars by the names they offer themselves, each once, in the order of the stars. */
export type StarNames = ReadonlyMap<string, readonly string[]>;

/**
 * The files that a name can come from through `export *` or `import *`, however many stars lie between. A name that
 * a file on the way offers itself hides those behind it.
 */
export function starFiles(program: Program, path: string, name: string): string[] {
  return [...(starNames(program, path, new Set()).names.get(name) ?? [])];
}

interface Found {
  names: StarNames;
  /** False when a circle of stars was cut: then only the file that was asked first knows all. */
  isWhole: boolean;
}

function starNames(program: Program, path: string, open: Set<string>): Found {
  let isWhole = true;
  const names = program.lookups.remembered(
    program.caches.stars,
    path,
    () => {
      const found = collected(program, path, open);
      isWhole = found.isWhole || open.size === 0;
      return found.names;
    },
    () => isWhole,
  );
  return { names, isWhole };
}

function collected(program: Program, path: string, open: Set<string>): Found {
  const table = program.tables.get(path);
  const names = new Map<string, string[]>();
  let isWhole = true;
  open.add(path);
  for (const module of new Set(table?.stars)) {
    const target = importTarget(program, path, module);
    const behind = 'file' in target ? program.tables.get(target.file) : undefined;
    if (!('file' in target) || !behind) continue;
    if (open.has(target.file)) {
      isWhole = false;
      continue;
    }
    const own = ownNames(behind);
    for (const name of own) offer(names, name, target.file);
    const inner = starNames(program, target.file, open);
    for (const [name, files] of inner.names)
      if (!own.has(name)) for (const file of files) offer(names, name, file);
    isWhole &&= inner.isWhole;
  }
  open.delete(path);
  return { names, isWhole };
}

/** What a star takes of a file: no default, and of Python no underscores that `__all__` does not list. */
function ownNames(table: ModuleTable): ReadonlySet<string> {
  const names = new Set(table.exports.keys());
  for (const [name, indexes] of table.members.get(TOP) ?? [])
    if (table.isPython ? !name.startsWith('_') : indexes.some((index) => definitionAt(table, index).exported))
      names.add(name);
  if (table.isPython)
    for (const name of table.bindings.get(TOP)?.keys() ?? []) if (!name.startsWith('_')) names.add(name);
  names.delete('default');
  return names;
}

function offer(names: Map<string, string[]>, name: string, file: string): void {
  const files = names.get(name);
  if (!files) names.set(name, [file]);
  else if (!files.includes(file)) files.push(file);
}
