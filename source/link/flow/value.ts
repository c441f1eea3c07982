import type { ResolutionKind } from '../../resolution/resolution.js';
import type { Sym, UnitView } from '../unit-view.js';

/** What an expression can be when a program runs, as far as it is known without running it. */
export type Value =
  /** A function of the program; `self`: what a method was taken from; `around`: the call that its closure is of. */
  | {
      readonly kind: 'function';
      readonly symbol: Sym;
      readonly self: Value | null;
      readonly around: CallFrame | null;
      readonly via: ResolutionKind;
    }
  /** A class; `orDerived`: or one that derives from it, as `type[Base]` says. */
  | {
      readonly kind: 'class';
      readonly symbol: Sym;
      readonly orDerived: boolean;
      readonly via: ResolutionKind;
    }
  /** An instance; `made`: what its constructor was called with, where that is known. */
  | {
      readonly kind: 'instance';
      readonly symbol: Sym;
      readonly made: CallArguments | null;
      readonly via: ResolutionKind;
    }
  | ModuleValue
  /** A list or tuple by position, and what more is in it; `type`: what of a library it is said to be. */
  | {
      readonly kind: 'list';
      readonly items: readonly ValueSet[];
      readonly more: ValueSet;
      readonly type?: ExternalValue;
    }
  | { readonly kind: 'dictionary'; readonly entries: readonly Entry[]; readonly type?: ExternalValue }
  /** A method of a container. */
  | { readonly kind: 'container method'; readonly name: string; readonly self: Value }
  /** What a call of an asynchronous function gives before it is awaited. */
  | { readonly kind: 'awaitable'; readonly result: ValueSet }
  | { readonly kind: 'literal'; readonly literal: string | number | null };

/** What a name leads to that is no symbol of the program. */
export type ModuleValue =
  /** A file of the program as a namespace. */
  | { readonly kind: 'module'; readonly path: string; readonly via: ResolutionKind }
  /** A folder on the way to a module. */
  | { readonly kind: 'folder'; readonly folder: string; readonly via: ResolutionKind }
  /** Something of a package outside the project; `name` is dotted, empty for the package itself. */
  | {
      readonly kind: 'external';
      readonly package: string;
      readonly name: string;
      readonly via: ResolutionKind;
    };

/** Something of a package outside the project: a module, a function, a class, an instance of one. */
export type ExternalValue = ModuleValue & { readonly kind: 'external' };

/** A value that is an instance of a class of the program, or that class. */
export type ClassValue = Value & { readonly kind: 'class' | 'instance' };

/** One entry of a dictionary; `key` null for one whose key is not known. */
export interface Entry {
  readonly key: string | number | null;
  readonly values: ValueSet;
  /** Whether it hides earlier entries of its key. */
  readonly isSure: boolean;
}

/**
 * The values that can reach a place. `incomplete`: the actual value is one of several, or something else, so that none of
 * them is a fact. Without it every one of them gets there.
 */
export interface ValueSet {
  readonly all: readonly Value[];
  readonly incomplete: boolean;
}

/** One call of a function: what its parameters stand for. A parameter that is missing got nothing that is known. */
export interface CallFrame {
  readonly symbol: Sym;
  /** By the rows of the parameters' bindings. */
  readonly bound: ReadonlyMap<number, () => ValueSet>;
  /** Whether the arguments of this call are known: only then a parameter that is not bound got none. */
  readonly isWhole: boolean;
  readonly outer: CallFrame | null;
}

/** The arguments of a call, and the frame in which they are evaluated. */
export interface CallArguments {
  readonly view: UnitView;
  /** The row of the call; -1 for a call without arguments that is written nowhere: of a property. */
  readonly call: number;
  readonly frame: CallFrame | null;
}

/** Nothing is known. */
export const UNKNOWN: ValueSet = { all: [], incomplete: true };
/** Nothing that can be called or has members. */
export const NOTHING: ValueSet = { all: [], incomplete: false };

/** The most values that are listed: what receives more is a registry, whose calls cannot be resolved. */
export const MOST_VALUES = 24;

/** Exactly this. */
export function only(value: Value): ValueSet {
  return { all: [value], incomplete: false };
}

/** All of these get there. */
export function together(parts: readonly ValueSet[]): ValueSet {
  const [single, ...others] = parts;
  if (single && others.length === 0) return single.all.length > MOST_VALUES ? UNKNOWN : single;
  const all: Value[] = [];
  const incomplete = parts.some((part) => part.incomplete);
  for (const part of parts)
    for (const value of part.all) if (!all.some((one) => isSame(one, value))) all.push(value);
  return all.length > MOST_VALUES ? UNKNOWN : { all, incomplete };
}

/** One of these gets there: no fact, unless all of them are the same. */
export function oneOf(parts: readonly ValueSet[]): ValueSet {
  const { all, incomplete } = together(parts);
  if (incomplete || parts.length < 2) return { all, incomplete };
  return { all, incomplete: all.filter((value) => value.kind !== 'literal').length > 1 };
}

/** What can be done with each of the values. */
export function eachOf({ all, incomplete }: ValueSet, next: (value: Value) => ValueSet): ValueSet {
  const [first] = all;
  if (all.length === 1 && first) {
    const found = next(first);
    return incomplete && !found.incomplete ? { ...found, incomplete } : found;
  }
  const found = together(all.filter((value) => value.kind !== 'literal').map(next));
  return { ...found, incomplete: found.incomplete || incomplete };
}

/** The values as one of several. */
export function uncertain(values: ValueSet): ValueSet {
  return { ...values, incomplete: values.incomplete || values.all.length > 1 };
}

const STRENGTH: Readonly<Record<ResolutionKind, number>> = { exact: 0, import: 1, type: 2, name: 3 };

/** The weaker of two ways of finding something: the weakest step decides how the whole was found. */
export function weaker(one: ResolutionKind, other: ResolutionKind): ResolutionKind {
  return STRENGTH[other] > STRENGTH[one] ? other : one;
}

/** A value as found by a further step. */
export function weakened(value: Value, via: ResolutionKind): Value {
  if (!('via' in value) || STRENGTH[via] <= STRENGTH[value.via]) return value;
  return { ...value, via };
}

/** The values as they are where they arrive by an assignment, as an argument or a result. */
export function inferred({ all, incomplete }: ValueSet): ValueSet {
  return { all: all.map((value) => weakened(value, 'type')), incomplete };
}

/** Whether two values are the same, however they were found; containers never are. Closures of one function are one. */
export function isSame(a: Value, b: Value): boolean {
  switch (a.kind) {
    case 'function':
      if (b.kind !== 'function' || a.symbol !== b.symbol) return false;
      return a.self === null || b.self === null ? a.self === b.self : isSame(a.self, b.self);
    case 'class':
    case 'instance':
      return b.kind === a.kind && a.symbol === b.symbol;
    case 'module':
      return b.kind === 'module' && a.path === b.path;
    case 'folder':
      return b.kind === 'folder' && a.folder === b.folder;
    case 'external':
      return b.kind === 'external' && a.package === b.package && a.name === b.name;
    case 'literal':
      return b.kind === 'literal' && a.literal === b.literal;
    default:
      return false;
  }
}
