import type { LinkedUnits, Program } from '../resolution/program.js';
import type { ResolutionKind } from '../resolution/resolution.js';
import type { Library, LibraryMember } from './library.js';
import type { Signature, Substitution, Thing, Type } from './types.js';
import type { Sym, UnitView } from './unit-view.js';

/** What a name is asked for: what a value can be, what can be called, what either of both can be, or what a type can be. */
export type Space = 'value' | 'call' | 'term' | 'type';

/** Whether what a name means fits where it stands; where not what is farther out may. */
export type Accepts = (thing: Thing) => boolean;

/** A module of a tree: a file, or a module in it by its scope. */
export interface Place {
  readonly view: UnitView;
  readonly scope: number;
}

/** One member of a type. */
export type Member =
  | {
      readonly kind: 'symbol';
      readonly symbol: Sym;
      /** What the type parameters of the type that has it stand for. */
      readonly by: Substitution;
      readonly inherited: boolean;
      /** Whether it is of one of several types of one name. */
      readonly isEither?: boolean;
    }
  | {
      readonly kind: 'library';
      readonly member: LibraryMember;
      readonly package: string;
      /** Dotted, in its package: `Request.Context`. */
      readonly name: string;
      readonly by: Substitution;
    }
  /** Of a type of elsewhere of which no more is known. */
  | { readonly kind: 'external'; readonly package: string; readonly name: string };

/**
 * What the parts of the linker ask of each other. Answers are found once for each file that is resolved; those about
 * symbols of other files once for the program.
 */
export interface LinkContext {
  readonly program: Program;
  readonly units: LinkedUnits;
  /** The file that is resolved. */
  readonly own: UnitView;
  /** The unit of a file of the same family of languages; its look-up is recorded. */
  view(path: string): UnitView | null;
  library(view: UnitView): Library;
  /** What an expression is. */
  thing(view: UnitView, expression: number): Thing;
  /** What the callee of a call is. */
  callee(view: UnitView, call: number): Thing;
  /** What a written type's name leads to. */
  typeThing(view: UnitView, row: number): Thing;
  /** What a written type is. */
  type(view: UnitView, row: number): Type;
  /** What is expected of an unnamed function: what it takes and gives. */
  expected(view: UnitView, expression: number): Signature | null;
  /** What an argument of a call is expected to be: one type for each function that the call can mean. */
  argumentTypes(view: UnitView, call: number, at: number): readonly Type[];
  bindingType(view: UnitView, row: number): Type;
  /** What a binding of any kind is. */
  bindingThing(view: UnitView, row: number, space: Space): Thing;
  /** The type of a variable, field or constant. */
  symbolType(symbol: Sym): Type;
  signature(symbol: Sym): Signature;
  symbolThing(symbol: Sym, via: ResolutionKind): Thing;
  /** What stands under a name in a scope, or around it, from the offset `at` on. */
  lookUp(view: UnitView, scope: number, name: string, at: number, space: Space, accepts?: Accepts): Thing;
  /** What stands under a name in a package, a type or a value. */
  memberOf(view: UnitView, owner: Thing, name: string, space: Space): Thing;
  /** What an import binds, of a language whose imports are paths. */
  imported(view: UnitView, binding: number, space: Space): Thing;
  /** The type that an extension extends, by its row. */
  extended(view: UnitView, extension: number): Type;
  /** Of a language of libraries: what a name at the top of a file means. */
  inLibrary(view: UnitView, name: string, space: Space): Thing;
  /** What a package of the program has under a name. */
  packageMember(from: UnitView, key: string, name: string, space: Space): Thing;
  /** The members of a type under a name: several where functions share it. */
  members(view: UnitView, type: Type, name: string, space: Space): readonly Member[];
  memberThing(members: readonly Member[], from: UnitView, via: ResolutionKind | null): Thing;
  /** All that an open type says that it derives from, by any of its parts. */
  basesOf(type: Type): readonly Type[];
  /** What a type directly derives from or embeds. */
  supertypes(type: Type): readonly Type[];
  /** A type and all behind it: the classes first, each once. */
  ancestors(type: Type): readonly Type[];
  /** What a named type stands for, where it stands for another one. */
  underlying(type: Type): Type;
  /** Of a language of paths: the module that declares the one that a file is; null for a root. */
  declaredIn(view: UnitView): Place | null;
  /** Of a language of programs: the files that a file includes; of one of libraries those of the library that it begins. */
  includes(view: UnitView): readonly string[];
  /** Of a language of programs: the file and all that it includes; of one of libraries those whose extensions it sees. */
  included(view: UnitView): ReadonlySet<string>;
  /** Of a symbol that is declared what is defined under its name; else itself. */
  definitions(symbol: Sym): readonly Sym[];
  /** Takes one step of the file's budget. False when it is spent. */
  step(): boolean;
}
