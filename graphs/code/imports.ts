import { posix } from 'node:path';
import { compareText } from '../../runtime/index.js';
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
} from '../../source/index.js';
import { type GraphPart, type Link, link } from './graph-part.js';
import { definitionTarget, type ReferenceSite } from './references.js';
import type { SharedNode } from './shared-nodes.js';
import type { FileSymbols } from './symbols.js';

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
  const links: Link[] = [];
  const nodes = facts.imports.map((fact, index) => {
    const id = ids[index] ?? '';
    const { module, line, column, type_only, kind, names } = fact;
    links.push(link(symbols.fileId, FileContainsImport, id, { line, column }));
    const owner = symbols.enclosing(fact.from, fact);
    if (owner !== null) links.push(link(owner, SymbolImports, id, { line, column }));
    const whole = names.find(({ imported, local }) => imported === '*' && local !== null);
    const items = names
      .filter((name) => name !== whole)
      .map(({ imported, local }) =>
        local === null || local === imported ? imported : `${imported} as ${local}`,
      );
    return knownNode(Import, { module, alias: whole?.local ?? null, items, path, line, type_only, kind }, id);
  });
  return { nodes, links };
}

/** What a file's imports resolve to. */
export interface ImportPart {
  readonly links: Link[];
  /** Packages and places outside the project, by id. */
  readonly shared: Map<string, SharedNode>;
  /** Paths of the files that are imported. */
  readonly files: Set<string>;
}

/** What the Import nodes of a file lead to. */
export function importPart(site: ReferenceSite, resolved: readonly ResolvedImport[]): ImportPart {
  const { path, facts, symbols } = site;
  const ids = importIds(path, facts);
  const links: Link[] = [];
  const shared = new Map<string, SharedNode>();
  const files = new Map<string, MergedImport>();
  const packages = new Map<string, MergedImport>();
  /** One edge for all imports of a symbol that lead to the same. */
  const bySymbols = new Map<string, Link>();
  for (const { import: index, target, submodules, definitions, passed_on } of resolved) {
    const fact = facts.imports[index];
    if (!fact) continue;
    const at = { line: fact.line, column: fact.column };
    const owner = symbols.enclosing(fact.from, fact);
    const offered = offeredNames(site, passed_on);
    const resolvesTo = (to: string, confidence = 1) => {
      const exported_as = offered.get(to) ?? [];
      links.push(link(ids[index] ?? '', ImportResolvesTo, to, { ...at, confidence, exported_as }));
      offered.delete(to);
    };
    const leadsTo = (to: string) => {
      resolvesTo(to);
      if (owner !== null) bySymbols.set(`${owner}\0${to}`, link(owner, SymbolImports, to, at));
    };
    const imported = new Set([...('file' in target ? [target.file] : []), ...submodules]);
    for (const file of imported) {
      leadsTo(fileId(file));
      if (file !== path) merge(files, file, fact);
    }
    for (const definition of definitions) {
      const to = definitionTarget(site, definition);
      if (to !== null) resolvesTo(to);
    }
    if ('package' in target) {
      const { package: name, stdlib = false } = target;
      const id = packageId(name);
      const ecosystem = stdlib ? null : (languageOf(path)?.ecosystem ?? null);
      shared.set(id, { as: 'package', name, ecosystem, stdlib });
      leadsTo(id);
      merge(packages, id, fact);
    } else if ('unresolved' in target && imported.size === 0) {
      const qualified_name = placeOf(path, target.unresolved);
      const name = qualified_name.slice(qualified_name.lastIndexOf('/') + 1) || qualified_name;
      shared.set(stubId(qualified_name), { as: 'stub', name, package: null, qualified_name });
      resolvesTo(stubId(qualified_name), 0);
    }
    // What is passed on from farther than the file that is named; what another file imports of packages is its own.
    for (const to of [...offered.keys()]) if (!to.startsWith(packageId(''))) resolvesTo(to);
  }
  for (const [file, props] of files) links.push(link(symbols.fileId, FileImports, fileId(file), props));
  for (const [id, props] of packages) links.push(link(symbols.fileId, FileImportsPackage, id, props));
  links.push(...bySymbols.values());
  return { links, shared, files: new Set(files.keys()) };
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

/** The names under which targets are offered to others, by the targets' ids. */
function offeredNames(site: ReferenceSite, passed: readonly PassedOn[]): Map<string, string[]> {
  const offered = new Map<string, Set<string>>();
  for (const { name, target } of passed) {
    let to: string | null;
    if ('module' in target) to = fileId(target.module);
    else to = 'external' in target ? packageId(target.external.package) : definitionTarget(site, target);
    if (to !== null) offered.set(to, (offered.get(to) ?? new Set()).add(name));
  }
  return new Map([...offered].map(([to, names]) => [to, [...names].sort(compareText)]));
}

/** The first of several imports that share an edge. */
interface MergedImport {
  readonly line: number;
  readonly column: number;
  type_only: boolean;
}

/** Imports count as type-only when every one of them is. */
function merge(
  imports: Map<string, MergedImport>,
  key: string,
  { line, column, type_only }: ImportFact,
): void {
  const known = imports.get(key);
  if (!known) imports.set(key, { line, column, type_only });
  else if (!type_only) known.type_only = false;
}
