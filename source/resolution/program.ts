import type { Definition, Reference } from '../facts.js';
import type { FlowFact } from '../flow-facts.js';
import type { Wanting } from '../link/places.js';
import type { ModulePlaces } from '../modules/index.js';
import { Ancestors, inTurn } from './ancestors.js';
import { FollowedNames } from './followed-names.js';
import { type LookupKey, Lookups, type Remembered } from './lookups.js';
import type { Meaning, Space } from './meaning.js';
import type { ImportBinding, ModuleTable } from './module-table.js';
import type { NpmPlaces } from './npm/index.js';
import { type Places, stemKey } from './places.js';
import type { ImportTarget } from './resolution.js';
import type { Type, TypeParameter, WrittenFunction, WrittenType } from './script/index.js';
import type { StarCircle, StarNames, StarredFile } from './star-names.js';

/** Where the names of a file are found by its path. May load what it is asked for; must give the same for the same path. */
export type ModuleTables = Pick<ReadonlyMap<string, ModuleTable>, 'get'>;

/**
 * The facts of all files made ready for looking things up. Every look is noted in `lookups`; the caches hold only
 * what follows from tables and places, so that a program is thrown away when either changes: it costs nothing to make.
 */
export interface Program {
  readonly tables: ModuleTables;
  readonly paths: Pick<ReadonlySet<string>, 'has'>;
  readonly npm: NpmPlaces;
  /** See {@link Places.derived}. */
  readonly derived: Pick<Places['derived'], 'get'>;
  readonly units: LinkedUnits;
  /** See {@link Places.documents}. */
  readonly documents: Pick<Places['documents'], 'get'>;
  readonly lookups: Lookups;
  readonly caches: Caches;
}

/** Where units are found: see {@link Places.units}. */
export interface LinkedUnits {
  /** The files of a package, or the packages of a folder, by the key. */
  files(key: string): readonly string[];
  /** The files of a package that define a name or give it members: the key of the package, `#`, the name. */
  named(name: string): readonly string[];
  /** The interfaces that are found by a method: the family, `#`, the name. */
  withInterface(method: string): readonly Wanting[];
  readonly modules: ModulePlaces;
}

/** Answers found before, by keys that name the whole question. */
export interface Caches {
  /** By importing folder and specifier. */
  readonly imports: Map<string, Remembered<ImportTarget>>;
  /** By file, space and exported name. */
  readonly exported: FollowedNames<Meaning>;
  /** By file. */
  readonly stars: Map<string, Remembered<StarNames | null>>;
  /** By file. */
  readonly starsOf: Map<string, Remembered<readonly StarredFile[]>>;
  /** The last one that was asked for. */
  readonly starCircle: Map<'last', Remembered<StarCircle>>;
  /** By file and name. */
  readonly starFiles: Map<string, Remembered<readonly string[]>>;
  readonly ancestors: Ancestors<Definite, string, ClassMeaning>;
  /** By the binding, for values and for types. */
  readonly imported: Readonly<Record<Space, Map<ImportBinding, Remembered<Meaning | null>>>>;
  /** By what is asked of a script's types: a flow, a call, a function's result, an alias, a variable, a field, a module. */
  readonly flows: TypeCache<FlowFact>;
  readonly calls: TypeCache<Reference>;
  readonly results: TypeCache<Definition>;
  readonly aliases: TypeCache<Definition>;
  readonly variables: TypeCache<Definition>;
  /** Of variables that are members of an instance whose type parameters are open. */
  readonly openVariables: TypeCache<Definition>;
  readonly fields: TypeCache<string>;
  readonly required: TypeCache<string>;
  /** Types by their text; they depend on nothing else. */
  readonly written: Map<string, WrittenType | null>;
  readonly typeParameters: Map<string, readonly TypeParameter[]>;
  readonly typeArguments: Map<string, readonly (WrittenType | null)[]>;
  readonly signatures: Map<string, WrittenFunction | null>;
}

/** Types found before, by what was asked of. */
export type TypeCache<K> = Map<K, Remembered<Type | null>>;

/** A class or interface of the program, or an object literal. */
export type ClassMeaning = Meaning & { kind: 'definition' | 'instance' };

type Definite = Meaning & { kind: 'definition' };

/** One class in a class's method resolution order; null stands for one that the program does not know. */
export type Ancestor = Definite | null;

/** What a class is cached by. */
export function keyOf(owner: ClassMeaning): string {
  return `${owner.file}\0${owner.definition}`;
}

/** A program over these tables and places. */
export function createProgram(tables: ModuleTables, places: Places): Program {
  const lookups = new Lookups();
  const { python } = places.modules;
  const paths = { has: noting(lookups, stemKey, (path) => places.paths.has(path)) };
  return {
    tables: {
      get: noting(
        lookups,
        (path) => `file:${path}`,
        (path) => tables.get(path),
      ),
    },
    paths,
    npm: places.npm,
    derived: {
      get: noting(
        lookups,
        (name) => `derived:${name}`,
        (name) => places.derived.get(name),
      ),
    },
    documents: {
      get: noting(
        lookups,
        (key) => `document:${key}`,
        (key) => places.documents.get(key),
      ),
    },
    units: {
      files: noting(
        lookups,
        (key) => `package:${key}`,
        (key) => places.units.packages.get(key) ?? [],
      ),
      named: noting(
        lookups,
        (name) => `name:${name}`,
        (name) => {
          // Folders can have the sign in their names.
          const at = name.lastIndexOf('#');
          return places.units.named(name.slice(0, at), name.slice(at + 1));
        },
      ),
      withInterface: noting(
        lookups,
        (method) => `has:${method}`,
        (method) => places.units.withInterface(method),
      ),
      modules: {
        ...places.modules,
        python: {
          layout: { paths, projects: python.layout.projects },
          folders: {
            has: noting(
              lookups,
              (folder) => `folder:${folder}`,
              (folder) => python.folders.has(folder),
            ),
          },
          roots: {
            get: noting(
              lookups,
              (first) => `root:${first}`,
              (first) => python.roots.get(first),
            ),
          },
        },
      },
    },
    lookups,
    caches: {
      imports: new Map(),
      exported: new FollowedNames(lookups),
      stars: new Map(),
      starsOf: new Map(),
      starCircle: new Map(),
      starFiles: new Map(),
      ancestors: new Ancestors(lookups, { keyOf, merged: (lists) => inTurn(lists, keyOf) }),
      imported: { value: new Map(), type: new Map() },
      flows: new Map(),
      calls: new Map(),
      results: new Map(),
      aliases: new Map(),
      variables: new Map(),
      openVariables: new Map(),
      fields: new Map(),
      required: new Map(),
      written: new Map(),
      typeParameters: new Map(),
      typeArguments: new Map(),
      signatures: new Map(),
    },
  };
}

/** Looks once for each name; every time is noted. */
function noting<T>(
  lookups: Lookups,
  key: (name: string) => LookupKey,
  look: (name: string) => T,
): (name: string) => T {
  const known = new Map<string, { readonly number: number; readonly value: T }>();
  return (name) => {
    let found = known.get(name);
    if (found === undefined) {
      found = { number: lookups.numberOf(key(name)), value: look(name) };
      known.set(name, found);
    }
    lookups.note(found.number);
    return found.value;
  };
}
