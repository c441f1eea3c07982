import { writtenType } from './read-text.js';
import type { WrittenType } from './written-type.js';

/**
 * The members of what the language brings with it, as far as they hand on what is put in: only what a type can be
 * followed through. After the ECMAScript standard.
 */
const LISTS = `
  find findLast: (test: (item: T, index: number, all: T[]) => unknown) => T
  at pop shift: (index?: number) => T
  forEach some every findIndex findLastIndex: (call: (item: T, index: number, all: T[]) => unknown) => void
  filter: (test: (item: T, index: number, all: T[]) => unknown) => T[]
  map: <U>(call: (item: T, index: number, all: T[]) => U) => U[]
  flatMap: <U>(call: (item: T, index: number, all: T[]) => U[]) => U[]
  reduce reduceRight: <U>(call: (sum: U, item: T, index: number, all: T[]) => U, first: U) => U
  sort toSorted: (order: (a: T, b: T) => number) => T[]
  slice concat reverse toReversed splice toSpliced fill with: (...items: unknown[]) => T[]
  values: () => Iterable<T>
  entries: () => Iterable<[number, T]>
  push unshift: (...items: T[]) => number`;

const MEMBERS: Readonly<Record<string, readonly [parameters: string, members: string]>> = {
  Array: ['T', LISTS],
  Iterable: [
    'T',
    `next: () => { value: T }
  forEach: (call: (item: T, index: number) => unknown) => void
  filter: (test: (item: T, index: number) => unknown) => Iterable<T>
  map: <U>(call: (item: T, index: number) => U) => Iterable<U>
  find: (test: (item: T) => unknown) => T
  toArray: () => T[]`,
  ],
  Set: [
    'T',
    `forEach: (call: (item: T, key: T, all: Set<T>) => unknown) => void
  values keys: () => Iterable<T>
  add: (item: T) => Set<T>`,
  ],
  Map: [
    'K, V',
    `get: (key: K) => V
  set: (key: K, value: V) => Map<K, V>
  forEach: (call: (value: V, key: K, all: Map<K, V>) => unknown) => void
  keys: () => Iterable<K>
  values: () => Iterable<V>
  entries: () => Iterable<[K, V]>`,
  ],
  WeakMap: [
    'K, V',
    `get: (key: K) => V
  set: (key: K, value: V) => WeakMap<K, V>`,
  ],
  WeakRef: ['T', 'deref: () => T'],
  Promise: [
    'T',
    `then: <U>(done: (value: T) => U, failed?: (reason: unknown) => unknown) => Promise<U>
  catch finally: (call: (reason: unknown) => unknown) => Promise<T>`,
  ],
};

/** Other names of the same things, as far as their members go. */
const SAME: Readonly<Record<string, string>> = {
  ReadonlyArray: 'Array',
  ReadonlySet: 'Set',
  WeakSet: 'Set',
  ReadonlyMap: 'Map',
  PromiseLike: 'Promise',
  Iterator: 'Iterable',
  IterableIterator: 'Iterable',
  IteratorObject: 'Iterable',
  ArrayIterator: 'Iterable',
  MapIterator: 'Iterable',
  SetIterator: 'Iterable',
  Generator: 'Iterable',
  AsyncIterable: 'Iterable',
  AsyncIterator: 'Iterable',
  AsyncIterableIterator: 'Iterable',
  AsyncGenerator: 'Iterable',
  Record: 'Record',
};

/** The name by which {@link libraryMember} knows a global type; null for one whose members tell nothing. */
export function libraryName(name: string): string | null {
  const same = SAME[name] ?? name;
  return same === 'Record' || Object.hasOwn(MEMBERS, same) ? same : null;
}

/** The type parameters of a library type. */
export function libraryParameters(name: string): readonly string[] {
  return MEMBERS[name]?.[0].split(', ') ?? [];
}

const READ: ReadonlyMap<string, ReadonlyMap<string, WrittenType | null>> = new Map(
  Object.entries(MEMBERS).map(([name, [, text]]) => [name, membersIn(text)]),
);

/** The type of a member of a library type, in terms of its parameters. */
export function libraryMember(name: string, member: string): WrittenType | null {
  return READ.get(name)?.get(member) ?? null;
}

function membersIn(text: string): ReadonlyMap<string, WrittenType | null> {
  const members = new Map<string, WrittenType | null>();
  for (const line of text.trim().split('\n')) {
    const colon = line.indexOf(':');
    const type = writtenType(line.slice(colon + 1));
    for (const name of line.slice(0, colon).trim().split(' ')) members.set(name, type);
  }
  return members;
}
