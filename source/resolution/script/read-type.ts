import { dottedMeaning } from '../class-members.js';
import { lookup } from '../scope.js';
import { type Asking, deeper, once } from './asking.js';
import { callResult } from './calls.js';
import { awaited, itemOf } from './items.js';
import { libraryName } from './library.js';
import { memberOfType } from './members.js';
import { foundAt, parameterAt, parametersOf, plainScope, readType, scopeInside } from './scopes.js';
import { MOST_ASKED, oneOfEach, type Type, type TypeArgument, type TypeScope } from './type.js';
import { typeOfValue } from './values.js';
import type { WrittenType } from './written-type.js';

/** The type that a text spells at a place. */
export function typeOfText(ask: Asking, text: string, scope: TypeScope): Type | null {
  return typeOfWritten(ask, readType(ask.program, text), scope);
}

/** The type that a type argument stands for. */
export function typeOfArgument(ask: Asking, argument: TypeArgument | undefined): Type | null {
  if (!argument) return null;
  return 'type' in argument ? argument.type : typeOfWritten(ask, argument.written, argument.scope);
}

/** What a written type stands for: aliases and type parameters followed; null for what tells nothing. */
export function typeOfWritten(ask: Asking, written: WrittenType | null, scope: TypeScope): Type | null {
  if (written === null) return null;
  return deeper(ask, () => read(ask, written, scope));
}

function read(ask: Asking, written: WrittenType, scope: TypeScope): Type | null {
  switch (written.kind) {
    case 'name':
      return named(ask, written.path, written.args, scope);
    case 'typeof':
      return typeOfValue(ask, written.path.join('.'), scope.site);
    case 'list':
      return { kind: 'builtin', name: 'Array', args: [{ written: written.of, scope }] };
    case 'union':
      return oneOfEach(written.of, (one) => typeOfWritten(ask, one, scope));
    case 'intersection':
      if (written.of.length > MOST_ASKED) return null;
      return { kind: 'both', of: written.of.map((one) => typeOfWritten(ask, one, scope)) };
    case 'indexed':
      return indexed(ask, typeOfWritten(ask, written.of, scope), written.key);
    case 'text':
    case 'primitive':
      return { kind: 'primitive' };
    default:
      return { kind: 'shape', type: written, scope };
  }
}

function indexed(ask: Asking, of: Type | null, key: WrittenType | null): Type | null {
  if (of === null) return null;
  if (key?.kind === 'text') return memberOfType(ask, of, key.value)?.type() ?? null;
  return key?.kind === 'primitive' ? itemOf(ask, of, null) : null;
}

function named(
  ask: Asking,
  path: readonly string[],
  args: readonly (WrittenType | null)[],
  scope: TypeScope,
): Type | null {
  const { program } = ask;
  const [first = ''] = path;
  const given: TypeArgument[] = args.map((written) => ({ written, scope }));
  if (path.length === 1) {
    const bound = scope.names.get(first);
    if (bound) return typeOfArgument(ask, bound);
    if (first === 'this') return scope.self;
    const parameter = parameterAt(program, scope.site, first);
    if (parameter) return typeOfWritten(ask, parameter.bound ?? parameter.fallback, scope);
  }
  const meaning = dottedMeaning(program, scope.site, path, 'type');
  if (meaning === null) {
    const isGlobal = path.length === 1 && lookup(program, scope.site, first, 'type') === null;
    return isGlobal ? ofLanguage(ask, first, given) : null;
  }
  if (meaning.kind === 'external') return { kind: 'module', meaning };
  if (meaning.kind !== 'definition') return null;
  const at = { file: meaning.file, definition: meaning.definition };
  const found = foundAt(program, at);
  if (!found) return null;
  const { definition } = found;
  if (definition.form === 'class') return { kind: 'instance', at, args: given, isOpen: false, via: 'type' };
  if (definition.form !== 'type' || definition.value_type === null) return null;
  const { value_type: text } = definition;
  const within = scopeInside(program, at, definition, given, plainScope(scope.site).names, null);
  const find = () => typeOfText(ask, text, within);
  // Without type parameters it is the same for whoever asks.
  return within.names.size === 0 ? once(ask, program.caches.aliases, definition, find) : find();
}

/** Types that are what they are given, as far as members go. */
const SAME = new Set([
  'Partial',
  'Required',
  'Readonly',
  'NonNullable',
  'Pick',
  'Omit',
  'Extract',
  'NoInfer',
  'DeepPartial',
]);

function ofLanguage(ask: Asking, name: string, args: readonly TypeArgument[]): Type | null {
  if (SAME.has(name)) return typeOfArgument(ask, args[0]);
  if (name === 'Awaited') return awaited(ask, typeOfArgument(ask, args[0]));
  if (name === 'ReturnType' || name === 'InstanceType') {
    const of = typeOfArgument(ask, args[0]);
    return of && callResult(ask, of, name === 'InstanceType' ? { isNew: true } : {});
  }
  const known = libraryName(name);
  return known === null ? null : { kind: 'builtin', name: known, args };
}

/** What the type parameters of an instance's class stand for. */
export function namesOf(ask: Asking, type: Type | null): ReadonlyMap<string, TypeArgument> {
  if (type?.kind !== 'instance') return NO_NAMES;
  const found = foundAt(ask.program, type.at);
  if (!found || parametersOf(ask.program, found.definition).length === 0) return NO_NAMES;
  const isOpen = () => type.isOpen === true;
  return scopeInside(ask.program, type.at, found.definition, type.args, NO_NAMES, null, isOpen).names;
}

const NO_NAMES: ReadonlyMap<string, TypeArgument> = new Map();
