import type { ModuleSystemName } from '../modules/index.js';

/**
 * What the linker has to know of a language: data, so that a language is added without a line of the linker. All of it
 * is optional where a language lacks the thing.
 */
export interface LinkRules {
  /** The module system that its files are found by: see `source/modules`. */
  readonly modules: ModuleSystemName;
  /**
   * What a package is, whose names its files see without an import: the files of one folder that say one name, all
   * files that say one name, or each file alone.
   */
  readonly package: 'folder' | 'written' | 'file';
  /** Whether types, values and functions of one name live apart, so that one does not hide the other. */
  readonly namespaces: 'one' | 'apart';
  /** Whether the body of a type, and what it encloses, sees its members by their bare names, inherited ones included. */
  readonly membersInScope: boolean;
  /** Whether several functions of one name in one type are told apart by their parameters. */
  readonly overloads: boolean;
  /** How a type comes to satisfy an interface: it says so, or it has the methods. */
  readonly satisfaction: 'written' | 'implicit';
  /**
   * Whether what a type extends is only embedded in it: it lends its members, and where the type has one of its own that
   * one runs in nobody's place. What an interface extends is required by it, also here.
   */
  readonly embedding?: boolean;
  /** Packages whose names every file sees: `java.lang`. */
  readonly implicitImports: readonly string[];
  /** The package that built-in types and functions are said to be of: `builtin`. */
  readonly builtinPackage: string;
  /** What every type derives from, by the library's name: `java.lang.Object`; empty without any. */
  readonly rootType: string;
  /** The type of the library, with one parameter, that has the members of lists that are written in place: arrays. */
  readonly listType?: string;
  /** What enums and records derive from without saying so. */
  readonly enumType: string;
  /** The types of literals that are types of the library: `{ string: 'java.lang.String' }`. */
  readonly literals: Readonly<Record<string, string>>;
  /** The built-in type of what is true or false. */
  readonly truth: string;
  /** Built-in number types, each of which can be given where a later one is expected. Empty: only equal ones can. */
  readonly widening: readonly string[];
  /** Built-in types and the library's types that hold them. */
  readonly boxes: Readonly<Record<string, string>>;
  /** The methods that iteration calls in turn: `['iterator', 'next']`; empty where only built-in types are iterated. */
  readonly iteration: readonly string[];
  /**
   * What is known of built-in and of much used library functions and types: see `library.ts` for how it is written.
   * Only what a type leads through is worth a line: `http.NewRequest` gives a `*http.Request`.
   */
  readonly library: string;
}
