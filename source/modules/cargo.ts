import { directoryOf, joined, resolvedFrom } from '../resolution/file-path.js';

/** One `Cargo.toml`, as far as it decides what paths name. */
export interface CargoModule {
  /** What the crate of its library is called in paths; null for a manifest of a workspace alone. */
  readonly crate: string | null;
  /** Files that crates begin with, where they are not those that are looked for: relative to its folder. */
  readonly roots: readonly string[];
  /** The file that the library begins with. */
  readonly library: string;
  /** What it depends on: the name in paths, and what the crate is called. */
  readonly dependencies: readonly { readonly name: string; readonly crate: string }[];
}

/** The crates of a project, of longer folders first. */
export type CargoCrates = readonly (CargoModule & { readonly folder: string })[];

/** Characters of a `Cargo.toml` that are read. */
const LONGEST = 1 << 19;

/** Reads a `Cargo.toml`. Of a damaged one the lines that can be read count. */
export function readCargoModule(text: string): CargoModule & { readonly name: string | null } {
  let section = '';
  let name: string | null = null;
  let crate: string | null = null;
  let library = 'src/lib.rs';
  const roots: string[] = [];
  const dependencies = new Map<string, string>();
  for (const raw of text.slice(0, LONGEST).split(/\r?\n/)) {
    const line = raw.trim();
    const header = /^\[{1,2}([^[\]]+)\]{1,2}/.exec(line)?.[1];
    if (header !== undefined) {
      section = header.trim().replace(/["']/g, '');
      const one = /(?:^|\.)(?:dev-|build-)?dependencies\.([\w-]+)$/.exec(section)?.[1];
      if (one !== undefined) dependencies.set(one, one);
      continue;
    }
    const [, key = '', value = ''] = /^([\w."-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key === '') continue;
    const plain = /^["']([^"']*)["']/.exec(value)?.[1];
    if (section === 'package' && key === 'name') name = plain ?? null;
    if (section === 'lib' && key === 'name') crate = plain ?? null;
    if (section === 'lib' && key === 'path' && plain) library = plain;
    if (/^(?:bin|test|bench|example)$/.test(section) && key === 'path' && plain) roots.push(plain);
    if (section === 'package' && key === 'build' && plain) roots.push(plain);
    if (/(?:^|\.)(?:dev-|build-)?dependencies$/.test(section)) {
      const local = key.replace(/["']/g, '').split('.', 1)[0] ?? '';
      dependencies.set(
        local,
        /\bpackage\s*=\s*["']([^"']+)/.exec(value)?.[1] ?? dependencies.get(local) ?? local,
      );
    }
    const one = /(?:^|\.)(?:dev-|build-)?dependencies\.([\w-]+)$/.exec(section)?.[1];
    if (one !== undefined && key === 'package' && plain) dependencies.set(one, plain);
  }
  return {
    name,
    crate: crate ?? (name === null ? null : inPaths(name)),
    roots,
    library,
    dependencies: [...dependencies].map(([local, full]) => ({ name: inPaths(local), crate: inPaths(full) })),
  };
}

function inPaths(name: string): string {
  return name.replaceAll('-', '_');
}

/** What is wrong with a `Cargo.toml`; null where nothing is, as far as it is read. */
export function cargoProblem({ crate }: CargoModule, text: string): string | null {
  const isWorkspace = text.split('\n').some((line) => line.trim().startsWith('[workspace'));
  return crate === null && !isWorkspace ? 'no line says what the package is called' : null;
}

/** The crates of a project. @param manifests Each with the folder that its `Cargo.toml` stands in. */
export function cargoCrates(
  manifests: readonly { readonly directory: string; readonly cargo?: CargoModule }[],
): CargoCrates {
  const found = manifests.flatMap(({ directory, cargo }) => (cargo ? { ...cargo, folder: directory } : []));
  return found.sort((a, b) => b.folder.length - a.folder.length || (a.folder < b.folder ? -1 : 1));
}

/** The crate that a file is in. */
function crateAround(crates: CargoCrates, path: string): CargoCrates[number] | undefined {
  return crates.find(
    ({ folder, crate }) => crate !== null && (folder === '' || path.startsWith(`${folder}/`)),
  );
}

/** Crates that come with the language. */
const STANDARD = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);

/** Whether a package is one of the standard library, by a path in it. */
export function isCargoStandard(name: string): boolean {
  return STANDARD.has(/^\w*/.exec(name)?.[0] ?? '');
}

/** The files that the module may be that a file declares: by its name, or by a path that it says. */
export function cargoDeclared(from: string, module: string): string[] {
  const folder = directoryOf(from);
  const own = below(folder, stemOf(from));
  if (module.endsWith('.rs')) return [below(folder, module), below(own, module)];
  const places = /^(?:mod|lib|main)$/.test(stemOf(from)) ? [folder] : [own, folder];
  return places.flatMap((place) => [below(place, `${module}.rs`), below(place, `${module}/mod.rs`)]);
}

/** The files that may declare a file as their module. */
export function cargoDeclaring(crates: CargoCrates, path: string): string[] {
  const own = directoryOf(path);
  const folder = stemOf(path) === 'mod' ? directoryOf(own) : own;
  const around = crateAround(crates, path);
  const roots = around ? [around.library, ...around.roots].map((root) => below(around.folder, root)) : [];
  const usual = ['mod.rs', 'lib.rs', 'main.rs'].map((name) => joined(folder, name));
  const named = folder === '' ? [] : [`${folder}.rs`];
  return [...new Set([...usual, ...named, ...roots])].filter((one) => one !== path);
}

/** The files that a crate may begin with which a file sees under a name. */
export function cargoRoots(crates: CargoCrates, from: string, name: string): string[] {
  const around = crateAround(crates, from);
  const crate = around?.dependencies.find((one) => one.name === name)?.crate;
  if (around && crate === undefined && around.crate !== name) return [];
  return crates.filter((one) => one.crate === (crate ?? name)).map((one) => below(one.folder, one.library));
}

/** Whether a name is a crate from outside of the project. */
export function isCargoForeign(crates: CargoCrates, from: string, name: string): boolean {
  const around = crateAround(crates, from);
  return isCargoStandard(name) || !around || around.dependencies.some((one) => one.name === name);
}

/** What the module of a file is called: `crate::a::b`. */
export function cargoModuleName(crates: CargoCrates, path: string): string {
  const around = crateAround(crates, path);
  const inside = around && around.folder !== '' ? path.slice(around.folder.length + 1) : path;
  const parts = inside
    .replace(/^src\//, '')
    .replace(/\.rs$/, '')
    .split('/');
  if (/^(?:mod|lib|main)$/.test(parts[parts.length - 1] ?? '')) parts.pop();
  return [...(around?.crate ? [around.crate] : []), ...parts].join('::');
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.rs$/, '');
}

/** A path seen from a folder; of one that leaves the root '', which is no file. */
function below(folder: string, relative: string): string {
  return resolvedFrom(folder, relative) ?? '';
}
