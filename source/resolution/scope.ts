import type { Definition } from '../facts.js';
import { chosenDefinition } from './chosen-definition.js';
import { importedMeaning } from './exported-name.js';
import { definitionMeaning, type Meaning, type Space } from './meaning.js';
import {
  definitionAt,
  definitionsNamed,
  isNamespace,
  type ModuleTable,
  type Place,
  parameterNamed,
  TOP,
} from './module-table.js';
import type { Program } from './program.js';

/** Where a name is used. */
export interface Site {
  file: string;
  /** The innermost enclosing definition; null at module level. */
  from: number | null;
  place: Place;
  /** Whether the name is bound by a parameter or variable of the enclosing functions: then no definition is meant. */
  local: boolean;
}

/** A parameter or local: something that has a place but no definition. */
export interface LocalName {
  kind: 'local';
}

/**
 * What a bare name means at a place by the lexical scopes of its file, followed through imports; null when the file
 * does not bind it (a global, a builtin). Class bodies are not scopes of the functions in them.
 */
export function lookup(program: Program, site: Site, name: string, space: Space): Meaning | LocalName | null {
  const table = program.tables.get(site.file);
  if (!table) return null;
  if (site.local) return LOCAL;
  for (let scope = site.from; scope !== null; ) {
    const definition = definitionAt(table, scope);
    const isBody = isScope(definition);
    if (space === 'type' && isTypeParameter(definition, name)) return LOCAL;
    if (isBody && space === 'value' && parameterNamed(definition, name) >= 0) return LOCAL;
    const found = inScope(program, table, site, scope, name, space, !isBody);
    if (found) return found;
    scope = definition.parent;
  }
  return inScope(program, table, site, TOP, name, space);
}

const LOCAL: LocalName = { kind: 'local' };

/** Whether what is defined inside a definition can be seen by its bare name there. */
export function isScope(definition: Definition): boolean {
  return definition.form === 'function' || definition.form === 'method' || isNamespace(definition);
}

/** The definitions around a place, innermost first. */
export function* enclosing(table: ModuleTable, from: number | null): Generator<number> {
  for (let scope = from; scope !== null; scope = definitionAt(table, scope).parent) yield scope;
}

/**
 * The definition that `this` or `self` is an instance of at a place: what the innermost enclosing method is a member
 * of, be it a class or an object literal; null outside of any.
 */
export function receiverOfMethod(table: ModuleTable, from: number | null): number | null {
  for (const scope of enclosing(table, from)) {
    const { form, parent } = definitionAt(table, scope);
    if (form === 'class') return scope;
    if (form === 'method' && parent !== null) return parent;
  }
  return null;
}

function isTypeParameter(definition: Definition, name: string): boolean {
  const written = definition.type_parameters;
  if (!written?.includes(name)) return false;
  return written
    .split(/[,<]/)
    .some((one) => /^\s*(?:(?:const|in|out)\s+)*([\p{ID_Continue}$]+)/u.exec(one)?.[1] === name);
}

/**
 * What one scope's definitions and imports bind a name to, at a place; null when they do not. `onlyBlocks`: what stands
 * in unnamed functions alone, as in the value of a variable, `const all = list.map(() => { function each() {} })`.
 */
export function inScope(
  program: Program,
  table: ModuleTable,
  site: Site,
  scope: number,
  name: string,
  space: Space,
  onlyBlocks = false,
): Meaning | null {
  const named = definitionsNamed(table, scope, name);
  const index =
    named.length === 0
      ? null
      : chosenDefinition(table, boundAmong(table, named, onlyBlocks), site.place, space);
  if (index !== null) return definitionMeaning(site.file, index, 'exact');
  const bindings = table.bindings.get(scope)?.get(name);
  for (const binding of bindings ?? []) {
    const meaning = importedMeaning(program, site.file, binding, space);
    if (meaning) return meaning;
  }
  return ownMeaning(table, site.file, scope, name, space);
}

/** What the name means that a function or class value has inside of itself; null for any other name. */
function ownMeaning(
  table: ModuleTable,
  file: string,
  scope: number,
  name: string,
  space: Space,
): Meaning | null {
  if (scope === TOP) return null;
  const { own_name, form } = definitionAt(table, scope);
  return own_name === name && (space === 'value' || form === 'class')
    ? definitionMeaning(file, scope, 'exact')
    : null;
}

const boundOfLists = new WeakMap<
  readonly number[],
  { bound: readonly number[]; inBlocks: readonly number[] }
>();

/** Of definitions of one name those that bind it. Made once for a list, which stays itself where all of them do. */
function boundAmong(table: ModuleTable, named: readonly number[], onlyBlocks: boolean): readonly number[] {
  let known = boundOfLists.get(named);
  if (!known) {
    const bound = named.filter((index) => !definitionAt(table, index).is_property);
    const inBlocks = bound.filter((index) => definitionAt(table, index).block);
    known = { bound: bound.length === named.length ? named : bound, inBlocks };
    boundOfLists.set(named, known);
  }
  return onlyBlocks ? known.inBlocks : known.bound;
}
