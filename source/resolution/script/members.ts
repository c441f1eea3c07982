import { LIMITS } from '../../../schema/index.js';
import type { Definition } from '../../facts.js';
import { chosenMember } from '../chosen-definition.js';
import { baseMeaning, holding, staticMember } from '../class-members.js';
import { definitionMeaning, externalMember, type Meaning } from '../meaning.js';
import {
  definitionAt,
  definitionsNamed,
  flowsByOwner,
  type ModuleTable,
  TOP,
  typesByScope,
} from '../module-table.js';
import type { DefinitionTarget, ResolutionKind } from '../resolution.js';
import { type Asking, deeper, once } from './asking.js';
import { callResult } from './calls.js';
import { flowsToField, requiredType, typeOfDefinition, typeOfMeaning } from './definitions.js';
import { itemOf } from './items.js';
import { libraryMember, libraryParameters } from './library.js';
import { ownOf, properties, variables, withBases } from './own-members.js';
import { namesOf, typeOfText, typeOfWritten } from './read-type.js';
import { argumentsIn, foundAt, scopeInside } from './scopes.js';
import { type Member, MOST_ASKED, oneOf, oneOfEach, type Type } from './type.js';
import { typeOfFlow, typeOfValue } from './values.js';

/** A member of a value; null when it is not known that there is one. `self` is what `this` is in an inherited one. */
export function memberOfType(ask: Asking, type: Type, name: string, self: Type = type): Member | null {
  return deeper(ask, () => member(ask, type, name, self, null));
}

/** @param seen Classes that were found not to have the member, when it is looked for behind another. */
function member(
  ask: Asking,
  type: Type,
  name: string,
  self: Type,
  seen: Set<Definition> | null,
): Member | null {
  switch (type.kind) {
    case 'class':
      return ofClass(ask, type, name);
    case 'instance':
      return ofInstance(ask, type, name, self, seen);
    case 'function':
      return name === 'bind' || name === 'call' || name === 'apply' ? null : beside(ask, type.at, name);
    case 'object':
      return ofObject(ask, type, name);
    case 'dict':
      return ofEntries(ask, type, name);
    case 'module':
      return ofModule(ask, type.meaning, name);
    case 'builtin':
      return ofLibrary(ask, type, name);
    case 'shape': {
      const { type: shape, scope } = type;
      if (shape.kind === 'tuple')
        return ofLibrary(
          ask,
          {
            kind: 'builtin',
            name: 'Array',
            args: shape.of.map((written) => ({ written, scope })).slice(0, 1),
          },
          name,
        );
      if (shape.kind !== 'object') return null;
      const written = shape.members.get(name) ?? shape.others;
      return written ? { at: null, type: () => typeOfWritten(ask, written, scope) } : null;
    }
    case 'tuple':
      return ofLibrary(
        ask,
        { kind: 'builtin', name: 'Array', args: [{ type: oneOfEach(type.of, (one) => one) }] },
        name,
      );
    case 'primitive':
      return null;
    case 'union':
      return ofUnion(ask, type.of, name);
    case 'both':
      return firstOf(ask, type.of, name);
  }
}

function ofClass(ask: Asking, type: Extract<Type, { kind: 'class' }>, name: string): Member | null {
  const found = foundAt(ask.program, type.at);
  if (!found) return null;
  const { definition, table } = found;
  const isStatic = definition.form === 'class' && definition.subkind !== 'enum';
  const own = ownOf(table, type.at.definition, name, isStatic ? true : null);
  if (own !== null) return defined(ask, { file: type.at.file, definition: own }, type, type.via);
  if (definition.form !== 'class') return null;
  for (let at = 0; at < definition.bases.length && at < LIMITS.ancestors.max; at++) {
    if (definition.bases[at]?.relation !== 'extends') continue;
    const base = baseMeaning(ask.program, definitionMeaning(type.at.file, type.at.definition, type.via), at);
    const of = base && typeOfMeaning(ask, base);
    const inherited = of && memberOfType(ask, of, name);
    return inherited && weaker(inherited);
  }
  return beside(ask, type.at, name);
}

