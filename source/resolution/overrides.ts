import { LIMITS } from '../../schema/index.js';
import type { Definition, FileFacts } from '../facts.js';
import { ancestorsOf, baseMeaning, ownMember } from './class-members.js';
import { CONFIDENCE } from './found-target.js';
import { definitionMeaning, type Meaning } from './meaning.js';
import { definitionAt, type ModuleTable } from './module-table.js';
import type { Ancestor, ClassMeaning, Program } from './program.js';
import type { DefinitionTarget, ResolutionKind, ResolvedOverride } from './resolution.js';

/**
 * What the methods of a file's classes override: of each the nearest method of its name behind the class by the
 * language's own order, and where the class says that it implements interfaces, that of each; so with the functions of a literal. A class that is
 * not known ends the search: what lies behind it is not told.
 */
export function overridesOf(program: Program, path: string, facts: FileFacts): ResolvedOverride[] {
  const table = program.tables.get(path);
  if (!table) return [];
  const found: ResolvedOverride[] = [];
  facts.definitions.forEach(({ form, bases }, index) => {
    if (bases.length === 0 || (form !== 'class' && form !== 'variable')) return;
    const owner = { ...definitionMeaning(path, index, 'exact'), kind: 'definition' as const };
    const behind = new Behind(program, owner);
    for (const name of table.members.get(index)?.keys() ?? []) {
      const own = ownMember(program, owner, name);
      if (own !== null && (form === 'variable' ? isFunction(table, own) : canOverride(table, own)))
        found.push(...overriddenBy(program, table, behind, own));
    }
  });
  return found;
}

/** What is behind a class, in the orders in which a method is looked for; found once for all its methods. */
class Behind {
  readonly #program: Program;
  readonly owner: ClassMeaning;
  readonly classes: readonly Ancestor[];
  #interfaces: (readonly Ancestor[])[] | null = null;
  #promised: (readonly Ancestor[])[] | null = null;

  constructor(program: Program, owner: ClassMeaning) {
    this.#program = program;
    this.owner = owner;
    this.classes = ancestorsOf(program, owner);
  }

  /** The interfaces that the class says it implements. */
  get interfaces(): readonly (readonly Ancestor[])[] {
    this.#interfaces ??= within(interfacesOf(this.#program, this.owner));
    return this.#interfaces;
  }

  /** Those that the classes behind it say they implement. */
  get promised(): readonly (readonly Ancestor[])[] {
    this.#promised ??= within(this.classes.flatMap((one) => (one ? interfacesOf(this.#program, one) : [])));
    return this.#promised;
  }
}

/** As many of some orders as have so many classes together as one order may have. */
function within(orders: (readonly Ancestor[])[]): (readonly Ancestor[])[] {
  let left: number = LIMITS.ancestors.max;
  return orders.filter((order) => {
    left -= order.length;
    return left >= 0;
  });
}

function overriddenBy(program: Program, table: ModuleTable, behind: Behind, own: number): ResolvedOverride[] {
  const { owner } = behind;
  const method = definitionAt(table, own);
  const targets = new Map<string, ResolvedOverride>();
  const take = (order: readonly Ancestor[]): boolean => {
    for (const ancestor of order) {
      if (!ancestor) return false;
      const target = methodOf(program, ancestor, method);
      if (target === 'hidden') return false;
      if (target === null) continue;
      const resolution = surenessOf(order, ancestor);
      const key = `${target.file}\0${target.definition}`;
      if (targets.has(key)) return true;
      targets.set(key, {
        file: owner.file,
        definition: own,
        target,
        resolution,
        confidence: CONFIDENCE[resolution],
        evidence: { line: method.name_line, column: null, expression: method.name },
      });
      return true;
    }
    return false;
  };
  const isInherited = take(behind.classes);
  for (const order of behind.interfaces) take(order);
  // What a class behind promises and does not write itself.
  if (!isInherited) for (const order of behind.promised) take(order);
  return [...targets.values()];
}

/** The interfaces that a class says it implements, each with those that it extends behind it. */
function interfacesOf(program: Program, owner: ClassMeaning): (readonly Ancestor[])[] {
  const table = program.tables.get(owner.file);
  const bases = table ? definitionAt(table, owner.definition).bases : [];
  return bases.slice(0, LIMITS.ancestors.max).flatMap(({ relation }, at) => {
    const meaning = relation === 'implements' ? baseMeaning(program, owner, at) : null;
    return meaning?.kind === 'definition' ? [[meaning, ...ancestorsOf(program, meaning)]] : [];
  });
}

/** The method of a name that a class itself has; `hidden` where it has something else of that name. */
function methodOf(
  program: Program,
  owner: Meaning & { kind: 'definition' },
  method: Definition,
): DefinitionTarget | 'hidden' | null {
  const table = program.tables.get(owner.file);
  const index = ownMember(program, owner, method.name);
  if (!table || index === null) return null;
  const { form, is_static } = definitionAt(table, index);
  if (is_static !== method.is_static) return null;
  // A literal may have a function wherever its interface has a property that holds one.
  const isPromised =
    method.form === 'function' ? form === 'variable' || form === 'method' : canOverride(table, index);
  return isPromised ? { file: owner.file, definition: index } : 'hidden';
}

/** Constructors belong to their class alone, as do private members. */
function canOverride(table: ModuleTable, index: number): boolean {
  const { form, name, visibility } = definitionAt(table, index);
  if (form !== 'method') return false;
  return name !== 'constructor' && visibility !== 'private';
}

function isFunction(table: ModuleTable, index: number): boolean {
  return definitionAt(table, index).form === 'function';
}

/** As sure as the least sure step of the way to an ancestor: it lies behind those before it. */
function surenessOf(order: readonly Ancestor[], ancestor: Ancestor): ResolutionKind {
  for (const one of order) {
    if (one && one.via !== 'exact') return one.via;
    if (one === ancestor) break;
  }
  return 'exact';
}
