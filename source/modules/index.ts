import { isPythonStandard } from '../resolution/standard-library.js';
import { type GoModule, type GoModules, goFolders, goModules, goPackageName, isGoStandard } from './go.js';
import { isJvmStandard, type JvmModule, jvmGroups, jvmPackageName, jvmPackageOf } from './jvm.js';
import { type PythonIndex, type PythonModules, pythonModules } from './python.js';

export { type GoModule, goModuleProblem, readGoModule } from './go.js';
export { isJvmBuildFile, type JvmModule, jvmBuildProblem, readJvmModule } from './jvm.js';
export {
  moduleBelow,
  type PythonIndex,
  type PythonLayout,
  type PythonModules,
  projectModule,
  pythonImport,
  pythonLayout,
  pythonSourceRoot,
} from './python.js';

/** What the manifests of a project say of its modules, as far as units are found by it. */
export interface ModulePlaces {
  readonly go: GoModules;
  /** Groups of what build files of the JVM depend on, the longest first. */
  readonly groups: readonly string[];
  readonly python: PythonModules;
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
  readonly jvm?: JvmModule;
}

/** Where a project's modules are. @param paths All of its files. */
export function modulePlaces(manifests: readonly Manifest[], paths: ReadonlySet<string>): ModuleIndex {
  return { go: goModules(manifests), groups: jvmGroups(manifests), python: pythonModules(paths, manifests) };
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
  qualifiedName(places: ModulePlaces, folder: string, written: string): string | null;
}

const systems = {
  go: {
    packageKeys: ({ go }, from, module) => goFolders(go, from, module).map((folder) => `go:${folder}`),
    packageOf: (module) => module,
    shownName: (_, name) => name,
    isStandard: isGoStandard,
    qualifiedName: ({ go }, folder, written) =>
      goPackageName(go, folder) + (written.endsWith('_test') ? '_test' : ''),
  },
  jvm: {
    packageKeys: (_, __, module) => [`jvm:${module}`],
    packageOf: jvmPackageOf,
    shownName: ({ groups }, name) => (isJvmStandard(name) ? name : jvmPackageName(groups, name)),
    isStandard: isJvmStandard,
    qualifiedName: (_, __, written) => written,
  },
  python: {
    packageKeys: () => [],
    packageOf: (module) => module,
    shownName: (_, name) => name,
    isStandard: isPythonStandard,
    qualifiedName: () => null,
  },
  none: {
    packageKeys: () => [],
    packageOf: (module) => module,
    shownName: (_, name) => name,
    isStandard: () => false,
    qualifiedName: () => '',
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
  folder: string,
  written: string,
): string | null {
  return isSystem(system) ? systems[system].qualifiedName(places, folder, written) : null;
}

function isSystem(name: string): name is ModuleSystemName {
  return Object.hasOwn(systems, name);
}
