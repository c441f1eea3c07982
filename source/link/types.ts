import type { ResolutionKind } from '../resolution/resolution.js';
import type { Slot, Sym, UnitView } from './unit-view.js';

/** A type as the linker knows it: a definition of the program, something of a library, or made of others. */
export type Type =
  | { readonly kind: 'named'; readonly symbol: Sym; readonly args: readonly Type[] }
  | {
      readonly kind: 'external';
      readonly package: string;
      readonly name: string;
      readonly args: readonly Type[];
    }
  | { readonly kind: 'parameter'; readonly id: string; readonly bound: Type | null }
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'pointer' | 'list' | 'optional' | 'channel'; readonly of: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly of: Type }
  | {
      readonly kind: 'function';
      readonly parameters: readonly Type[];
      readonly variadic: boolean;
      readonly result: Type;
    }
  | { readonly kind: 'tuple' | 'union'; readonly parts: readonly Type[] }
  /** One of several definitions of one name, and nothing says which: files for different systems, twins in two folders. */
  | { readonly kind: 'either'; readonly parts: readonly Type[] }
  | { readonly kind: 'members'; readonly view: UnitView; readonly scope: number; readonly row: number }
  | { readonly kind: 'unknown' };

/** The id of the type parameter that is what a method is called on. */
export const SELF = 'self';

/** One of several types. What has no members is none of those that matter. */
export function eitherOf(parts: readonly Type[]): Type {
  const flat = parts.flatMap((one) => (one.kind === 'either' ? one.parts : [one]));
  const known = flat.filter((one, at) => flat.findIndex((other) => sameType(one, other) === true) === at);
  const having = known.filter(({ kind }) => kind !== 'builtin');
  const [only = UNKNOWN, ...others] = having.length > 0 ? having : known;
  return others.length === 0 ? only : { kind: 'either', parts: having.length > 0 ? having : known };
}

/** The type of what is not known. */
export const UNKNOWN: Type = { kind: 'unknown' };

/** What type parameters stand for, by their ids. */
export type Substitution = ReadonlyMap<string, Type>;

/** Of what has no type parameters. */
export const NO_SUBSTITUTION: Substitution = new Map();

/** A function that a call may reach. */
export interface Callable {
  /** Null for a function of a library. */
  readonly symbol: Sym | null;
  /** Of a function of a library: its package and dotted name there. */
  readonly external: { readonly package: string; readonly name: string } | null;
  /** Parameters and result, with its own type parameters open. */
  readonly signature: Signature;
  readonly via: ResolutionKind;
  /** Whether it is one of several that are defined under one name: see the type `either`. */
  readonly isEither?: boolean;
}

/** What a function takes and gives. */
export interface Signature {
  readonly typeParameters: readonly string[];
  readonly parameters: readonly Type[];
  /** How many of the parameters have to be given. */
  readonly required: number;
  readonly variadic: boolean;
  readonly result: Type;
  /** How each parameter is given, where arguments have labels or names. */
  readonly slots?: readonly Slot[];
}

/** Whether functions of one name have the same labels: they are of different names where not. */
export function sameLabels({ slots: a }: Signature, { slots: b }: Signature): boolean {
  return !a || !b || (a.length === b.length && a.every(({ label }, at) => b[at]?.label === label));
}

/** A definition that a name leads to, and how. */
export interface Found {
  readonly symbol: Sym;
  readonly via: ResolutionKind;
}

/** What an expression is. */
export type Thing =
  /** A value; `found`: the variables, fields or parameters that it names, if it is no more than a name. */
  | { readonly is: 'value'; readonly type: Type; readonly found: readonly Found[] }
  /** `named`: the definition that a name leads to, where that is another name for the type. */
  | { readonly is: 'type'; readonly type: Type; readonly via: ResolutionKind; readonly named?: Sym }
  /** A package of the program by its key, or of elsewhere by its name; `isFull`: that is written in full. */
  | { readonly is: 'package'; readonly key: string | null; readonly name: string; readonly isFull?: boolean }
  | { readonly is: 'function'; readonly callables: readonly Callable[] }
  /** Something of a library of which no more is known. */
  | { readonly is: 'external'; readonly package: string; readonly name: string }
  | { readonly is: 'unknown' };

