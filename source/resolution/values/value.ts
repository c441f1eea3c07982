import type { Arguments } from '../../flow-facts.js';
import type { Meaning } from '../meaning.js';
import type { Site } from '../scope.js';

/** What an expression can stand for when a program runs, as far as it can be told without running it. */
export type Value =
  /** A function of the program; `self` is what a method was taken from, `around` the call that its closure is of. */
  | { kind: 'function'; file: string; definition: number; self: Value | null; around: Activation | null }
  /** A class; `orDerived`: or one derived from it, as `type[Base]` says. */
  | { kind: 'class'; file: string; definition: number; orDerived?: boolean }
  /** An instance; `given` is what its constructor was called with, where that is known. */
  | { kind: 'instance'; file: string; definition: number; given: Given | null }
  /** A module, a package folder, or something outside the project. */
  | { kind: 'module'; meaning: Meaning & { kind: 'file' | 'folder' | 'external' } }
  /** A list or tuple by position. */
  | { kind: 'list'; items: readonly Values[]; more: Values }
  | { kind: 'dict'; entries: readonly Entry[] }
  /** A method of a list or dictionary. */
  | { kind: 'builtin'; name: string; self: Value }
  /** What a call of an async function gives before it is awaited. */
  | { kind: 'awaitable'; result: Values }
  | { kind: 'literal'; literal: string | number | null };

/** One entry of a dictionary; key null for one whose key is not known. */
export interface Entry {
  readonly key: string | number | null;
  readonly values: Values;
  /** Whether it hides earlier entries of its key. */
  readonly isSure: boolean;
}

/**
 * What can reach a place. `isOpen`: one of several, or something else besides, so that none of them is a fact. Without
 * it every one of them gets there.
 */
export interface Values {
  readonly all: readonly Value[];
  readonly isOpen: boolean;
}

/** One call of a function: what its parameters stand for. A parameter that is missing got nothing that is known. */
export interface Activation {
  readonly file: string;
  readonly definition: number;
  readonly bound: ReadonlyMap<string, () => Values>;
  /** Whether the arguments of this call are known: only then a parameter that is not bound got none. */
  readonly isWhole: boolean;
  readonly outer: Activation | null;
}

/** Where an expression is worked out. */
export interface Scene {
  readonly site: Site;
  readonly activation: Activation | null;
}

/** Arguments and where they are written. */
export interface Given {
  readonly arguments: Arguments;
  readonly scene: Scene;
}

/** Nothing is known. */
export const UNKNOWN: Values = { all: [], isOpen: true };
/** Nothing that could be called or has members. */
export const NOTHING: Values = { all: [], isOpen: false };

/** The most values that are kept apart: what is fed more is a registry, about which no call says anything. */
export const MOST_VALUES = 24;

/** Exactly this. */
export function only(value: Value): Values {
  return { all: [value], isOpen: false };
}

/** All of these get there. */
export function together(parts: readonly Values[]): Values {
  const all: Value[] = [];
  const seen = new Set<string>();
  for (const part of parts)
    for (const value of part.all) {
      const key = keyOf(value);
      if (key !== null && seen.has(key)) continue;
      if (key !== null) seen.add(key);
      all.push(value);
    }
  if (all.length > MOST_VALUES) return UNKNOWN;
  return { all, isOpen: parts.some((part) => part.isOpen) };
}

/** One of these gets there: no fact, unless all of them are the same. */
export function oneOf(parts: readonly Values[]): Values {
  const { all, isOpen } = together(parts);
  const callable = all.filter((value) => value.kind !== 'literal');
  return { all, isOpen: isOpen || (parts.length > 1 && callable.length > 1) };
}

/** The values with which something more can be done. */
export function eachOf({ all, isOpen }: Values, next: (value: Value) => Values): Values {
  const [first] = all;
  if (all.length === 1 && first) {
    const found = next(first);
    return isOpen && !found.isOpen ? { ...found, isOpen } : found;
  }
  const found = together(all.filter((value) => value.kind !== 'literal').map(next));
  return { ...found, isOpen: found.isOpen || isOpen };
}

/** Names a value that two ways may lead to; null for containers, which are never the same. Closures of one function are one. */
function keyOf(value: Value): string | null {
  switch (value.kind) {
    case 'function':
      return `f${value.file}\0${value.definition}\0${value.self ? keyOf(value.self) : ''}`;
    case 'class':
    case 'instance':
      return `${value.kind}${value.file}\0${value.definition}`;
    case 'module':
      return JSON.stringify({ ...value.meaning, via: null });
    case 'literal':
      return `l${typeof value.literal}${value.literal}`;
    default:
      return null;
  }
}