function ofInstance(
  ask: Asking,
  type: Extract<Type, { kind: 'instance' }>,
  name: string,
  self: Type,
  before: Set<Definition> | null,
): Member | null {
  const found = foundAt(ask.program, type.at);
  if (!found) return null;
  const { definition, table } = found;
  if (before?.has(definition)) return null;
  const own = ownOf(table, type.at.definition, name, definition.form === 'class' ? false : null);
  if (own !== null) return defined(ask, { file: type.at.file, definition: own }, type, type.via, self);
  const assigned = assignedField(ask, table, type, name);
  if (assigned) return { at: null, type: assigned };
  const names = namesOf(ask, type);
  const isInterface = definition.subkind === 'interface';
  const seen = before ?? new Set<Definition>();
  seen.add(definition);
  let left: number = LIMITS.ancestors.max;
  for (const one of withBases(table, type.at.definition)) {
    const at = { file: type.at.file, definition: one };
    const owner = definitionAt(table, one);
    const scope = scopeInside(ask.program, at, owner, type.args, names, type, () => type.isOpen === true);
    for (let index = 0; index < owner.bases.length; index++) {
      const written = owner.bases[index];
      if (!written || (written.relation === 'implements' && !isInterface)) continue;
      left -= 1;
      if (left < 0) return null;
      const meaning = baseMeaning(ask.program, definitionMeaning(at.file, at.definition, 'type'), index);
      const base = meaning && baseType(ask, meaning, argumentsIn(ask.program, written.type_arguments, scope));
      if (!base) return null;
      const inherited = deeper(ask, () => member(ask, base, name, self, seen));
      if (inherited) return weaker(inherited);
    }
  }
  return typesByScope.in(table.types.get('[]'), type.at.definition).length === 0
    ? null
    : { at: null, isIndexed: true, type: () => itemOf(ask, type, name) };
}

function baseType(
  ask: Asking,
  meaning: Meaning,
  args: Extract<Type, { kind: 'instance' }>['args'],
): Type | null {
  if (meaning.kind === 'external') return { kind: 'module', meaning };
  if (meaning.kind !== 'definition') return null;
  const at = { file: meaning.file, definition: meaning.definition };
  const found = foundAt(ask.program, at);
  if (found?.definition.form === 'type' && found.definition.value_type !== null)
    return typeOfText(
      ask,
      found.definition.value_type,
      scopeInside(ask.program, at, found.definition, args, new Map(), null),
    );
  if (found?.definition.form === 'class' || found?.definition.form === 'function')
    return { kind: 'instance', at, args, isOpen: false, via: 'type' };
  return null;
}

/** What assignments in a class's own methods say of a field that it does not declare. */
function assignedField(
  ask: Asking,
  table: ModuleTable,
  type: Extract<Type, { kind: 'instance' }>,
  name: string,
): (() => Type | null) | null {
  const { file, definition } = type.at;
  const flows = flowsToField(table, name, definition);
  if (flows.length === 0) return null;
  return () =>
    once(ask, ask.program.caches.fields, `${file}\0${definition}\0${name}`, () =>
      oneOfEach(flows, (flow) => typeOfFlow(ask, file, flow)),
    );
}

/** What is assigned to, or declared in, what has the name of a function or class: `app.use = …`, `namespace Foo {}`. */
function beside(ask: Asking, at: DefinitionTarget, name: string): Member | null {
  const found = foundAt(ask.program, at);
  if (!found) return null;
  const { table, definition } = found;
  const { parent, qualname } = definition;
  const named = definitionsNamed(table, parent ?? TOP, name);
  const index = chosenMember(table, properties.in(named, `${qualname}.${name}`, table));
  if (index !== null) return defined(ask, { file: at.file, definition: index }, null, 'type');
  const hung = parent === null ? (table.flows.get(`${qualname}.${name}`) ?? []) : [];
  if (hung.length > 0)
    return { at: null, type: () => oneOfEach(hung, (flow) => typeOfFlow(ask, at.file, flow)) };
  const alike = definitionsNamed(table, parent ?? TOP, definition.name);
  for (const other of holding(table, variables.in(alike, true, table), name)) {
    if (other === at.definition) continue;
    const own = ownOf(table, other, name, null);
    if (own !== null) return defined(ask, { file: at.file, definition: own }, null, 'type');
  }
  return null;
}

function ofObject(ask: Asking, type: Extract<Type, { kind: 'object' }>, name: string): Member | null {
  const found = foundAt(ask.program, type.at);
  if (!found) return null;
  const own = ownOf(found.table, type.at.definition, name, null);
  if (own !== null) return defined(ask, { file: type.at.file, definition: own }, type, type.via);
  const assigned = beside(ask, type.at, name);
  if (assigned) return assigned;
  for (const value of heldBy(ask, type.at)) {
    const inside = value && memberOfType(ask, value, name);
    if (inside) return weaker(inside);
  }
  return null;
}

/** What the variable of an object literal is given, literals as such. */
export function* heldBy(ask: Asking, { file, definition }: DefinitionTarget): Generator<Type | null> {
  const found = foundAt(ask.program, { file, definition });
  if (!found) return;
  const { name, parent } = found.definition;
  const flows = flowsByOwner.in(found.table.flows.get(name), parent ?? TOP);
  if (flows.length > MOST_ASKED) return;
  for (const flow of flows) {
    const value = typeOfFlow(ask, file, flow);
    yield value?.kind === 'object' ? null : value;
  }
}

