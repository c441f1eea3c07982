import { z } from 'zod';
import { isCompilerConfig, isManifest } from '../manifest-names.js';
import {
  type CargoModule,
  cargoProblem,
  type GemModule,
  type GoModule,
  goModuleProblem,
  isGemFile,
  isJvmBuildFile,
  type JvmModule,
  jvmBuildProblem,
  readCargoModule,
  readGemModule,
  readGoModule,
  readJvmModule,
  readPubName,
  readSwiftPackage,
  type SwiftPackage,
  swiftPackageProblem,
} from '../modules/index.js';
import { byText } from './file-path.js';
import {
  type CompilerConfig,
  type PackageEntry,
  packageEntries,
  packageInternals,
  readCompilerConfig,
} from './npm/index.js';

/** One package that a manifest declares, or one configuration of the TypeScript compiler. */
export interface PackageManifest {
  /** The manifest's path, root-relative. */
  path: string;
  /** The folder it stands in, root-relative; `''` is the root. */
  directory: string;
  ecosystem: 'npm' | 'python' | 'typescript' | 'go' | 'cargo' | 'jvm' | 'pub' | 'gem' | 'swift';
  /** Null when the manifest names none, or cannot be read. */
  name: string | null;
  /** npm `workspaces` patterns as written; empty for others. */
  workspaces: string[];
  /** npm: what the package offers to others; absent when it does not say. */
  entries?: PackageEntry[];
  /** npm: the names that its own files may use; absent when there are none. */
  internals?: PackageEntry[];
  /** TypeScript alone. */
  compiler?: CompilerConfig;
  /** Go alone: what its import paths name. */
  go?: GoModule;
  /** Cargo alone. */
  cargo?: CargoModule;
  /** Maven and Gradle alone. */
  jvm?: JvmModule;
  /** SwiftPM alone. */
  swift?: SwiftPackage;
  /** Bundler and RubyGems alone. */
  gem?: GemModule;
  /** Go, Cargo, Maven, Gradle and SwiftPM: why not all of it could be read; absent when nothing is wrong. */
  problem?: string;
}

/** One manifest's path, root-relative, and text. */
export interface ManifestText {
  path: string;
  text: string;
}

const packageJson = z.object({
  name: z.string().min(1).nullable().catch(null),
  workspaces: z
    .union([
      z.array(z.string()),
      z.object({ packages: z.array(z.string()) }).transform((workspaces) => workspaces.packages),
    ])
    .catch([]),
});

/**
 * The packages of a project, sorted by path. A manifest that cannot be read still marks its folder as a package,
 * without a name: the folder's layout does not depend on whether its manifest is well-formed. Files that are no
 * manifests are passed over.
 */
export function readManifests(files: readonly ManifestText[]): PackageManifest[] {
  return files
    .filter((file) => isManifest(file.path))
    .map(readManifest)
    .sort((a, b) => byText(a.path, b.path));
}

function readManifest({ path, text }: ManifestText): PackageManifest {
  const directory = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  if (isCompilerConfig(path)) {
    const compiler = readCompilerConfig(text);
    return { path, directory, ecosystem: 'typescript', name: null, workspaces: [], compiler };
  }
  if (path.endsWith('package.json')) {
    const written = jsonObject(text);
    const { name, workspaces } = packageJson.parse(written);
    const [entries, internals] = [packageEntries(written), packageInternals(written)];
    return {
      ...{ path, directory, ecosystem: 'npm', name, workspaces },
      ...(entries.length > 0 && { entries }),
      ...(internals.length > 0 && { internals }),
    };
  }
  if (path.endsWith('go.work')) {
    // It names no module of its own, but says what stands for others.
    const { replaces } = readGoModule(text);
    return { path, directory, ecosystem: 'go', name: null, workspaces: [], go: { name: null, replaces } };
  }
  if (path.endsWith('go.mod')) {
    const go = readGoModule(text);
    const problem = goModuleProblem(go);
    return {
      ...{ path, directory, ecosystem: 'go', name: go.name, workspaces: [], go },
      ...(problem && { problem }),
    };
  }
  if (path.endsWith('Cargo.toml')) {
    const { name, ...cargo } = readCargoModule(text);
    const problem = cargoProblem(cargo, text);
    return {
      ...{ path, directory, ecosystem: 'cargo', name, workspaces: [], cargo },
      ...(problem && { problem }),
    };
  }
  if (path.endsWith('pubspec.yaml'))
    return { path, directory, ecosystem: 'pub', name: readPubName(text), workspaces: [] };
  if (path.endsWith('Package.swift')) {
    const problem = swiftPackageProblem(text);
    const swift = readSwiftPackage(text);
    return {
      ...{ path, directory, ecosystem: 'swift', name: null, workspaces: [], swift },
      ...(problem && { problem }),
    };
  }
  if (isJvmBuildFile(path)) {
    const { name, ...jvm } = readJvmModule(path, text);
    const problem = jvmBuildProblem(path, text);
    return {
      ...{ path, directory, ecosystem: 'jvm', name, workspaces: [], jvm },
      ...(problem && { problem }),
    };
  }
  if (isGemFile(path)) {
    const { name, ...gem } = readGemModule(text);
    return { path, directory, ecosystem: 'gem', name, workspaces: [], gem };
  }
  const name = path.endsWith('.cfg')
    ? nameIn(text, ['metadata'])
    : nameIn(text, ['project', 'tool.poetry', 'tool.flit.metadata']);
  return { path, directory, ecosystem: 'python', name, workspaces: [] };
}

function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * The `name` of the first of `sections` that has one. TOML and cfg agree in the two line forms this needs:
 * `[section]`, and `name = value` on one line.
 */
function nameIn(text: string, sections: readonly string[]): string | null {
  const names = new Map<string, string>();
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line);
    if (header?.[1] !== undefined) section = header[1].trim();
    const name = /^name\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s"'#;]+))/.exec(line);
    const value = name?.[1] ?? name?.[2] ?? name?.[3];
    if (value !== undefined && !names.has(section)) names.set(section, value);
  }
  for (const wanted of sections) {
    const name = names.get(wanted);
    if (name !== undefined) return name;
  }
  return null;
}
