import type { ExportFact } from '../facts.js';
import { chosenDefinition } from './chosen-definition.js';
import type { Way } from './followed-names.js';
import { importTarget } from './import-target.js';
import {
  definitionMeaning,
  exportedMeaningOf,
  externalMeaning,
  fileMeaning,
  type Meaning,
  type Space,
  sameMeaning,
} from './meaning.js';
import { definitionAt, definitionsNamed, type ImportBinding, type ModuleTable, TOP } from './module-table.js';
import type { Program } from './program.js';
import { type StarredFile, starFiles } from './star-names.js';

/**
 * What another file gets when it asks `path` for `name`: the file's own definition, or what its imports, re-exports
 * and stars pass on, followed to the end. Null when there is no such name, when a cycle never ends at a definition,
 * or when two stars pass on different things.
 */
export function exportedMeaning(program: Program, path: string, name: string, space: Space): Meaning | null {
  return program.caches.exported.answer((way) => followed(program, path, name, space, way));
}

/** What a name bound by an import stands for; null when that is not known. */
export function importedMeaning(
  program: Program,
  path: string,
  binding: ImportBinding,
  space: Space,
): Meaning | null {
  return program.lookups.remembered(program.caches.imported[space], binding, () =>
    program.caches.exported.answer((way) => bound(program, path, binding, space, way)),
  );
}

function followed(program: Program, path: string, name: string, space: Space, way: Way): Meaning | null {
  const table = program.tables.get(path);
  if (!table) return null;
  return program.caches.exported.follow(`${path}\0${space}\0${name}`, way, (next) =>
    scriptExport(program, path, table, name, space, next),
  );
}

function scriptExport(
  program: Program,
  path: string,
  table: ModuleTable,
  name: string,
  space: Space,
  way: Way,
): Meaning | null {
  for (const fact of table.exports.get(name) ?? []) {
    const meaning = namedExport(program, path, table, fact, space, way);
    if (meaning) return meaning;
  }
  const own = definitionsNamed(table, TOP, name).filter((index) => definitionAt(table, index).exported);
  const index = name === 'default' ? null : chosenDefinition(table, own, null, space);
  if (index !== null) return definitionMeaning(path, index, 'import');
  if (name === 'default') return null;
  let meaning: Meaning | null = null;
  for (const file of starFiles(program, (of) => starred(program, of), path, name)) {
    const passed = followed(program, file, name, space, way);
    if (passed && meaning && !sameMeaning(passed, meaning)) return null;
    meaning ??= passed;
  }
  return meaning;
}

function namedExport(
  program: Program,
  path: string,
  table: ModuleTable,
  fact: ExportFact,
  space: Space,
  way: Way,
): Meaning | null {
  if (fact.definition !== undefined) return definitionMeaning(path, fact.definition, 'import');
  const isUnnamed = fact.module === null && fact.local === null;
  if (isUnnamed && table.flows.has(`exports.${fact.name}`))
    return exportedMeaningOf(path, fact.name, 'import');
  if (fact.module === null) return ownName(program, path, table, fact.local ?? fact.name, space, way);
  return throughModule(program, path, fact.module, fact.local ?? '*', space, way);
}

/** What a module gives under a name, `*` being the module itself; `outside` is the name's spelling in a package. */
function throughModule(
  program: Program,
  path: string,
  module: string,
  name: string,
  space: Space,
  way: Way,
  outside = name,
): Meaning | null {
  const target = importTarget(program, path, module);
  if ('package' in target) return externalMeaning(target.package, name === '*' ? '' : outside, 'import');
  if (!('file' in target)) return null;
  return name === '*' ? fileMeaning(target.file, 'import') : followed(program, target.file, name, space, way);
}

function ownName(
  program: Program,
  path: string,
  table: ModuleTable,
  name: string,
  space: Space,
  way: Way,
): Meaning | null {
  const named = definitionsNamed(table, TOP, name);
  const own = named.filter((each) => !definitionAt(table, each).is_property);
  const index = chosenDefinition(table, own, null, space);
  if (index !== null) return definitionMeaning(path, index, 'import');
  for (const binding of table.bindings.get(TOP)?.get(name) ?? []) {
    const meaning = bound(program, path, binding, space, way);
    if (meaning) return meaning;
  }
  // `module.exports = { name() {} }`: a property is what the file offers.
  const property = chosenDefinition(table, named, null, space);
  return property === null ? null : definitionMeaning(path, property, 'import');
}

function bound(
  program: Program,
  path: string,
  binding: ImportBinding,
  space: Space,
  way: Way,
): Meaning | null {
  const { imported, local, fact } = binding;
  const outside = imported === 'default' && local === 'default' ? '' : imported;
  return throughModule(program, path, fact.module, imported, space, way, outside);
}

/** The files that a file's stars name. */
function starred(program: Program, path: string): readonly StarredFile[] {
  return [...new Set(program.tables.get(path)?.stars)].flatMap((module) => {
    const target = importTarget(program, path, module);
    const table = 'file' in target ? program.tables.get(target.file) : undefined;
    return 'file' in target && table ? [{ file: target.file, own: offeredNames(table) }] : [];
  });
}

const namesOfTables = new WeakMap<ModuleTable, ReadonlySet<string>>();

/** What a star takes of a file: no default. */
function offeredNames(table: ModuleTable): ReadonlySet<string> {
  const known = namesOfTables.get(table);
  if (known) return known;
  const names = new Set(table.exports.keys());
  for (const [name, indexes] of table.members.get(TOP) ?? [])
    if (indexes.some((index) => definitionAt(table, index).exported)) names.add(name);
  names.delete('default');
  namesOfTables.set(table, names);
  return names;
}
