import type { ValueFact } from '../../flow-facts.js';
import { definitionAt, type ModuleTable, typesByScope } from '../module-table.js';
import type { Site } from '../scope.js';
import { type Asking, deeper, once } from './asking.js';
import { insideOf, requiredType, selfAt, typeOfDefinition } from './definitions.js';
import { isGetter, memberOfType } from './members.js';
import { namesOf, typeOfText, typeOfWritten } from './read-type.js';
import {
  argumentsIn,
  foundAt,
  isDecidedBy,
  plainScope,
  readSignature,
  readType,
  scopeInside,
  signaturesOf,
  siteInside,
} from './scopes.js';
import { MOST_ASKED, oneOf, oneOfEach, type Type, type TypeArgument, type TypeScope } from './type.js';
import { typeOfFlow, typeOfValue } from './values.js';
import type { WrittenFunction, WrittenType } from './written-type.js';

/** How something is called. */
export interface Call {
  isNew?: boolean;
  /** Type arguments as written. */
  types?: string;
  /** How many arguments there are; absent when that is not known. */
  count?: number | null;
  /** Arguments that can be followed. */
  passed?: readonly (ValueFact | null)[];
  /** Where the call stands. */
  site?: Site;
}

/** What calling a value, or constructing it, gives; null when that is not known. */
export function callResult(ask: Asking, type: Type, call: Call): Type | null {
  return deeper(ask, () => called(ask, type, call));
}

function called(ask: Asking, type: Type, call: Call): Type | null {
  switch (type.kind) {
    case 'class':
      return made(ask, type, call);
    case 'function':
      return resultOf(ask, type, call);
    case 'shape':
      return type.type.kind === 'function'
        ? typeOfWritten(ask, type.type.result, bound(ask, type.type, type.scope, call))
        : type.type.kind === 'object'
          ? agreed(type.type.calls, (one) =>
              typeOfWritten(ask, one.result, bound(ask, one, type.scope, call)),
            )
          : null;
    case 'instance':
      return agreed(callSignatures(ask, type), ({ written, scope }) =>
        typeOfWritten(ask, written.result, bound(ask, written, scope, call)),
      );
    case 'module': {
      const given = requiredType(ask, type);
      return given && callResult(ask, given, call);
    }
    case 'union':
      return oneOfEach(type.of, (one) => one && callResult(ask, one, call));
    case 'both':
      return type.of.map((one) => one && callResult(ask, one, call)).find((one) => one !== null) ?? null;
    default:
      return null;
  }
}

/** An instance: what its constructor is handed may decide what its type parameters are. */
function made(ask: Asking, type: Extract<Type, { kind: 'class' }>, call: Call): Type {
  const args = call.site ? argumentsIn(ask.program, call.types, plainScope(call.site)) : [];
  const table = ask.program.tables.get(type.at.file);
  const constructors = table?.members.get(type.at.definition)?.get('constructor') ?? [];
  const isOpen =
    call.count !== 0 &&
    args.length === 0 &&
    constructors.some((index) => table && definitionAt(table, index).parameters.length > 0);
  return { kind: 'instance', at: type.at, args, isOpen, via: type.via };
}

/** What all signatures give alike; which of several is called is not worked out. */
function agreed<T>(signatures: readonly T[], resultOf: (signature: T) => Type | null): Type | null {
  if (signatures.length === 0) return null;
  const type = oneOfEach(signatures, resultOf);
  return type?.kind === 'union' ? null : type;
}

function resultOf(ask: Asking, type: Extract<Type, { kind: 'function' }>, call: Call): Type | null {
  const found = foundAt(ask.program, type.at);
  if (!found) return null;
  const { table, definition } = found;
  if (isConstructor(table.members.get(type.at.definition), (index) => definitionAt(table, index).form))
    return { kind: 'instance', at: type.at, args: [], isOpen: false, via: 'type' };
  const signatures = signaturesOf(table, type.at.definition);
  return agreed(fitting(signatures, table, call), (index) => {
    const one = definitionAt(table, index);
    if (one.return_type === null && index === type.at.definition) return inferredResult(ask, type);
    if (one.return_type === null) return null;
    const at = { file: type.at.file, definition: index };
    const { self } = insideOf(ask, at, definition, type.self);
    const args = call.site ? argumentsIn(ask.program, call.types, plainScope(call.site)) : [];
    const of = type.receiver ?? self;
    const scope = scopeInside(
      ask.program,
      at,
      one,
      args,
      namesOf(ask, self),
      of,
      isDecidedBy(one.parameters),
    );
    if (args.length === 0 && one.type_parameters !== undefined)
      return typeOfText(ask, one.return_type, inferred(ask, one.parameters, scope, call));
    return typeOfText(ask, one.return_type, scope);
  });
}

