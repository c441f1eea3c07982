import { posix } from 'node:path';
import { compareText, type EdgeType } from '../../runtime/index.js';
import {
  type Access,
  type CallType,
  type Evidence,
  FileContainsImport,
  FileImports,
  FileImportsPackage,
  fileId,
  Import,
  ImportResolvesTo,
  knownNode,
  lastNamePart,
  localId,
  packageId,
  SymbolCallsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolImports,
  SymbolMayCallSymbol,
  SymbolOverridesSymbol,
  SymbolReferencesSymbol,
  stubId,
  type Use,
} from '../../schema/index.js';
import {
  type Definition,
  type FileFacts,
  type ImportFact,
  languageOf,
  type PassedOn,
  type Reference,
  type Resolution,
  type ResolvedImport,
  type ResolvedReference,
  type Target,
} from '../../source/index.js';
import { type GraphPart, type Link, link, type SharedNode } from './graph-part.js';
import { definitionIds, type FileSymbols } from './symbols.js';

/** Places that one edge keeps as evidence: all that people write in one body, and a bound for generated code. */
const MAX_EVIDENCE = 2000;

/** Confidence of an edge to a stub: that something is called is a fact, what is called is not. */
const STUB_CONFIDENCE = 0;

/** What links of one file are made from. */
export interface ReferenceSite {
  readonly path: string;
  readonly facts: FileFacts;
  readonly symbols: FileSymbols;
  /** The innermost symbol around each reference, by index; null at module level. */
  readonly owners: readonly (string | null)[];
  /** The references that name what a route runs, by index. */
  readonly run: ReadonlySet<number>;
  /** The facts of any file of the program. */
  readonly factsOf: (path: string) => FileFacts | undefined;
}

/** Links and the stubs that they lead to. */
interface ReferenceLinks {
  readonly links: Link[];
  /** By id. */
  readonly stubs: ReadonlyMap<string, SharedNode>;
  /** How many places call something of another file, by its path. */
  readonly calls: ReadonlyMap<string, number>;
}

/** The calls, references, inheritance and overrides of one file as links, one per (type, from, to), places as evidence. */
export function referenceLinks(
  site: ReferenceSite,
  { references, receivers, inheritance, overrides, names = [] }: Resolution,
): ReferenceLinks {
  const collected = new Collected();
  for (const resolved of references) {
    const reference = site.facts.references[resolved.reference];
    if (reference) addReference(collected, site, reference, resolved);
  }
  for (const { reference, target, resolution, confidence, evidence } of receivers) {
    const from = site.owners[reference] ?? site.symbols.fileId;
    const to = definitionTarget(site, target);
    const facts = edgeFacts(resolution, confidence, undefined, 'read');
    if (to !== null && to !== from)
      collected.add(SymbolReferencesSymbol, from, to, facts, { ...evidence, use: 'read' });
  }
  for (const { from, kind, target, confidence, evidence } of names) {
    const owner = site.symbols.enclosing(from, { ...evidence, column: evidence.column ?? 0 });
    const [by, to] = [owner ?? site.symbols.fileId, definitionTarget(site, target)];
    const access = accessOf({ kind });
    if (to !== null && to !== by)
      collected.add(SymbolReferencesSymbol, by, to, edgeFacts('name', confidence, undefined, access), {
        line: evidence.line,
        column: evidence.column,
        expression: evidence.expression,
        use: access,
      });
  }
  for (const { definition, relation, target, resolution, confidence, evidence } of inheritance) {
    const from = site.symbols.ids[definition];
    if (from === undefined) continue;
    const type = relation === 'implements' ? SymbolImplementsSymbol : SymbolExtendsSymbol;
    const to = definitionTarget(site, target);
    const stub = to === null ? collected.stub(target) : null;
    if (to !== null) collected.add(type, from, to, edgeFacts(resolution, confidence), evidence);
    else if (stub !== null) collected.add(type, from, stub, edgeFacts('name', STUB_CONFIDENCE), evidence);
  }
  for (const { definition, target, resolution, confidence, evidence } of overrides) {
    const from = site.symbols.ids[definition];
    const to = definitionTarget(site, target);
    if (from !== undefined && to !== null)
      collected.add(SymbolOverridesSymbol, from, to, edgeFacts(resolution, confidence), evidence);
  }
  return { links: collected.links(), stubs: collected.stubs, calls: collected.calls };
}

function addReference(
  collected: Collected,
  site: ReferenceSite,
  reference: Reference,
  resolved: ResolvedReference,
): void {
  // What is called at module level is called by the file itself.
  const from = site.owners[resolved.reference] ?? site.symbols.fileId;
  const { target, resolution, confidence, evidence } = resolved;
  const { line, column, expression } = evidence;
  // Field by field: a spread takes many times as long, and there are hundreds of thousands of places.
  const use = resolved.called ? 'call' : useOf(reference);
  const place: UsedPlace = { line, column, expression, use };
  for (const candidate of resolved.candidates ?? []) {
    const to = definitionTarget(site, candidate);
    const facts = edgeFacts('type', candidate.confidence, callTypeOf(site, reference, candidate));
    if (to !== null) collected.add(SymbolMayCallSymbol, from, to, facts, evidence);
  }
  const form = formOf(site, target);
  // Whatever a name stands for is called by it, but a written type.
  if (!(isCall(reference) || resolved.called) || form === 'type') {
    const to = definitionTarget(site, target);
    if (to === null) return;
    const isRun = site.run.has(resolved.reference) && (form === 'function' || form === 'method');
    const facts = edgeFacts(resolution, confidence, undefined, isRun ? 'run' : accessOf(reference));
    collected.add(SymbolReferencesSymbol, from, to, facts, isRun ? { ...evidence, use: 'run' } : place);
    return;
  }
  const call_type = callTypeOf(site, reference, target);
  const called = resolved.constructor_method ?? target;
  const to = definitionTarget(site, called);
  const stub = to === null ? collected.stub(target) : null;
  if (to !== null) {
    collected.add(SymbolCallsSymbol, from, to, edgeFacts(resolution, confidence, call_type), place);
    if ('definition' in called && called.file !== site.path) collected.countCall(called.file);
  } else if (stub !== null)
    collected.add(SymbolCallsSymbol, from, stub, edgeFacts('name', STUB_CONFIDENCE, call_type), evidence);
}