/** What nothing is known of. */
export const NOTHING: Thing = { is: 'unknown' };

/** A value of a type. @param found What it is named by. */
export function valueThing(type: Type, found: readonly Found[] = []): Thing {
  return type.kind === 'unknown' && found.length === 0 ? NOTHING : { is: 'value', type, found };
}

/** The type of a thing where it is used as a value, or of a type where it stands as an argument. */
export function typeOfThing(thing: Thing): Type {
  switch (thing.is) {
    case 'value':
    case 'type':
      return thing.type;
    case 'function': {
      const [only, ...others] = thing.callables;
      if (!only || others.length > 0) return UNKNOWN;
      const { parameters, variadic, result } = only.signature;
      return { kind: 'function', parameters, variadic, result };
    }
    default:
      return UNKNOWN;
  }
}

/** Types in types that are followed: a type that holds itself ends there. */
const DEEPEST = 12;

/** Parts that a made type may have: each of them is looked at again wherever the type is. */
const MOST_PARTS = 512;

/** How many parts a type has, written out, and whether a type parameter is one of them. */
interface Measure {
  readonly parts: number;
  readonly isOpen: boolean;
}

const LEAF: Measure = { parts: 1, isOpen: false };
const PARAMETER: Measure = { parts: 1, isOpen: true };
const measures = new WeakMap<Type, Measure>();

/** Measured once: types share their parts, and are asked for again and again. */
function measured(type: Type): Measure {
  if (type.kind === 'parameter') return PARAMETER;
  const inner = partsOf(type);
  if (inner.length === 0) return LEAF;
  const known = measures.get(type);
  if (known) return known;
  let [parts, isOpen] = [1, false];
  for (const one of inner) {
    const found = measured(one);
    parts += found.parts;
    isOpen ||= found.isOpen;
  }
  const made = { parts, isOpen };
  measures.set(type, made);
  return made;
}

function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'named':
    case 'external':
      return type.args;
    case 'pointer':
    case 'list':
    case 'optional':
    case 'channel':
      return [type.of];
    case 'map':
      return [type.key, type.of];
    case 'function':
      return [...type.parameters, type.result];
    case 'tuple':
    case 'union':
    case 'either':
      return type.parts;
    default:
      return [];
  }
}

/** Takes one step of a budget. False when it is spent. */
type Steps = { step(): boolean };
const UNLIMITED: Steps = { step: () => true };

/**
 * A type with what its parameters stand for put in. A part that is shared is made once, and what would have too many
 * parts is not known: written out, types that repeat their arguments grow with a power of their depth.
 */
export function substituted(type: Type, by: Substitution, steps: Steps = UNLIMITED): Type {
  if (by.size === 0) return type;
  const known = new Map<Type, Type>();
  const inner = (one: Type): Type => {
    if (one.kind === 'parameter') {
      const found = by.get(one.id) ?? one;
      // What stands for itself keeps what is known of it.
      return found.kind === 'parameter' && found.bound === null ? { ...found, bound: one.bound } : found;
    }
    if (!measured(one).isOpen) return one;
    let made = known.get(one);
    if (!made) {
      made = steps.step() ? withParts(one, inner) : UNKNOWN;
      if (measured(made).parts > MOST_PARTS) made = UNKNOWN;
      known.set(one, made);
    }
    return made;
  };
  return inner(type);
}

/** A type made of other parts. */
function withParts(type: Type, part: (one: Type) => Type): Type {
  switch (type.kind) {
    case 'named':
    case 'external':
      return { ...type, args: type.args.map(part) };
    case 'pointer':
    case 'list':
    case 'optional':
    case 'channel':
      return { kind: type.kind, of: part(type.of) };
    case 'map':
      return { kind: 'map', key: part(type.key), of: part(type.of) };
    case 'function':
      return { ...type, parameters: type.parameters.map(part), result: part(type.result) };
    case 'tuple':
    case 'union':
    case 'either':
      return { kind: type.kind, parts: type.parts.map(part) };
    default:
      return type;
  }
}

