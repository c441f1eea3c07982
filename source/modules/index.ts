import { directoryOf } from '../resolution/file-path.js';
import type { ImportTarget } from '../resolution/resolution.js';
import { isPythonStandard } from '../resolution/standard-library.js';
import {
  type CargoCrates,
  type CargoModule,
  cargoCrates,
  cargoDeclared,
  cargoDeclaring,
  cargoModuleName,
  cargoRoots,
  isCargoForeign,
  isCargoStandard,
} from './cargo.js';
import {
  chosenLoad,
  type GemModule,
  gemNames,
  gemOf,
  gemOfConstant,
  isRubyStandard,
  loadedName,
} from './gem.js';
import { type GoModule, type GoModules, goFolders, goModules, goPackageName, isGoStandard } from './go.js';
import { includePackage } from './include.js';
import { isJvmStandard, type JvmModule, jvmGroups, jvmPackageName, jvmPackageOf } from './jvm.js';
import { luaFiles } from './lua.js';
import { type PubPackages, pubFiles, pubPackage, pubPackages, pubShownName } from './pub.js';
import {
  moduleBelow,
  type PythonIndex,
  type PythonModules,
  projectModule,
  pythonImport,
  pythonModules,
} from './python.js';
import {
  isSwiftStandard,
  type SwiftPackage,
  type SwiftTargets,
  swiftModule,
  swiftTargets,
} from './swiftpm.js';

export { type CargoModule, cargoProblem, readCargoModule } from './cargo.js';
export { type GemModule, isGemFile, readGemModule } from './gem.js';
export { type GoModule, goModuleProblem, readGoModule } from './go.js';
export { chosenInclude } from './include.js';
export { isJvmBuildFile, type JvmModule, jvmBuildProblem, readJvmModule } from './jvm.js';
export { readPubName } from './pub.js';
export { moduleBelow, type PythonLayout, type PythonModules, pythonSourceRoot } from './python.js';
export { readSwiftPackage, type SwiftPackage, swiftPackageProblem } from './swiftpm.js';

/** What the manifests of a project say of its modules, as far as units are found by it. */
export interface ModulePlaces {
  readonly go: GoModules;
  readonly cargo: CargoCrates;
  /** Groups of what build files of the JVM depend on, the longest first. */
  readonly groups: readonly string[];
  /** Gems that the project depends on. */
  readonly gems: readonly string[];
  readonly pub: PubPackages;
  readonly python: PythonModules;
  readonly swift: SwiftTargets;
}

/** {@link ModulePlaces} with all that is in them. */
export interface ModuleIndex extends ModulePlaces {
  readonly python: PythonIndex;
}

/** What {@link modulePlaces} reads of a manifest. */
interface Manifest {
  readonly ecosystem: string;
  readonly directory: string;
  readonly name: string | null;
  readonly go?: GoModule;
  readonly cargo?: CargoModule;
  readonly jvm?: JvmModule;
  readonly swift?: SwiftPackage;
  readonly gem?: GemModule;
}

/** Where a project's modules are. @param paths All of its files. */
export function modulePlaces(manifests: readonly Manifest[], paths: ReadonlySet<string>): ModuleIndex {
  return {
    go: goModules(manifests),
    cargo: cargoCrates(manifests),
    groups: jvmGroups(manifests),
    gems: gemNames(manifests),
    pub: pubPackages(manifests),
    python: pythonModules(paths, manifests),
    swift: swiftTargets(manifests),
  };
}