function ofEntries(
  ask: Asking,
  { entries, site }: Extract<Type, { kind: 'dict' }>,
  name: string,
): Member | null {
  for (const [key, value] of [...entries].reverse()) {
    if (value === null) {
      if (key === null) return null;
      continue;
    }
    if (key === null) {
      const spread = typeOfValue(ask, value, site);
      const inside = spread && memberOfType(ask, spread, name);
      if (inside) return inside;
    } else if (typeof key === 'object' && 'literal' in key && String(key.literal) === name) {
      const at =
        typeof value === 'object' && 'definition' in value
          ? { file: site.file, definition: value.definition, via: 'type' as const }
          : null;
      return { at, type: () => typeOfValue(ask, value, site) };
    }
  }
  return null;
}

function ofModule(
  ask: Asking,
  meaning: Extract<Type, { kind: 'module' }>['meaning'],
  name: string,
): Member | null {
  const found =
    meaning.kind === 'external'
      ? externalMember(meaning, name)
      : staticMember(ask.program, meaning, name, 'value');
  if (!found) {
    const given = requiredType(ask, { kind: 'module', meaning });
    return given && memberOfType(ask, given, name);
  }
  const at =
    found.kind === 'definition' ? { file: found.file, definition: found.definition, via: found.via } : null;
  return { at, meaning: found, type: () => typeOfMeaning(ask, found) };
}

function ofLibrary(ask: Asking, type: Extract<Type, { kind: 'builtin' }>, name: string): Member | null {
  if (type.name === 'Record') return { at: null, isIndexed: true, type: () => itemOf(ask, type, name) };
  const written = libraryMember(type.name, name);
  if (!written) return null;
  const names = new Map(
    libraryParameters(type.name).map((parameter, index) => [parameter, type.args[index] ?? { type: null }]),
  );
  const site = { file: '', from: null, place: { line: 0, column: 0 }, local: false };
  return { at: null, type: () => typeOfWritten(ask, written, { site, names, self: type }) };
}

/** What text, numbers and every other value can do; on a union it may be theirs that is meant. */
const EVERYBODYS = new Set(
  (
    'toString valueOf toLocaleString hasOwnProperty length at charAt charCodeAt codePointAt concat endsWith includes ' +
    'indexOf lastIndexOf localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search slice ' +
    'split startsWith substring toLowerCase toUpperCase trim trimEnd trimStart toFixed toPrecision'
  ).split(' '),
);

function ofUnion(ask: Asking, of: readonly (Type | null)[], name: string): Member | null {
  const isPlain = (type: Type | null) => type?.kind === 'primitive' && !EVERYBODYS.has(name);
  const parts = of.filter((type) => !isPlain(type));
  const found = parts.map((type) => type && memberOfType(ask, type, name));
  const [first] = found;
  const type = () => oneOf(found.map((one) => one?.type() ?? null));
  if (first && found.every((one) => sameMember(one, first))) return { ...weaker(first), type };
  const candidates = found.flatMap((one) => (one?.at ? [one.at] : (one?.candidates ?? [])));
  return found.some((one) => one !== null) ? { at: null, type, candidates } : null;
}

function sameMember(one: Member | null, other: Member): boolean {
  if (!one?.at || !other.at) return false;
  return one.at.file === other.at.file && one.at.definition === other.at.definition;
}

function firstOf(ask: Asking, of: readonly (Type | null)[], name: string): Member | null {
  let indexed: Member | null = null;
  for (const type of of) {
    const found = type && memberOfType(ask, type, name);
    // A property that is written goes before what all names stand for.
    if (found?.isIndexed) indexed ??= found;
    else if (found && (found.at || found.meaning?.kind !== 'external')) return found;
  }
  return indexed;
}

function defined(
  ask: Asking,
  at: DefinitionTarget,
  owner: Type | null,
  via: ResolutionKind,
  self: Type | null = owner,
): Member {
  return { at: { ...at, via }, type: () => memberType(ask, at, owner, self) };
}

function memberType(ask: Asking, at: DefinitionTarget, owner: Type | null, self: Type | null): Type | null {
  const found = foundAt(ask.program, at);
  if (!found) return null;
  const { definition } = found;
  const type = typeOfDefinition(ask, at, owner);
  const own = type?.kind === 'function' && self !== owner ? { ...type, receiver: self } : type;
  return isGetter(definition) && own ? callResult(ask, own, {}) : own;
}

/** A method that is read, not called. */
export function isGetter({ form, signature }: Definition): boolean {
  return form === 'method' && GETTER.test(signature);
}

const GETTER = /^(?:(?:public|private|protected|static|override|abstract|declare)\s+)*get\s+[^(]/;

function weaker(member: Member): Member {
  return member.at ? { ...member, at: { ...member.at, via: 'type' } } : member;
}
