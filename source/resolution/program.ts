import type { FileFacts } from '../facts.js';
import { byText } from './file-path.js';
import { type NpmPackages, npmPackages } from './javascript-modules.js';
import type { PackageManifest } from './manifest.js';
import type { Meaning } from './meaning.js';
import { type ModuleTable, moduleTable } from './module-table.js';
import { type PythonModules, pythonModules } from './python-modules.js';
import type { ImportTarget } from './resolution.js';
import type { StarNames } from './star-names.js';

/** What a program is made of. */
export interface ProgramInput {
  /** The facts of every extracted file by root-relative path. */
  files: ReadonlyMap<string, FileFacts>;
  /** Every File of the project, extracted or not: an import may name a style sheet. */
  allPaths: Iterable<string>;
  manifests: readonly PackageManifest[];
}

/**
 * The facts of all files made ready for looking things up. Nothing of it depends on the order of its input. Tables
 * are per file; the caches hold only what follows from the input, and are thrown away with the program.
 */
export interface Program {
  /** In path order. */
  readonly tables: ReadonlyMap<string, ModuleTable>;
  readonly paths: ReadonlySet<string>;
  readonly npm: NpmPackages;
  readonly python: PythonModules;
  readonly caches: Caches;
}

/** Answers found before, by keys that name the whole question. */
export interface Caches {
  /** By importing folder and specifier. */
  readonly imports: Map<string, ImportTarget>;
  /** By file, space and exported name. */
  readonly exported: Map<string, Meaning | null>;
  /** By file. */
  readonly stars: Map<string, StarNames>;
  /** By file and class index. */
  readonly ancestors: Map<string, readonly Ancestor[]>;
}

/** One class in a class's method resolution order; null stands for one that the program does not know. */
export type Ancestor = (Meaning & { kind: 'definition' }) | null;

/** Prepares a program; linear in the size of its facts. */
export function createProgram(input: ProgramInput): Program {
  const files = [...input.files].sort(([a], [b]) => byText(a, b));
  const paths = new Set([...input.allPaths, ...input.files.keys()].sort());
  return {
    tables: new Map(files.map(([path, facts]) => [path, moduleTable(facts)])),
    paths,
    npm: npmPackages(input.manifests),
    python: pythonModules(paths, input.manifests),
    caches: { imports: new Map(), exported: new Map(), stars: new Map(), ancestors: new Map() },
  };
}
