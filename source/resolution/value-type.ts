import type { Definition, TypeFact } from '../facts.js';
import { ancestorsOf, type ClassMeaning, dottedMeaning, memberOf, staticMember } from './class-members.js';
import { instanceMeaning, type Meaning, weakened } from './meaning.js';
import { definitionAt, Grouping, type ModuleTable, type Place, TOP } from './module-table.js';
import { madeOnce, type Program } from './program.js';
import type { Step } from './receiver.js';
import { enclosing, lookup, receiverOfMethod, type Site } from './scope.js';
import { type ToldType, toldType } from './told-type.js';
import { typeName } from './type-name.js';

/** How many names may tell each other's types in a row before it is given up: types can go in circles. */
const DEEPEST = 8;

/** Takes the definition that a step of a receiver names, and the step's number. */
export type StepListener = (named: Meaning, at: number) => void;

/**
 * What a receiver's steps lead to, its own value's type included; null when any step is not known. `root` is what
 * the first step stands for when that is no name, as with `this`.
 */
export function receiverMeaning(
  program: Program,
  site: Site,
  steps: readonly Step[],
  depth = 0,
  root: Meaning | null = null,
  listener?: StepListener,
): Meaning | null {
  const [first, ...rest] = steps;
  if (!first || depth > DEEPEST) return null;
  let meaning = root ?? rootMeaning(program, site, first, depth, listener);
  rest.forEach((step, at) => {
    const member = meaning && memberMeaning(program, meaning, step.name, depth);
    if (member) listener?.(member, at + 1);
    meaning = member && valueGiven(program, member, step.called, depth);
  });
  return meaning;
}

/** A member of a value; fields whose type alone is known count as that type. */
export function memberMeaning(program: Program, meaning: Meaning, name: string, depth = 0): Meaning | null {
  if (meaning.kind !== 'instance') return staticMember(program, meaning, name, 'value');
  return memberOf(program, meaning, name) ?? fieldType(program, meaning, name, depth);
}

/** The class that `this`, `self` or `super` stands in; null outside of any. */
export function ownClass(program: Program, site: Site): ClassMeaning | null {
  const table = program.tables.get(site.file);
  const owner = table ? receiverOfMethod(table, site.from) : null;
  return owner === null ? null : instanceMeaning(site.file, owner, 'exact');
}

function rootMeaning(
  program: Program,
  site: Site,
  step: Step,
  depth: number,
  listener: StepListener | undefined,
): Meaning | null {
  const root = lookup(program, site, step.name, 'value');
  if (root?.kind === 'local') return step.called ? null : localType(program, site, step.name, depth);
  if (root) listener?.(root, 0);
  return root && valueGiven(program, root, step.called, depth, placeIn(program, site, root));
}

/** Where a site is in the scope of what was found from it; null when that is another scope. */
function placeIn({ tables }: Program, { file, from, place }: Site, found: Meaning): Place | null {
  if (found.kind !== 'definition' || found.file !== file) return null;
  return tables.get(file)?.facts.definitions[found.definition]?.parent === from ? place : null;
}

/**
 * What using a meaning as a value, or calling it, gives: a variable's type, a new instance, a result. `at`: where a
 * variable is used in its own scope; null for elsewhere.
 */
export function valueGiven(
  program: Program,
  meaning: Meaning,
  called: boolean,
  depth = 0,
  at: Place | null = null,
): Meaning | null {
  // Nothing is known of what a foreign function returns.
  if (meaning.kind === 'external') return called ? null : meaning;
  if (meaning.kind !== 'definition') return called ? null : meaning;
  const table = program.tables.get(meaning.file);
  if (!table) return null;
  const definition = definitionAt(table, meaning.definition);
  if (definition.form === 'class')
    return called ? instanceMeaning(meaning.file, meaning.definition, meaning.via) : meaning;
  if (definition.form === 'function' || definition.form === 'method')
    return called !== isProperty(definition) ? resultOf(program, meaning, definition, depth) : null;
  if (called) return null;
  const isObject = table.members.has(meaning.definition) && definition.value_type === null;
  return isObject ? meaning : variableType(program, table, meaning, definition, depth, at);
}

/** A method that is read, not called. */
export function isProperty(definition: Definition): boolean {
  return definition.decorators.some((decorator) => /(?:^|[._])property\b/.test(decorator));
}

function resultOf(
  program: Program,
  meaning: Meaning & { kind: 'definition' },
  definition: Definition,
  depth: number,
): Meaning | null {
  const { return_type: type, is_async, is_generator } = definition;
  // A coroutine is not its result.
  if (type === null || is_generator || is_async) return null;
  const site = siteOf(meaning, definition);
  if (/^(?:\w+\.)?Self$/.test(type)) return ownClass(program, { ...site, from: meaning.definition });
  const told = typed(program, site, type, 'annotation', depth);
  return told && weakened(told, meaning.via);
}