/** How the imports of a language name packages: one system for each file. */
export interface ModuleSystem {
  /**
   * The keys of packages of the project, or of folders that hold them, that the module of an import may name, the
   * surest first.
   */
  packageKeys(places: ModulePlaces, from: string, module: string): readonly string[];
  /** The package that something imported from outside of the project is of, as the library calls it. */
  packageOf(module: string): string;
  /** What the graph calls a package from outside. */
  shownName(places: ModulePlaces, name: string): string;
  isStandard(name: string): boolean;
  /**
   * What names of modules are called: the package in a folder, or the one that is written. Null where each file is a module
   * that is called by its path.
   */
  qualifiedName(places: ModulePlaces, path: string, written: string): string | null;
  readonly files: FileModules;
  /** Of a system whose files load others by their names. */
  readonly loads?: {
    /** The last part of the path of the file that is loaded. */
    fileOf(module: string): string;
    /** Which of the files of that name it is; null for one of elsewhere. */
    chosen(from: string, module: string, candidates: readonly string[]): string | null;
    /** The package that has a name that the project lacks, of those that it depends on or that a file loads; null for none. */
    packageWith(places: ModulePlaces, loaded: readonly string[], name: string): string | null;
  };
  /** Of a system whose modules are a tree. */
  readonly tree?: ModuleTree;
  /**
   * Of a system in which files do not say which module they are of, but a manifest does: that module; null where none does. A file
   * sees all of its own module, and of the others those that it imports.
   */
  readonly moduleOf?: (places: ModulePlaces, path: string) => string | null;
}

/** How the files of a tree of modules are found: each file says which modules are below its own. */
export interface ModuleTree {
  /** The files that a module may be that a file declares, the surest first. */
  declared(from: string, module: string): readonly string[];
  /** The files that may declare a file. */
  declaring(places: ModulePlaces, path: string): readonly string[];
  /** The files at the root of the tree that a file sees under a name. */
  roots(places: ModulePlaces, from: string, name: string): readonly string[];
  /** Whether a name is that of a tree from outside of the project. */
  isForeign(places: ModulePlaces, from: string, name: string): boolean;
}

/** How names lead to files where each file is a module. */
export interface FileModules {
  /** The module of the project that an import names, seen from a file. */
  find(places: ModulePlaces, from: string, module: string): FileModule | null;
  /** The module of a dotted name below a folder. */
  below(places: ModulePlaces, folder: string, dotted: string): FileModule | null;
  /** What an import's module is: a file, the package that it comes from, or not known. */
  target(places: ModulePlaces, from: string, module: string): ImportTarget;
}

/** A module of the project: a file, or a folder on the way to one. */
export type FileModule = { readonly file: string } | { readonly folder: string };

/** Of packages that are many files. */
const NO_FILES: FileModules = {
  find: () => null,
  below: () => null,
  target: (_, __, module) => ({ unresolved: module }),
};

