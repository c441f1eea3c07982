import { LIMITS } from '../../schema/index.js';
import type { Definition } from '../facts.js';
import { chosenMember } from './chosen-definition.js';
import { exportedMeaning } from './exported-name.js';
import { definitionMeaning, externalMember, type Meaning, type Space, weakened } from './meaning.js';
import {
  append,
  definitionAt,
  definitionsNamed,
  Grouping,
  isNamespace,
  type ModuleTable,
  TOP,
} from './module-table.js';
import { type Ancestor, type ClassMeaning, keyOf, type Program } from './program.js';
import { lookup, type Site } from './scope.js';

/** What a dotted name of a base or annotation means at a place; null when any step of it is not known. */
export function dottedMeaning(
  program: Program,
  site: Site,
  path: readonly string[],
  space: Space,
): Meaning | null {
  const [first, ...rest] = path;
  if (first === undefined) return null;
  const root = lookup(program, site, first, rest.length > 0 ? 'value' : space);
  let meaning = root?.kind === 'local' ? null : root;
  rest.forEach((name, at) => {
    meaning = meaning && staticMember(program, meaning, name, at === rest.length - 1 ? space : 'value');
  });
  return meaning;
}

/** A member reached without looking at any value's type: of a module, a package, a class itself. */
export function staticMember(program: Program, meaning: Meaning, name: string, space: Space): Meaning | null {
  if (meaning.kind === 'external') return externalMember(meaning, name);
  if (meaning.kind === 'file') {
    const member = exportedMeaning(program, meaning.file, name, space);
    return member && weakened(member, meaning.via);
  }
  if (meaning.kind === 'exported') return null;
  return memberOf(program, meaning, name);
}

/** What a class's written base is; null when the program does not say. */
export function baseMeaning(program: Program, owner: ClassMeaning, base: number): Meaning | null {
  const table = program.tables.get(owner.file);
  if (!table) return null;
  const definition = definitionAt(table, owner.definition);
  const written = definition.bases[base];
  if (!written || !/^[\p{ID_Continue}$]+(?:\.[\p{ID_Continue}$]+)*$/u.test(written.name)) return null;
  const site: Site = {
    file: owner.file,
    from: definition.parent,
    place: { line: definition.span.start_line, column: definition.span.start_column },
    local: false,
  };
  const spaces: Space[] =
    written.relation === 'implements' || definition.subkind === 'interface'
      ? ['type', 'value']
      : ['value', 'type'];
  for (const space of spaces) {
    const meaning = dottedMeaning(program, site, written.name.split('.'), space);
    if (meaning && !isItself(meaning, owner)) return meaning;
  }
  return null;
}

/**
 * A member of a class by the language's own method resolution order; null when no class of the program has it, or
 * when an ancestor outside the program comes first and might. `skipOwn` begins after the class itself, as `super` does.
 */
export function memberOf(
  program: Program,
  owner: ClassMeaning,
  name: string,
  skipOwn = false,
): (Meaning & { kind: 'definition' }) | null {
  const own = skipOwn ? null : ownMember(program, owner, name);
  if (own !== null) return definitionMeaning(owner.file, own, owner.via);
  for (const ancestor of ancestorsOf(program, owner)) {
    if (!ancestor) return null;
    const index = ownMember(program, ancestor, name);
    if (index !== null) return weakened(definitionMeaning(ancestor.file, index, owner.via), 'type');
  }
  return null;
}

/** A class's own member; TypeScript interfaces and namespaces that are declared more than once count as one. */
export function ownMember(program: Program, owner: ClassMeaning, name: string): number | null {
  const table = program.tables.get(owner.file);
  if (!table) return null;
  const own = chosenMember(table, definitionsNamed(table, owner.definition, name));
  if (own !== null) return own;
  for (const other of holding(table, mergedWith(table, owner.definition), name)) {
    const index = chosenMember(table, definitionsNamed(table, other, name));
    if (index !== null) return index;
  }
  return null;
}

/**
 * All declarations that count as one with a class, interface or namespace: of the same name in the same place. Of a
 * function its namespaces.
 */
export function mergedWith(table: ModuleTable, index: number): readonly number[] {
  const own = definitionAt(table, index);
  const { name, parent, form } = own;
  if (form !== 'class' && form !== 'function' && !isNamespace(own)) return [];
  const named = definitionsNamed(table, parent ?? TOP, name);
  return named.length < 2 ? [] : byBlock.in(named, blockKey(own), table);
}

const byBlock = new Grouping((index: number, table: ModuleTable) => {
  const definition = definitionAt(table, index);
  return definition.form === 'class' || isNamespace(definition) ? blockKey(definition) : null;
});

function blockKey({ block: at }: Definition): string {
  return at ? [at.start_line, at.start_column, at.end_line, at.end_column].join() : '';
}

const holders = new WeakMap<readonly number[], ReadonlyMap<string, readonly number[]>>();

/** Of some definitions, the same list each time, those that have a member of a name. */
export function holding(table: ModuleTable, owners: readonly number[], name: string): readonly number[] {
  if (owners.length === 0) return owners;
  let byName = holders.get(owners);
  if (!byName) {
    const made = new Map<string, number[]>();
    for (const owner of owners)
      for (const member of table.members.get(owner)?.keys() ?? []) append(made, member, owner);
    byName = made;
    holders.set(owners, made);
  }
  return byName.get(name) ?? [];
}

/**
 * The classes behind a class, nearest first, {@link LIMITS}.ancestors of them; null stands for one that the program does
 * not know, and at the end for all that are further away.
 */
export function ancestorsOf(program: Program, owner: ClassMeaning): readonly Ancestor[] {
  return program.caches.ancestors.of(owner, (one) => parentsOf(program, one));
}

/** The classes that a class names as its bases. */
function parentsOf(program: Program, owner: ClassMeaning): readonly Ancestor[] {
  const table = program.tables.get(owner.file);
  if (!table) return [null];
  const definition = definitionAt(table, owner.definition);
  const parents: Ancestor[] = [];
  definition.bases.forEach((base, at) => {
    const isUsed = base.relation === 'extends' || definition.subkind === 'interface';
    const meaning = isUsed ? baseMeaning(program, owner, at) : null;
    if (isUsed) parents.push(meaning?.kind === 'definition' ? meaning : null);
  });
  return parents;
}

function isItself(meaning: Meaning, owner: ClassMeaning): boolean {
  return meaning.kind === 'definition' && keyOf(meaning) === keyOf(owner);
}
