import { posix } from 'node:path';
import { compareText, type NodeDraft } from '../../runtime/index.js';
import {
  FileContainsImport,
  FileImports,
  FileImportsPackage,
  fileId,
  Import,
  ImportResolvesTo,
  knownNode,
  localId,
  packageId,
  SymbolImports,
  stubId,
} from '../../schema/index.js';
import {
  type FileFacts,
  type ImportFact,
  languageOf,
  type PassedOn,
  type ResolvedImport,
  type Target,
} from '../../source/index.js';
import { type GraphPart, type Link, link } from './code-graph.js';
import type { FileSymbols } from './file-symbols.js';
import { definitionTarget, type ReferenceSite, type Stub } from './references.js';
import type { SharedNode } from './shared-nodes.js';

/** What the imports of one file come to. */
export interface ImportPart {
  readonly links: Link[];
  /** Packages outside the project, by id: shared by all files. */
  readonly packages: Map<string, SharedNode>;
  readonly stubs: Map<string, Stub>;
  readonly files: Set<string>;
}

function importIds(path: string, { imports }: FileFacts): string[] {
  const ordinals = new Map<string, number>();
  return imports.map(({ module }) => {
    const ordinal = (ordinals.get(module) ?? 0) + 1;
    ordinals.set(module, ordinal);
    return localId('import', path, module, ordinal);
  });
}

/** The Import nodes of a file, and what they hang on: the file, and the symbol that imports. */
export function ownImports(path: string, facts: FileFacts, symbols: FileSymbols): GraphPart {
  const ids = importIds(path, facts);
  const links = facts.imports.flatMap((fact, index) => {
    const id = ids[index] ?? '';
    const at = { line: fact.line, column: fact.column };
    const flat = link(symbols.fileId, FileContainsImport, id, at);
    const owner = symbols.enclosing(fact.from, fact);
    return owner === null ? [flat] : [flat, link(owner, SymbolImports, id, at)];
  });
  return { nodes: facts.imports.map((fact, index) => importNode(path, fact, ids[index] ?? '')), links };
}

/** What the Import nodes of a file lead to. */
export function importPart(site: ReferenceSite, resolved: readonly ResolvedImport[]): ImportPart {
  const part: ImportPart = { links: [], packages: new Map(), stubs: new Map(), files: new Set() };
  const targets = new Map(resolved.map((one) => [one.import, one]));
  const ids = importIds(site.path, site.facts);
  const merged: MergedImports = {
    fileImports: new Map(),
    packageImports: new Map(),
    symbolImports: new Map(),
  };
  for (const [index, fact] of site.facts.imports.entries()) {
    const id = ids[index] ?? '';
    const owner = site.symbols.enclosing(fact.from, fact) ?? undefined;
    const target = targets.get(index);
    if (target) resolveImport(part, site, { fact, id, owner }, target, merged);
  }
  for (const [path, props] of merged.fileImports) {
    part.files.add(path);
    part.links.push(link(site.symbols.fileId, FileImports, fileId(path), props));
  }
  for (const [id, props] of merged.packageImports)
    part.links.push(link(site.symbols.fileId, FileImportsPackage, id, props));
  for (const { owner, to, at } of merged.symbolImports.values())
    part.links.push(link(owner, SymbolImports, to, at));
  return part;
}

type Merged = Map<string, { line: number; column: number; type_only: boolean }>;

/** Edges that several imports of a file share. */
interface MergedImports {
  readonly fileImports: Merged;
  readonly packageImports: Merged;
  readonly symbolImports: Map<string, { owner: string; to: string; at: { line: number; column: number } }>;
}

/** What a specifier names that leads nowhere: a relative one is a place in the project, and differs from file to file. */
function placeOf(importer: string, specifier: string): string {
  const dots = /^\.+/.exec(specifier)?.[0];
  if (dots === undefined) return specifier;
  const folder = posix.dirname(importer);
  if (/^\.{1,2}(?:\/|$)/.test(specifier)) return posix.join(folder, specifier);
  const rest = specifier.slice(dots.length).replaceAll('.', '/');
  return posix.join(folder, '../'.repeat(dots.length - 1), rest);
}

