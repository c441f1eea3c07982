import type { FlowFact, ValueFact } from '../../flow-facts.js';
import { importTarget } from '../import-target.js';
import { externalMeaning, fileMeaning } from '../meaning.js';
import { lookup, type Site } from '../scope.js';
import { type Asking, deeper, once } from './asking.js';
import { callResult, expectedArgument, parameterType } from './calls.js';
import { selfAt, typeOfDefinition } from './definitions.js';
import { awaited, itemOf } from './items.js';
import { libraryName } from './library.js';
import { memberOfType } from './members.js';
import { typeOfName } from './names.js';
import { typeOfText } from './read-type.js';
import { meaningOfCall } from './reference.js';
import { argumentsIn, plainScope } from './scopes.js';
import { type Member, MOST_ASKED, oneOfEach, type Type } from './type.js';

/** What a value that can be followed is, at the place where it stands; null when that is not known. */
export function typeOfValue(ask: Asking, value: ValueFact, site: Site): Type | null {
  return deeper(ask, () => followed(ask, value, site));
}

function followed(ask: Asking, value: ValueFact, site: Site): Type | null {
  if (typeof value === 'string') return ofPath(ask, value.split('.'), site);
  const inner = (one: ValueFact | null) => (one === null ? null : typeOfValue(ask, one, site));
  if ('call' in value) return ofCall(ask, value, site);
  if ('result' in value) return ofReference(ask, value.result, site);
  if ('module' in value) return ofModule(ask, value.module, site);
  if ('typed' in value)
    return typeOfText(ask, value.typed, plainScope(site, selfAt(ask, site.file, site.from)));
  if ('await' in value) return awaited(ask, inner(value.await));
  if ('expected' in value) {
    const callee = inner(value.expected);
    return callee && expectedArgument(ask, callee, value.argument);
  }
  if ('list' in value)
    return value.list.length > MOST_ASKED ? null : { kind: 'tuple', of: value.list.map(inner) };
  if ('dict' in value) return { kind: 'dict', entries: value.dict, site };
  if ('either' in value) return oneOfEach(value.either, inner);
  if ('definition' in value)
    return typeOfDefinition(ask, { file: site.file, definition: value.definition }, null);
  if ('literal' in value) return { kind: 'primitive' };
  const of = inner(value.of);
  if (of === null) return null;
  if ('member' in value) return memberOfType(ask, of, value.member)?.type() ?? null;
  if ('parameter' in value) return parameterType(ask, of, value.parameter);
  if ('from' in value) return of;
  const { key } = value;
  return itemOf(ask, of, key !== null && typeof key === 'object' && 'literal' in key ? key.literal : null);
}

/** What a path of names is as a value. @param listener Called for each member on the way, with its place in the path. */
export function typeOfPath(
  ask: Asking,
  path: readonly string[],
  site: Site,
  listener: (member: Member, step: number) => void,
): Type | null {
  return deeper(ask, () => ofPath(ask, path, site, listener));
}

function ofPath(
  ask: Asking,
  [first = '', ...rest]: readonly string[],
  site: Site,
  listener?: (member: Member, step: number) => void,
): Type | null {
  let type: Type | null =
    first === 'this' && !site.local ? selfAt(ask, site.file, site.from) : typeOfName(ask, site, first);
  for (const [at, name] of rest.entries()) {
    const member: Member | null = type && memberOfType(ask, type, name);
    if (member) listener?.(member, at + 1);
    type = member?.type() ?? null;
  }
  return type;
}

function ofCall(ask: Asking, value: Extract<ValueFact, { call: ValueFact }>, site: Site): Type | null {
  const { call, types, passed } = value;
  if (typeof call === 'string') {
    // The same function, with its `this` or first arguments given.
    const unbound = /^(.+)\.bind$/.exec(call)?.[1];
    if (unbound !== undefined) return typeOfValue(ask, unbound, site);
    const made = madeByLanguage(ask, call, passed ?? [], site);
    if (made) return made;
    const name = libraryName(call);
    if (name !== null && lookup(ask.program, site, call, 'value') === null)
      return { kind: 'builtin', name, args: argumentsIn(ask.program, types, plainScope(site)) };
  }
  const callee = typeOfValue(ask, call, site);
  return (
    callee &&
    callResult(ask, callee, {
      ...(types !== undefined && { types }),
      ...(passed && { passed, ...(passed.length === 0 && { count: 0 }) }),
      site,
    })
  );
}

/** What functions of the language give that hand on what they are given. */
function madeByLanguage(
  ask: Asking,
  callee: string,
  passed: readonly (ValueFact | null)[],
  site: Site,
): Type | null {
  const [first] = passed;
  if (!first || !/^(?:Array|Object|Promise)\./.test(callee)) return null;
  const given = () => typeOfValue(ask, first, site);
  const list = (type: Type | null): Type | null =>
    type && { kind: 'builtin', name: 'Array', args: [{ type }] };
  switch (callee) {
    case 'Array.from':
    case 'Object.values': {
      const of = given();
      return list(of && itemOf(ask, of, null));
    }
    case 'Object.entries': {
      const of = given();
      return list({ kind: 'tuple', of: [{ kind: 'primitive' }, of && itemOf(ask, of, null)] });
    }
    case 'Object.freeze':
    case 'Object.seal':
    case 'Object.create':
      return given();
    case 'Object.assign':
      return { kind: 'both', of: passed.map((one) => (one === null ? null : typeOfValue(ask, one, site))) };
    case 'Promise.resolve':
      return given();
    default:
      return null;
  }
}

function ofModule(ask: Asking, module: string, { file }: Site): Type | null {
  const target = importTarget(ask.program, file, module);
  if ('file' in target) return { kind: 'module', meaning: fileMeaning(target.file, 'import') };
  if (!('package' in target)) return null;
  return { kind: 'module', meaning: externalMeaning(target.package, '', 'import') };
}

/** What the call gives that a reference of the file is. */
function ofReference(ask: Asking, index: number, site: Site): Type | null {
  const reference = ask.program.tables.get(site.file)?.facts.references[index];
  if (!reference) return null;
  return once(ask, ask.program.caches.calls, reference, () => {
    const callee = meaningOfCall(ask, site.file, reference);
    const { types } = reference;
    const within: Site = { file: site.file, from: reference.from, place: site.place, local: false };
    return (
      callee &&
      callResult(ask, callee, {
        ...(types !== undefined && { types }),
        count: reference.arguments,
        site: within,
      })
    );
  });
}

/** What a flow gives its target. The same for everybody who asks: it is followed from where it stands. */
export function typeOfFlow(ask: Asking, file: string, flow: FlowFact): Type | null {
  const { value, from, line, column } = flow;
  if (value === null) return null;
  const site = { file, from, place: { line, column }, local: false };
  return once(ask, ask.program.caches.flows, flow, () => {
    const type = typeOfValue(ask, value, site);
    // That a variable still holds what it was given is no more than its type.
    return type?.kind === 'instance' ? { ...type, via: 'type' } : type;
  });
}