/** Without arguments the first signature that needs none is the one that is called; with them it depends on types. */
function fitting(
  signatures: readonly number[],
  table: ModuleTable,
  { count, types }: Call,
): readonly number[] {
  if (count !== 0 || types !== undefined || signatures.length > MOST_ASKED) return signatures;
  const first = signatures.find((index) => {
    const { parameters } = definitionAt(table, index);
    return parameters.length <= MOST_ASKED && parameters.every(({ optional, rest }) => optional || rest);
  });
  return first === undefined ? signatures : [first];
}

/** Before there were classes: a function with methods on its prototype makes instances. */
function isConstructor(
  members: ReadonlyMap<string, readonly number[]> | undefined,
  formOf: (index: number) => string,
): boolean {
  if (!members) return false;
  for (const indexes of members.values())
    if (indexes.some((index) => formOf(index) === 'method')) return true;
  return false;
}

/** What the values that a function returns are, when it does not say. */
function inferredResult(ask: Asking, { at }: Extract<Type, { kind: 'function' }>): Type | null {
  const found = foundAt(ask.program, at);
  if (!found) return null;
  return once(ask, ask.program.caches.results, found.definition, () => {
    const flows = found.table.returns.get(at.definition) ?? [];
    if (flows.length === 0) return null;
    const { is_async, is_generator } = found.definition;
    const type = oneOfEach(flows, (flow) => typeOfFlow(ask, at.file, flow));
    if (type === null || is_generator) return null;
    return is_async ? { kind: 'builtin', name: 'Promise', args: [{ type }] } : type;
  });
}

function bound(ask: Asking, written: WrittenFunction, scope: TypeScope, call: Call): TypeScope {
  if (written.typeParameters.length === 0) return scope;
  const names = new Map(scope.names);
  const args = call.site ? argumentsIn(ask.program, call.types, plainScope(call.site)) : [];
  const within: TypeScope = { ...scope, names };
  written.typeParameters.forEach(({ name, bound: limit, fallback }, index) => {
    names.set(name, args[index] ?? { written: fallback ?? limit, scope: within });
  });
  return args.length > 0 ? within : learned(ask, written.parameters, within, call);
}

function inferred(
  ask: Asking,
  parameters: readonly { type: string | null }[],
  scope: TypeScope,
  call: Call,
): TypeScope {
  const written = parameters.slice(0, call.passed?.length ?? 0).map(({ type }) => ({
    type: type === null ? null : readType(ask.program, type),
  }));
  return learned(ask, written, scope, call);
}

/** Type parameters that are what an argument is: `f<T>(x: T)`, `f<T>(type: new () => T)`. */
function learned(
  ask: Asking,
  parameters: readonly { type: WrittenType | null }[],
  scope: TypeScope,
  { passed, site }: Call,
): TypeScope {
  if (!passed || !site) return scope;
  const names = new Map(scope.names);
  passed.forEach((value, index) => {
    const type = parameters[index]?.type;
    const name = type && learnedName(type);
    if (!value || !name || !scope.names.has(name.name)) return;
    const given = typeOfValue(ask, value, site);
    const made = given && name.isMade ? callResult(ask, given, { isNew: true }) : given;
    if (made) names.set(name.name, { type: made });
  });
  return { ...scope, names };
}

function learnedName(type: WrittenType): { name: string; isMade: boolean } | null {
  if (type.kind === 'name' && type.path.length === 1 && type.args.length === 0)
    return { name: type.path[0] ?? '', isMade: false };
  if (type.kind !== 'function' || !type.isConstructor || type.result?.kind !== 'name') return null;
  return { name: type.result.path[0] ?? '', isMade: true };
}

/** What a called value expects as its argument: what a callback there is handed follows from it. */
export function expectedArgument(ask: Asking, type: Type, argument: number): Type | null {
  return deeper(ask, () => parameter(ask, type, argument, true));
}

/** What a function of this type is handed as its parameter. */
export function parameterType(ask: Asking, type: Type, index: number): Type | null {
  return deeper(ask, () => parameter(ask, type, index, false));
}

