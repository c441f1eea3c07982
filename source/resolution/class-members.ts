import type { Definition } from '../facts.js';
import { chosenMember } from './chosen-definition.js';
import { moduleMember } from './exported-name.js';
import { definitionMeaning, externalMember, type Meaning, type Space, weakened } from './meaning.js';
import { definitionAt, definitionsNamed, type ModuleTable, TOP } from './module-table.js';
import type { Ancestor, Program } from './program.js';
import { isNamespace, lookup, type Site } from './scope.js';

/** A class, interface or object literal of the program. */
export type ClassMeaning = Meaning & { kind: 'definition' | 'instance' };

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
  if (meaning.kind === 'file' || meaning.kind === 'folder') {
    const member = moduleMember(program, meaning, name, space);
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
  if (own !== null || table.isPython) return own;
  for (const other of mergedWith(table, owner.definition)) {
    const index = chosenMember(table, definitionsNamed(table, other, name));
    if (index !== null) return index;
  }
  return null;
}

/** The other declarations of an interface or namespace that is declared more than once. */
export function mergedWith(table: ModuleTable, index: number): readonly number[] {
  const own = definitionAt(table, index);
  const { name, parent, form, block } = own;
  if (form !== 'class' && !isNamespace(own)) return [];
  const named = definitionsNamed(table, parent ?? TOP, name);
  if (named.length < 2) return [];
  return named.filter((other) => {
    const definition = definitionAt(table, other);
    return other !== index && definition.form === form && isSameSpan(definition.block, block);
  });
}

function isSameSpan(a: Definition['block'], b: Definition['block']): boolean {
  if (!a || !b) return !a && !b;
  return (
    a.start_line === b.start_line &&
    a.start_column === b.start_column &&
    a.end_line === b.end_line &&
    a.end_column === b.end_column
  );
}

/** The classes behind a class, nearest first; null stands for one that the program does not know. */
export function ancestorsOf(program: Program, owner: ClassMeaning): readonly Ancestor[] {
  return linearized(program, owner, new Set());
}

/** What is known of a class that is its own ancestor, or has one that is: such code does not run. */
const CYCLIC: readonly Ancestor[] = [null];

function linearized(program: Program, owner: ClassMeaning, open: Set<string>): readonly Ancestor[] {
  const key = keyOf(owner);
  if (open.has(key)) return CYCLIC;
  return program.lookups.remembered(
    program.caches.ancestors,
    key,
    () => {
      open.add(key);
      const ancestors = merge(program, owner, open);
      open.delete(key);
      return ancestors;
    },
    // Of a circle only the class that was asked for looked at all of it.
    (ancestors) => ancestors !== CYCLIC || open.size === 0,
  );
}

function merge(program: Program, owner: ClassMeaning, open: Set<string>): readonly Ancestor[] {
  const table = program.tables.get(owner.file);
  if (!table) return [null];
  const definition = definitionAt(table, owner.definition);
  const parents: Ancestor[] = [];
  definition.bases.forEach((base, at) => {
    const isUsed = base.relation === 'extends' || definition.subkind === 'interface';
    const meaning = isUsed ? baseMeaning(program, owner, at) : null;
    if (!isUsed || (table.isPython && isEmptyBase(meaning, base.name))) return;
    parents.push(meaning?.kind === 'definition' ? meaning : null);
  });
  const lists: (readonly Ancestor[])[] = [];
  for (const parent of parents) {
    const behind = parent ? linearized(program, parent, open) : [];
    if (behind === CYCLIC) return CYCLIC;
    lists.push([parent, ...behind]);
  }
  return (table.isPython ? c3([...lists, parents]) : null) ?? withoutRepeats(lists.flat());
}

/** Bases that bring no members anybody calls by accident. */
function isEmptyBase(meaning: Meaning | null, written: string): boolean {
  if (!meaning) return written === 'object';
  return (
    meaning.kind === 'external' &&
    ['typing', 'typing_extensions', 'abc'].includes(meaning.package) &&
    ['Generic', 'Protocol', 'ABC'].includes(meaning.name)
  );
}

/** Python's own order (C3); null when the classes contradict each other. */
function c3(lists: readonly (readonly Ancestor[])[]): Ancestor[] | null {
  const order: Ancestor[] = [];
  let rest = lists.map((list) => [...list]).filter((list) => list.length > 0);
  while (rest.length > 0) {
    const next = rest
      .map(([head]) => head ?? null)
      .find((head) => head === null || !rest.some((list) => list.slice(1).some((one) => same(one, head))));
    if (next === undefined) return null;
    order.push(next);
    // What comes after a class that is not known is not looked at: nothing can be said of it.
    if (next === null) return order;
    rest = rest
      .map((list) => (same(list[0] ?? null, next) ? list.slice(1) : list))
      .filter((list) => list.length > 0);
  }
  return order;
}

function withoutRepeats(ancestors: readonly Ancestor[]): Ancestor[] {
  return ancestors.filter(
    (one, at) => one === null || ancestors.findIndex((other) => same(other, one)) === at,
  );
}

function same(a: Ancestor, b: Ancestor): boolean {
  return a !== null && b !== null && a.file === b.file && a.definition === b.definition;
}

function isItself(meaning: Meaning, owner: ClassMeaning): boolean {
  return meaning.kind === 'definition' && keyOf(meaning) === keyOf(owner);
}

function keyOf(owner: ClassMeaning): string {
  return `${owner.file}\0${owner.definition}`;
}
