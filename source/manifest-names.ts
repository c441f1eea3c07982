import { isGemFile, isJvmBuildFile } from './modules/index.js';

const NAMES: ReadonlySet<string> = new Set(
  'package.json pyproject.toml setup.cfg go.mod go.work Cargo.toml pubspec.yaml Package.swift'.split(' '),
);

/** Whether a path is that of a manifest of a package, of a build file, or of a configuration of the TypeScript compiler. */
export function isManifest(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isNamed = NAMES.has(name);
  return isNamed || isJvmBuildFile(path) || isGemFile(path) || isCompilerConfig(path);
}

/** Whether a path is that of a configuration of TypeScript, JavaScript's included. */
export function isCompilerConfig(path: string): boolean {
  return /(?:^|\/)(?:tsconfig(?:[.-][\w.-]+)?|jsconfig)\.json$/.test(path);
}