function parameter(ask: Asking, type: Type, index: number, isCall: boolean): Type | null {
  switch (type.kind) {
    case 'class': {
      const made = isCall ? constructorOf(ask, type) : null;
      return made && parameter(ask, made, index, isCall);
    }
    case 'function':
      return parameterOfFunction(ask, type, index);
    case 'shape': {
      const { type: shape, scope } = type;
      if (shape.kind === 'function') return parameterIn(ask, shape, scope, index);
      return shape.kind === 'object'
        ? known(shape.calls, (one) => parameterIn(ask, one, scope, index))
        : null;
    }
    case 'instance':
      return known(callSignatures(ask, type), ({ written, scope }) =>
        parameterIn(ask, written, scope, index),
      );
    case 'union':
    case 'both':
      return known(type.of, (one) => one && parameter(ask, one, index, isCall));
    default:
      return null;
  }
}

/** Of several functions that may be meant, those that say anything. */
function known<T>(all: readonly T[], find: (one: T) => Type | null): Type | null {
  if (all.length > MOST_ASKED) return null;
  const told = all.map(find).filter((type) => type !== null && type.kind !== 'primitive');
  return told.length === 0 ? null : oneOf(told);
}

function constructorOf(ask: Asking, type: Extract<Type, { kind: 'class' }>): Type | null {
  const instance: Type = { kind: 'instance', at: type.at, args: [], isOpen: true, via: 'type' };
  const found = memberOfType(ask, instance, 'constructor');
  return found?.at ? typeOfDefinition(ask, found.at, instance) : null;
}

function parameterOfFunction(
  ask: Asking,
  type: Extract<Type, { kind: 'function' }>,
  index: number,
): Type | null {
  const found = foundAt(ask.program, type.at);
  if (!found || isGetter(found.definition)) return null;
  const { table } = found;
  return known(signaturesOf(table, type.at.definition), (signature) => {
    const one = definitionAt(table, signature);
    const { parameters } = one;
    const own = parameters[index] ?? parameters[parameters.length - 1];
    if (!own || own.type === null || (!parameters[index] && !own.rest)) return null;
    const at = { file: type.at.file, definition: signature };
    const self = type.self ?? selfAt(ask, at.file, signature);
    const isDecided = isDecidedBy(parameters, index);
    const scope = scopeInside(ask.program, at, one, [], namesOf(ask, self), self, isDecided);
    const told = typeOfText(ask, own.type, { ...scope, site: siteInside(at, one) });
    return own.rest ? restItem(ask, told, index - parameters.length + 1) : told;
  });
}

function parameterIn(ask: Asking, written: WrittenFunction, scope: TypeScope, index: number): Type | null {
  const { parameters } = written;
  const own = parameters[index] ?? parameters[parameters.length - 1];
  if (!own || (!parameters[index] && !own.rest)) return null;
  const told = typeOfWritten(ask, own.type, bound(ask, written, scope, {}));
  return own.rest ? restItem(ask, told, index - parameters.length + 1) : told;
}

function restItem(ask: Asking, type: Type | null, index: number): Type | null {
  if (type?.kind === 'builtin') return typeOfArgumentAt(ask, type.args[0]);
  if (type?.kind !== 'shape' || type.type.kind !== 'tuple') return null;
  return typeOfWritten(ask, type.type.of[index] ?? null, type.scope);
}

function typeOfArgumentAt(ask: Asking, argument: TypeArgument | undefined): Type | null {
  if (!argument) return null;
  return 'type' in argument ? argument.type : typeOfWritten(ask, argument.written, argument.scope);
}

/** The signatures by which an interface's values can be called. */
function callSignatures(
  ask: Asking,
  type: Extract<Type, { kind: 'instance' }>,
): { written: WrittenFunction; scope: TypeScope }[] {
  const found = foundAt(ask.program, type.at);
  if (found?.definition.subkind !== 'interface') return [];
  const { table, definition } = found;
  const scope = scopeInside(
    ask.program,
    type.at,
    definition,
    type.args,
    new Map(),
    type,
    () => type.isOpen === true,
  );
  const facts = typesByScope.in(table.types.get('()'), type.at.definition);
  if (facts.length > MOST_ASKED) return [];
  return facts.flatMap((fact) => {
    const written = readSignature(ask.program, fact.type);
    return written ? [{ written, scope }] : [];
  });
}