function variableType(
  program: Program,
  table: ModuleTable,
  meaning: Meaning & { kind: 'definition' },
  definition: Definition,
  depth: number,
  at: Place | null,
): Meaning | null {
  const site = siteOf(meaning, definition);
  if (definition.scope === 'class' && definition.parent !== null) {
    const { value_type: type } = definition;
    const written = type === null ? null : typed(program, site, type, 'annotation', depth);
    if (written) return weakened(written, meaning.via);
    const owner: ClassMeaning = {
      kind: 'instance',
      file: meaning.file,
      definition: definition.parent,
      via: meaning.via,
    };
    return fieldType(program, owner, definition.name, depth);
  }
  const told = toldType(table, definition.name, definition.parent ?? TOP, at);
  const given = told ? toldMeaning(program, site, told, depth) : null;
  return given && weakened(given, meaning.via);
}

/** The types that the methods of one class tell of a field. */
const typesByClass = new Grouping((fact: TypeFact, table: ModuleTable) => receiverOfMethod(table, fact.from));

/** What is told of a field by the list of all that tell it. */
const toldOfFields = new WeakMap<readonly TypeFact[], { fact: TypeFact; isSure: boolean }>();

function fieldTold(facts: readonly TypeFact[]): { fact: TypeFact; isSure: boolean } | undefined {
  const known = toldOfFields.get(facts);
  if (known) return known;
  const fact = facts.find((each) => each.source === 'annotation') ?? facts[0];
  if (!fact) return undefined;
  const isSure = fact.source === 'annotation' || facts.every((each) => each.type === fact.type);
  const told = { fact, isSure };
  toldOfFields.set(facts, told);
  return told;
}

/** The type that assignments in a class's methods or its ancestors' tell of a field. */
function fieldType(program: Program, owner: ClassMeaning, name: string, depth: number): Meaning | null {
  for (const one of [owner, ...ancestorsOf(program, owner)]) {
    const table = one && program.tables.get(one.file);
    if (!one || !table) return null;
    const facts = typesByClass.in(table.types.get(`self.${name}`), one.definition, table);
    const told = facts.length === 0 ? undefined : fieldTold(facts);
    if (!told) continue;
    const { fact, isSure } = told;
    const site: Site = {
      file: one.file,
      from: fact.from,
      place: { line: fact.line, column: 0 },
      local: fact.local,
    };
    return isSure ? typed(program, site, fact.type, fact.source, depth) : null;
  }
  return null;
}

/** The type that its parameter, annotation or assignments tell of a local. */
function localType(program: Program, site: Site, name: string, depth: number): Meaning | null {
  const table = program.tables.get(site.file);
  if (!table) return null;
  for (const scope of [...enclosing(table, site.from), TOP]) {
    const told = toldType(table, name, scope, scope === (site.from ?? TOP) ? site.place : null);
    if (told !== undefined) return told && toldMeaning(program, site, told, depth);
    if (scope === TOP) break;
  }
  return null;
}

function toldMeaning(program: Program, site: Site, { fact, place }: ToldType, depth: number): Meaning | null {
  const { from, local, type, source } = fact;
  return typed(program, { ...site, place: place ?? site.place, from, local }, type, source, depth);
}

/** A written type, or the callee that made a value, as the value it stands for. */
export function typed(
  program: Program,
  site: Site,
  written: string,
  source: TypeFact['source'],
  depth: number,
): Meaning | null {
  if (depth > DEEPEST) return null;
  if (source === 'constructor' || source === 'return') {
    const called = madeBy(program, site, written, depth + 1);
    return called && weakened(called, 'type');
  }
  const name = madeOnce(program.caches.typeNames, written, typeName);
  if (!name) return null;
  const meaning =
    dottedMeaning(program, site, name.path, 'type') ??
    (name.isClass ? dottedMeaning(program, site, name.path, 'value') : null);
  if (meaning?.kind === 'external') return weakened(meaning, 'type');
  if (meaning?.kind !== 'definition') return null;
  const table = program.tables.get(meaning.file);
  if (!table || definitionAt(table, meaning.definition).form !== 'class') return null;
  return weakened(
    name.isClass ? meaning : instanceMeaning(meaning.file, meaning.definition, meaning.via),
    'type',
  );
}

/** What calling a dotted path gives: `Server`, `self.make_server`, `app.Server`. */
function madeBy(program: Program, site: Site, callee: string, depth: number): Meaning | null {
  const path = callee.split('.');
  const steps = path.map((name, at) => ({ name, called: at === path.length - 1 }));
  if (site.local || !/^(?:self|cls|super)$/.test(path[0] ?? ''))
    return receiverMeaning(program, site, steps, depth);
  const own = ownClass(program, site);
  return own && receiverMeaning(program, site, steps, depth, own);
}

/** Where a definition's own annotations are looked up. */
export function siteOf(meaning: { file: string }, definition: Definition): Site {
  const { start_line, start_column } = definition.span;
  return {
    file: meaning.file,
    from: definition.parent,
    place: { line: start_line, column: start_column },
    local: false,
  };
}
