import type { ValueFact } from '../../flow-facts.js';
import type { Meaning } from '../meaning.js';
import type { DefinitionTarget, ResolutionKind } from '../resolution.js';
import type { Site } from '../scope.js';
import type { WrittenFunction, WrittenObject, WrittenType } from './written-type.js';

/** What a value is, as far as it decides which definition a member of it or a call of it means. */
export type Type =
  /** A class itself, or a namespace or enum. */
  | { kind: 'class'; at: DefinitionTarget; via: ResolutionKind }
  | Instance
  /** A function or method; `self` is what it is a method of, `receiver` an instance that inherits it. */
  | { kind: 'function'; at: DefinitionTarget; self: Type | null; receiver: Type | null; via: ResolutionKind }
  /** What a definition holds whose members are written right there: an object literal. */
  | { kind: 'object'; at: DefinitionTarget; via: ResolutionKind }
  /** An object literal that is no definition. */
  | { kind: 'dict'; entries: Entries; site: Site }
  /** A file, a folder or something foreign. */
  | { kind: 'module'; meaning: Meaning & { kind: 'file' | 'folder' | 'external' } }
  /** What the language brings with it: `Array`, `Map`, `Promise`. */
  | { kind: 'builtin'; name: string; args: readonly TypeArgument[] }
  | {
      kind: 'shape';
      type: WrittenFunction | WrittenObject | { kind: 'tuple'; of: readonly (WrittenType | null)[] };
      scope: TypeScope;
    }
  /** What a call of a function type gives: one that a member of what the language brings with it is. */
  | { kind: 'tuple'; of: readonly (Type | null)[] }
  | { kind: 'primitive' }
  /** One of these; null stands for one that is not known. */
  | { kind: 'union'; of: readonly (Type | null)[] }
  /** All of these at once. */
  | { kind: 'both'; of: readonly (Type | null)[] };

/** An instance of a class or interface. */
export interface Instance {
  kind: 'instance';
  at: DefinitionTarget;
  /** By the order of its type parameters. */
  args: readonly TypeArgument[];
  /** Nobody says what the type parameters are, and they need not be their defaults: `this` inside of its class. */
  isOpen: boolean;
  via: ResolutionKind;
}

/** Keys and values of an object literal. */
export type Entries = readonly (readonly [ValueFact | null, ValueFact | null])[];

/** A type argument: a type, or one that is read when somebody asks for it. */
export type TypeArgument = { type: Type | null } | { written: WrittenType | null; scope: TypeScope };

/** Where the names in a written type are looked up. */
export interface TypeScope {
  site: Site;
  /** Type parameters that stand for something. */
  names: ReadonlyMap<string, TypeArgument>;
  /** What `this` stands for. */
  self: Type | null;
}

/** A member of a value. */
export interface Member {
  /** Whether it is what all names of an index signature stand for. */
  readonly isIndexed?: boolean;
  /** The definition that the member's name means; null when only its type is known. */
  at: (DefinitionTarget & { via: ResolutionKind }) | null;
  /** Something that is no definition: a file, something foreign. */
  meaning?: Meaning;
  type: () => Type | null;
  /** Where the value may be one of several things, each one's own. */
  candidates?: readonly DefinitionTarget[];
}

/** Of more types than these nothing is said: people do not write so many, and each member of all is looked for. */
const MOST_TYPES = 64;

/** One of several types: those that are the same count once, and one that is left is that type. */
export function oneOf(types: readonly (Type | null)[]): Type | null {
  const kept: (Type | null)[] = [];
  for (const type of types)
    for (const one of type?.kind === 'union' ? type.of : [type])
      if (!kept.some((other) => isSame(one, other)) && kept.push(one) > MOST_TYPES) return null;
  return kept.length === 1 ? (kept[0] ?? null) : { kind: 'union', of: kept };
}

/** Of more things than these none is asked: each that names them would ask all of them. */
export const MOST_ASKED = 128;

/** {@link oneOf} what is found for each of some; null where there are too many to ask each. */
export function oneOfEach<T>(all: readonly T[], find: (one: T) => Type | null): Type | null {
  return all.length > MOST_ASKED ? null : oneOf(all.map(find));
}

/** Whether two types are of one class, function or literal; type arguments are not looked at. */
export function isSame(a: Type | null, b: Type | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'primitive') return b.kind === 'primitive';
  if ('at' in a && 'at' in b)
    return a.kind === b.kind && a.at.file === b.at.file && a.at.definition === b.at.definition;
  if (a.kind === 'builtin' && b.kind === 'builtin') return a.name === b.name;
  return (
    a.kind === 'module' && b.kind === 'module' && JSON.stringify(a.meaning) === JSON.stringify(b.meaning)
  );
}