const systems = {
  go: {
    packageKeys: ({ go }, from, module) => goFolders(go, from, module).map((folder) => `go:${folder}`),
    packageOf: (module) => module,
    shownName: (_, name) => name,
    isStandard: isGoStandard,
    qualifiedName: ({ go }, path, written) =>
      goPackageName(go, directoryOf(path)) + (written.endsWith('_test') ? '_test' : ''),
    files: NO_FILES,
  },
  jvm: {
    packageKeys: (_, __, module) => [`jvm:${module}`],
    packageOf: jvmPackageOf,
    shownName: ({ groups }, name) => (isJvmStandard(name) ? name : jvmPackageName(groups, name)),
    isStandard: isJvmStandard,
    qualifiedName: (_, __, written) => written,
    files: NO_FILES,
  },
  cargo: {
    packageKeys: () => [],
    packageOf: (module) => (/^\w*/.exec(module)?.[0] ?? '').replace(/^(?:core|alloc)$/, 'std'),
    shownName: (_, name) => name.split('.', 1)[0] ?? name,
    isStandard: isCargoStandard,
    qualifiedName: ({ cargo }, path) => cargoModuleName(cargo, path),
    files: NO_FILES,
    tree: {
      declared: cargoDeclared,
      declaring: ({ cargo }, path) => cargoDeclaring(cargo, path),
      roots: ({ cargo }, from, name) => cargoRoots(cargo, from, name),
      isForeign: ({ cargo }, from, name) => isCargoForeign(cargo, from, name),
    },
  },
  python: {
    packageKeys: () => [],
    packageOf: (module) => module,
    shownName: (_, name) => name,
    isStandard: isPythonStandard,
    qualifiedName: () => null,
    files: {
      find: ({ python }, from, module) => projectModule(python, from, module),
      below: ({ python }, folder, dotted) => moduleBelow(python, folder, dotted),
      target: ({ python }, from, module) => pythonImport(python, from, module),
    },
  },
  composer: {
    packageKeys: (_, __, module) => [`composer:${module}`],
    packageOf: (module) => module,
    shownName: (_, name) => name,
    isStandard: (name) => name === 'php',
    qualifiedName: (_, __, written) => written.replaceAll('\\', '.'),
    files: NO_FILES,
  },
  dotnet: {
    packageKeys: (_, __, module) => [`dotnet:${module}`],
    packageOf: (module) => module,
    shownName: (_, name) => name,
    isStandard: (name) => /^System(?:\.|$)/.test(name),
    qualifiedName: (_, __, written) => written,
    files: NO_FILES,
  },
  pub: {
    packageKeys: ({ pub }, from, module) => pubFiles(pub, from, module).map((path) => `pub:${path}`),
    packageOf: pubPackage,
    shownName: (_, name) => pubShownName(name),
    isStandard: (name) => name.startsWith('dart.'),
    qualifiedName: () => '',
    files: NO_FILES,
  },
  lua: {
    packageKeys: (_, from, module) => luaFiles(from, module).map((path) => `lua:${path}`),
    packageOf: (module) => module.split('.', 1)[0] ?? module,
    shownName: (_, name) => name,
    isStandard: (name) => name === 'lua',
    qualifiedName: () => '',
    files: NO_FILES,
  },
  include: {
    packageKeys: () => [],
    packageOf: includePackage,
    shownName: (_, name) => name,
    isStandard: (name) => name === 'libc' || name === 'std',
    qualifiedName: () => '',
    files: NO_FILES,
  },
  gem: {
    packageKeys: () => [],
    packageOf: gemOf,
    shownName: (_, name) => name,
    isStandard: isRubyStandard,
    qualifiedName: () => '',
    files: NO_FILES,
    loads: {
      fileOf: loadedName,
      chosen: chosenLoad,
      packageWith: ({ gems }, loaded, name) => gemOfConstant(gems, loaded, name),
    },
  },
  shell: {
    packageKeys: () => [],
    packageOf: () => '',
    shownName: (_, name) => name,
    isStandard: (name) => name === 'shell',
    qualifiedName: () => '',
    files: NO_FILES,
  },
  swiftpm: {
    packageKeys: ({ swift }, _, module) => (swift.some(({ name }) => name === module) ? ['swiftpm:'] : []),
    packageOf: (module) => module,
    shownName: (_, name) => name,
    isStandard: isSwiftStandard,
    qualifiedName: ({ swift }, path) => swiftModule(swift, path) ?? '',
    files: NO_FILES,
    moduleOf: ({ swift }, path) => swiftModule(swift, path),
  },
  none: {
    packageKeys: () => [],
    packageOf: (module) => module,
    shownName: (_, name) => name,
    isStandard: () => false,
    qualifiedName: () => '',
    files: NO_FILES,
  },
} satisfies Record<string, ModuleSystem>;

/** The module systems that there are. */
export type ModuleSystemName = keyof typeof systems;

/** The module system of a name. */
export function moduleSystem(name: ModuleSystemName): ModuleSystem {
  return systems[name];
}

/** What the module of a unit is called, by its module system's name; null for a name that is none. */
export function unitModuleName(
  system: string,
  places: ModulePlaces,
  path: string,
  written: string,
): string | null {
  return isSystem(system) ? systems[system].qualifiedName(places, path, written) : null;
}

function isSystem(name: string): name is ModuleSystemName {
  return Object.hasOwn(systems, name);
}