function resolveImport(
  part: ImportPart,
  site: ReferenceSite,
  { fact, id, owner }: { fact: ImportFact; id: string; owner: string | undefined },
  { target, submodules, definitions, passed_on }: ResolvedImport,
  merged: MergedImports,
): void {
  const at = { line: fact.line, column: fact.column };
  const files = [...new Set([...('file' in target ? [target.file] : []), ...submodules])];
  const offered = offeredNames(site, passed_on);
  const resolvesTo = (to: string, confidence = 1) => {
    const exported_as = offered.get(to) ?? [];
    part.links.push(link(id, ImportResolvesTo, to, { ...at, confidence, exported_as }));
    offered.delete(to);
  };
  const leadsTo = (to: string) => {
    resolvesTo(to);
    if (owner !== undefined) merged.symbolImports.set(`${owner}\0${to}`, { owner, to, at });
  };
  for (const path of files) {
    leadsTo(fileId(path));
    if (path !== site.path) note(merged.fileImports, path, fact);
  }
  for (const definition of definitions) {
    const to = definitionTarget(site, definition);
    if (to !== null) resolvesTo(to);
  }
  if ('package' in target) {
    const node = packageNode(target.package, target.stdlib ?? false, site.path);
    part.packages.set(packageId(target.package), node);
    leadsTo(packageId(target.package));
    note(merged.packageImports, packageId(target.package), fact);
  } else if ('unresolved' in target && files.length === 0) {
    const qualified_name = placeOf(site.path, target.unresolved);
    const name = qualified_name.slice(qualified_name.lastIndexOf('/') + 1) || qualified_name;
    const stub = { id: stubId(qualified_name), name, package: null, qualified_name };
    part.stubs.set(stub.id, stub);
    resolvesTo(stub.id, 0);
  }
  // What is passed on from farther than the file that is named; a package that another file names is its own to tell.
  for (const to of [...offered.keys()]) if (!to.startsWith(packageId(''))) resolvesTo(to);
}

/** The names under which targets are offered to others, by the targets' ids. */
function offeredNames(site: ReferenceSite, passed: readonly PassedOn[]): Map<string, string[]> {
  const offered = new Map<string, Set<string>>();
  for (const { name, target } of passed) {
    const to = offeredId(site, target);
    if (to !== null) offered.set(to, (offered.get(to) ?? new Set()).add(name));
  }
  return new Map([...offered].map(([to, names]) => [to, [...names].sort(compareText)]));
}

function offeredId(site: ReferenceSite, target: Target): string | null {
  if ('module' in target) return fileId(target.module);
  return 'external' in target ? packageId(target.external.package) : definitionTarget(site, target);
}

/** An import counts as type-only when every one of its kind is. */
function note(merged: Merged, key: string, { line, column, type_only }: ImportFact): void {
  const known = merged.get(key);
  if (!known) merged.set(key, { line, column, type_only });
  else if (!type_only) known.type_only = false;
}

function importNode(path: string, fact: ImportFact, id: string): NodeDraft {
  const whole = fact.names.find(({ imported, local }) => imported === '*' && local !== null);
  const items = fact.names
    .filter((name) => name !== whole)
    .map(({ imported, local }) =>
      local === null || local === imported ? imported : `${imported} as ${local}`,
    );
  const { module, line, type_only, kind } = fact;
  const props = { module, alias: whole?.local ?? null, items, path, line, type_only, kind };
  return knownNode(Import, props, id);
}

function packageNode(name: string, stdlib: boolean, importer: string): SharedNode {
  return {
    as: 'package',
    name,
    ecosystem: stdlib ? null : (languageOf(importer)?.ecosystem ?? null),
    stdlib,
  };
}