/** A decorator with arguments is a call that makes the decorator; a bare one is a name that is used. */
export function isCall({ kind, expression }: Reference): boolean {
  return (
    kind === 'call' || kind === 'new' || kind === 'jsx' || (kind === 'decorator' && expression.includes('('))
  );
}

function formOf(site: ReferenceSite, target: Target): Definition['form'] | undefined {
  if (!('definition' in target)) return undefined;
  return site.factsOf(target.file)?.definitions[target.definition]?.form;
}

function accessOf({ kind }: Pick<Reference, 'kind'>): Access {
  if (kind === 'pass' || kind === 'decorator') return 'pass';
  return kind === 'type' || kind === 'write' ? kind : 'read';
}

/** How a name is used at the place of its reference. */
function useOf({ kind }: Reference): Use {
  return kind === 'new' ? 'call' : kind;
}

function callTypeOf(site: ReferenceSite, { kind, receiver_form }: Reference, target: Target): CallType {
  if (kind === 'new' || formOf(site, target) === 'class') return 'constructor';
  return receiver_form === 'none' ? 'direct' : 'method';
}

/** The id of a target that is a definition of the project; null for others. */
export function definitionTarget(site: ReferenceSite, target: Target): string | null {
  if (!('definition' in target)) return null;
  const facts = site.factsOf(target.file);
  return (facts && definitionIds(target.file, facts)[target.definition]) ?? null;
}

/** What an edge says apart from its places; one shape for all, since bulk code reads them. */
interface EdgeFacts {
  readonly resolution: ResolvedReference['resolution'];
  readonly confidence: number;
  readonly call_type: CallType | undefined;
  readonly access: Access | undefined;
}

function edgeFacts(
  resolution: EdgeFacts['resolution'],
  confidence: number,
  call_type?: CallType,
  access?: Access,
): EdgeFacts {
  return { resolution, confidence, call_type, access };
}

/** A place with how the name is used there; absent: as its edge says. */
type UsedPlace = ResolvedReference['evidence'] & { readonly use?: Use };

interface CollectedEdge {
  readonly type: EdgeType;
  readonly from: string;
  readonly to: string;
  facts: EdgeFacts;
  readonly places: UsedPlace[];
}

/** Edges in the making: the surest place decides their properties, all places are their evidence. */
class Collected {
  readonly stubs = new Map<string, SharedNode>();
  readonly calls = new Map<string, number>();
  readonly #edges: CollectedEdge[] = [];
  /** By source, then target. Ids are never put together to one key: they are long, and there are many. */
  readonly #known = new Map<string, Map<string, CollectedEdge[]>>();

  add(type: EdgeType, from: string, to: string, facts: EdgeFacts, place: UsedPlace): void {
    const between = this.#between(from, to);
    const known = between.find((edge) => edge.type === type);
    if (known) {
      known.places.push(place);
      if (facts.confidence > known.facts.confidence) known.facts = facts;
      return;
    }
    const edge: CollectedEdge = { type, from, to, facts, places: [place] };
    between.push(edge);
    this.#edges.push(edge);
  }

  countCall(path: string): void {
    this.calls.set(path, (this.calls.get(path) ?? 0) + 1);
  }

  /** The id of the stub of a target that is not in the project; null for others. */
  stub(target: Target): string | null {
    const stub = stubOf(target);
    if (stub === null) return null;
    const id = stubId(stub.qualified_name);
    if (!this.stubs.has(id)) this.stubs.set(id, { as: 'stub', ...stub });
    return id;
  }

  links(): Link[] {
    return this.#edges.map(({ type, from, to, facts, places }) => {
      if (places.length > 1) places.sort((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
      const usual = type === SymbolCallsSymbol ? 'call' : facts.access;
      const evidence = places
        .slice(0, MAX_EVIDENCE)
        .map(
          ({ line, expression, use }): Evidence =>
            use === undefined || use === usual ? { line, expression } : { line, expression, use },
        );
      const { line, column } = places[0] ?? { line: 0, column: 0 };
      const { resolution, confidence, call_type, access } = facts;
      const props = { call_type, access, resolution, confidence, line, column: column ?? 0, evidence };
      return link(from, type, to, props);
    });
  }

  #between(from: string, to: string): CollectedEdge[] {
    let targets = this.#known.get(from);
    if (!targets) {
      targets = new Map();
      this.#known.set(from, targets);
    }
    let edges = targets.get(to);
    if (!edges) {
      edges = [];
      targets.set(to, edges);
    }
    return edges;
  }
}

function stubOf(target: Target) {
  if ('unresolved' in target)
    return { name: target.unresolved, package: null, qualified_name: target.unresolved };
  if (!('external' in target)) return null;
  const { package: from, name: imported } = target.external;
  // A package that is called is its default, so that it is no stub of a bare name: `send()` of `send` is not `.send()`.
  const named = imported === '' ? 'default' : imported;
  const name = named === 'default' ? from : lastNamePart(named);
  return { name, package: from, qualified_name: [from, named].filter(Boolean).join('.') };
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
interface ImportPart {
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
    const named = 'file' in target ? [target.file] : 'files' in target ? target.files : [];
    const imported = new Set([...named, ...submodules]);
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
