import { directoryOf, resolvedFrom } from '../resolution/file-path.js';

/** Where the packages of a project are, by what their `pubspec.yaml` calls them. */
export type PubPackages = ReadonlyMap<string, readonly string[]>;

/** Characters of a `pubspec.yaml` that are read. */
const LONGEST = 1 << 16;

/** The name that a `pubspec.yaml` gives its package; null where no line says it. */
export function readPubName(text: string): string | null {
  return /^name:\s*(["']?)(\w+)\1\s*(?:#.*)?$/m.exec(text.slice(0, LONGEST))?.[2] ?? null;
}

/** The packages of a project. @param manifests Each with the folder that its `pubspec.yaml` stands in. */
export function pubPackages(
  manifests: readonly {
    readonly ecosystem: string;
    readonly directory: string;
    readonly name: string | null;
  }[],
): PubPackages {
  const found = new Map<string, string[]>();
  for (const { ecosystem, directory, name } of manifests) {
    if (ecosystem !== 'pub' || name === null) continue;
    found.set(name, [...(found.get(name) ?? []), directory]);
  }
  return found;
}

/** The files that an import may name, the surest first: of several packages of one name the nearest. */
export function pubFiles(packages: PubPackages, from: string, uri: string): string[] {
  const [, name, rest] = /^package:([^/]+)\/(.+)$/.exec(uri) ?? [];
  if (name !== undefined && rest !== undefined) {
    const folders = [...(packages.get(name) ?? [])].sort((a, b) => shared(b, from) - shared(a, from));
    return folders.flatMap((folder) => resolvedFrom(folder, `lib/${rest}`) ?? []);
  }
  if (/^[\w+.-]+:/.test(uri)) return [];
  const file = resolvedFrom(directoryOf(from), uri);
  return file === null ? [] : [file];
}

/** The package that a uri names from outside of the project: `dart.async`, `http`. */
export function pubPackage(uri: string): string {
  const [, scheme, name = ''] = /^(dart|package):([^/]*)/.exec(uri) ?? [];
  return scheme === 'dart' ? `dart.${name}` : scheme === undefined ? '' : name;
}

/** What a package of the library is called: `dart:async`. */
export function pubShownName(name: string): string {
  return name.replace(/^dart\./, 'dart:');
}

function shared(folder: string, path: string): number {
  return folder === '' ? 0 : path.startsWith(`${folder}/`) ? folder.length + 1 : -1;
}