/** A signature with what type parameters stand for put in. */
export function substitutedSignature(signature: Signature, by: Substitution, steps?: Steps): Signature {
  if (by.size === 0) return signature;
  return {
    ...signature,
    parameters: signature.parameters.map((one) => substituted(one, by, steps)),
    result: substituted(signature.result, by, steps),
  };
}

/** Whether two types are written the same; null where one of them is not known well enough. */
export function sameType(a: Type, b: Type, depth = 0): boolean | null {
  if (a === b) return a.kind === 'unknown' ? null : true;
  if (a.kind === 'unknown' || b.kind === 'unknown' || depth > DEEPEST) return null;
  if (a.kind === 'parameter' || b.kind === 'parameter') return null;
  if (a.kind !== b.kind) return false;
  const all = (left: readonly Type[], right: readonly Type[]): boolean | null => {
    if (left.length !== right.length) return false;
    let sure: boolean | null = true;
    for (const [at, one] of left.entries()) {
      const same = sameType(one, right[at] ?? UNKNOWN, depth + 1);
      if (same === false) return false;
      if (same === null) sure = null;
    }
    return sure;
  };
  switch (a.kind) {
    case 'named':
      return b.kind === 'named' && isSameType(a.symbol, b.symbol);
    case 'external':
      return b.kind === 'external' && a.name === b.name && a.package === b.package;
    case 'builtin':
      return b.kind === 'builtin' && a.name === b.name;
    case 'pointer':
    case 'list':
    case 'optional':
    case 'channel':
      return 'of' in b ? sameType(a.of, b.of, depth + 1) : false;
    case 'map':
      return b.kind === 'map' ? all([a.key, a.of], [b.key, b.of]) : false;
    case 'function':
      return b.kind === 'function' ? all([...a.parameters, a.result], [...b.parameters, b.result]) : false;
    case 'tuple':
    case 'union':
    case 'either':
      return 'parts' in b ? all(a.parts, b.parts) : false;
    default:
      return null;
  }
}

/** Whether two definitions are of one type: itself, or what several builds define under one name, each for itself. */
export function isSameType(a: Sym, b: Sym): boolean {
  if (a === b) return true;
  const isOther = a.view.isOfOtherBuild(a.row) || b.view.isOfOtherBuild(b.row);
  if (a.view === b.view || !isOther) return false;
  const [one, other] = [a.view.facts.definitions[a.row], b.view.facts.definitions[b.row]];
  return one?.qualname === other?.qualname && a.view.packageKey === b.view.packageKey;
}

/** What open type parameters have to stand for, so that an argument's type fits a parameter's: the first find stays. */
export function inferred(
  parameter: Type,
  argument: Type,
  open: ReadonlySet<string>,
  by: Map<string, Type>,
  depth = 0,
): void {
  if (depth > DEEPEST || argument.kind === 'unknown') return;
  if (parameter.kind === 'parameter') {
    if (open.has(parameter.id) && !by.has(parameter.id)) by.set(parameter.id, argument);
    // What a function is given for tells what its own parts are.
    if (parameter.bound?.kind === 'function') inferred(parameter.bound, argument, open, by, depth + 1);
    return;
  }
  const each = (left: readonly Type[], right: readonly Type[]) => {
    for (const [at, one] of left.entries()) inferred(one, right[at] ?? UNKNOWN, open, by, depth + 1);
  };
  if ((parameter.kind === 'named' || parameter.kind === 'external') && 'args' in argument)
    each(parameter.args, argument.args);
  else if ('of' in parameter && 'of' in argument) {
    inferred(parameter.of, argument.of, open, by, depth + 1);
    if (parameter.kind === 'map' && argument.kind === 'map')
      inferred(parameter.key, argument.key, open, by, depth + 1);
  } else if (parameter.kind === 'function' && argument.kind === 'function') {
    each(parameter.parameters, argument.parameters);
    inferred(parameter.result, argument.result, open, by, depth + 1);
  } else if ('parts' in parameter && 'parts' in argument) each(parameter.parts, argument.parts);
}
