import type { EdgeDraft } from '../../runtime/index.js';
import {
  type Access,
  type CallType,
  type Evidence,
  knownEdge,
  lastNamePart,
  SymbolCallsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolMayCallSymbol,
  SymbolOverridesSymbol,
  SymbolReferencesSymbol,
  stubId,
  type Use,
} from '../../schema/index.js';
import type {
  FileFacts,
  Reference,
  Resolution,
  ResolvedBase,
  ResolvedOverride,
  ResolvedReference,
  Target,
} from '../../source/index.js';
import type { Link } from './code-graph.js';
import type { FileSymbols } from './file-symbols.js';
import type { SharedNode } from './shared-nodes.js';
import { definitionIds } from './symbol-node.js';

/** Places that one edge keeps as evidence: all that people write in one body, and a bound for generated code. */
const MAX_EVIDENCE = 2000;

/** Confidence of an edge to a stub: that something is called is a fact, what is called is not. */
const STUB_CONFIDENCE = 0;

/** A name that leads out of the project: what an `Unresolved` node is made of. */
export interface Stub {
  readonly id: string;
  readonly name: string;
  readonly package: string | null;
  readonly qualified_name: string;
}

/** A stub as a node that files share. */
export function stubNode({ name, package: from, qualified_name }: Stub): SharedNode {
  return { as: 'stub', name, package: from, qualified_name };
}

/** What links of one file are made from. */
export interface ReferenceSite {
  readonly path: string;
  readonly facts: FileFacts;
  /** What calls at module level come from is the file itself. */
  readonly symbols: FileSymbols;
  /** The innermost symbol around each reference, by index; null at module level. */
  readonly owners: readonly (string | null)[];
  /** The references that name what a route runs, by index. */
  readonly run: ReadonlySet<number>;
  /** The facts of any file of the program. */
  readonly factsOf: (path: string) => FileFacts | undefined;
}

/** Links and the stubs that they lead to. */
export interface ReferenceLinks {
  readonly links: Link[];
  readonly stubs: Map<string, Stub>;
  /** How many places call something of another file, by its path. */
  readonly calls: ReadonlyMap<string, number>;
}

/** The calls, references, inheritance and overrides of one file as links, one per (type, from, to), places as evidence. */
export function referenceLinks(
  site: ReferenceSite,
  { references, receivers, inheritance, overrides }: Resolution,
): ReferenceLinks {
  const collected = new Collected();
  for (const resolved of references) {
    const reference = site.facts.references[resolved.reference];
    if (reference) addReference(collected, site, reference, resolved);
  }
  for (const { reference, target, resolution, confidence, evidence } of receivers) {
    const from = site.owners[reference] ?? site.symbols.fileId;
    const to = definitionTarget(site, target);
    const facts = factsOf(resolution, confidence, undefined, 'read');
    if (to !== null && to !== from)
      collected.add(SymbolReferencesSymbol.name, from, to, facts, { ...evidence, use: 'read' });
  }
  for (const base of inheritance) addBase(collected, site, base);
  for (const override of overrides) addOverride(collected, site, override);
  return { links: collected.links(), stubs: collected.stubs, calls: collected.calls };
}

function addReference(
  collected: Collected,
  site: ReferenceSite,
  reference: Reference,
  resolved: ResolvedReference,
): void {
  const from = site.owners[resolved.reference] ?? site.symbols.fileId;
  const { resolution, confidence, evidence } = resolved;
  const { line, column, expression } = evidence;
  // Field by field: a spread takes many times as long, and there are hundreds of thousands of places.
  const place: UsedPlace = { line, column, expression, use: useOf(reference) };
  for (const candidate of resolved.candidates ?? []) {
    const to = definitionTarget(site, candidate);
    const call_type = callTypeOf(site, reference, candidate);
    const facts = factsOf('type', candidate.confidence, call_type);
    if (to !== null) collected.add(SymbolMayCallSymbol.name, from, to, facts, evidence);
  }
  if (!isCall(reference) || !isCallable(site, resolved.target)) {
    const to = definitionTarget(site, resolved.target);
    if (to === null) return;
    const isRun = site.run.has(resolved.reference) && isFunction(site, resolved.target);
    const facts = factsOf(resolution, confidence, undefined, isRun ? 'run' : accessOf(reference));
    collected.add(SymbolReferencesSymbol.name, from, to, facts, isRun ? { ...evidence, use: 'run' } : place);
    return;
  }
  const call_type = callTypeOf(site, reference, resolved.target);
  const called = resolved.constructor_method ?? resolved.target;
  const to = definitionTarget(site, called);
  if (to !== null) {
    collected.add(SymbolCallsSymbol.name, from, to, factsOf(resolution, confidence, call_type), place);
    if ('definition' in called && called.file !== site.path) collected.countCall(called.file);
  } else if ('external' in resolved.target || 'unresolved' in resolved.target) {
    const stub = collected.stub(resolved.target);
    collected.add(SymbolCallsSymbol.name, from, stub, factsOf('name', STUB_CONFIDENCE, call_type), evidence);
  }
}

function addBase(collected: Collected, site: ReferenceSite, base: ResolvedBase): void {
  const from = site.symbols.ids[base.definition];
  if (from === undefined) return;
  const { target, evidence, resolution, confidence } = base;
  const type = base.relation === 'implements' ? SymbolImplementsSymbol.name : SymbolExtendsSymbol.name;
  const to = definitionTarget(site, target);
  if (to !== null) collected.add(type, from, to, factsOf(resolution, confidence), evidence);
  else if ('external' in target || 'unresolved' in target)
    collected.add(type, from, collected.stub(target), factsOf('name', STUB_CONFIDENCE), evidence);
}

function addOverride(collected: Collected, site: ReferenceSite, override: ResolvedOverride): void {
  const from = site.symbols.ids[override.definition];
  const to = definitionTarget(site, override.target);
  const { resolution, confidence, evidence } = override;
  if (from !== undefined && to !== null)
    collected.add(SymbolOverridesSymbol.name, from, to, factsOf(resolution, confidence), evidence);
}

/** A decorator with arguments is a call that makes the decorator; a bare one is a name that is used. */
export function isCall({ kind, expression }: Reference): boolean {
  return (
    kind === 'call' || kind === 'new' || kind === 'jsx' || (kind === 'decorator' && expression.includes('('))
  );
}

/** What a framework calls of the names that a route is given. */
function isFunction(site: ReferenceSite, target: Target): boolean {
  if (!('definition' in target)) return false;
  const form = site.factsOf(target.file)?.definitions[target.definition]?.form;
  return form === 'function' || form === 'method';
}

/** Whatever a name stands for is called by it, but a written type. */
function isCallable(site: ReferenceSite, target: Target): boolean {
  if (!('definition' in target)) return true;
  return site.factsOf(target.file)?.definitions[target.definition]?.form !== 'type';
}

function accessOf({ kind }: Reference): Access {
  if (kind === 'pass' || kind === 'decorator') return 'pass';
  return kind === 'type' || kind === 'write' ? kind : 'read';
}

/** How a name is used at the place of its reference. */
function useOf({ kind }: Reference): Use {
  return kind === 'new' ? 'call' : kind;
}

function callTypeOf(site: ReferenceSite, { kind, receiver_form }: Reference, target: Target): CallType {
  if (kind === 'new') return 'constructor';
  if ('definition' in target && site.factsOf(target.file)?.definitions[target.definition]?.form === 'class')
    return 'constructor';
  return receiver_form === 'none' ? 'direct' : 'method';
}

/** The id of a target that is a definition of the project; null for others. */
export function definitionTarget(site: ReferenceSite, target: Target): string | null {
  if (!('definition' in target)) return null;
  const facts = site.factsOf(target.file);
  return (facts && definitionIds(target.file, facts)[target.definition]) ?? null;
}

/** What an edge says beside its places; one shape for all, since bulk code reads them. */
interface EdgeFacts {
  readonly resolution: ResolvedReference['resolution'];
  readonly confidence: number;
  readonly call_type: CallType | undefined;
  readonly access: Access | undefined;
}

function factsOf(
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
  readonly type: string;
  readonly from: string;
  readonly to: string;
  facts: EdgeFacts;
  readonly places: UsedPlace[];
}

/** Edges in the making: the surest place decides their properties, all places are their evidence. */
class Collected {
  readonly stubs = new Map<string, Stub>();
  readonly calls = new Map<string, number>();
  readonly #edges: CollectedEdge[] = [];
  /** By source, then target. Ids are never put together to one key: they are long, and there are many. */
  readonly #known = new Map<string, Map<string, CollectedEdge[]>>();

  add(type: string, from: string, to: string, facts: EdgeFacts, place: UsedPlace): void {
    const between = this.#between(from, to);
    for (const known of between) {
      if (known.type !== type) continue;
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

  /** The stub of a target that is not in the project; remembered. */
  stub(target: Exclude<Target, { definition: number } | { module: string }>): string {
    const stub = 'external' in target ? externalStub(target.external) : unresolvedStub(target.unresolved);
    if (!this.stubs.has(stub.id)) this.stubs.set(stub.id, stub);
    return stub.id;
  }

  links(): Link[] {
    return this.#edges.map(({ type, from, to, facts, places }) => {
      if (places.length > 1) places.sort(byPlace);
      const usual = type === SymbolCallsSymbol.name ? 'call' : facts.access;
      const evidence = places
        .slice(0, MAX_EVIDENCE)
        .map(({ line, expression, use }) =>
          use === undefined || use === usual ? { line, expression } : { line, expression, use },
        );
      const { line, column } = places[0] ?? { line: 0, column: 0 };
      const { resolution, confidence, call_type, access } = facts;
      const props = { call_type, access, resolution, confidence, line, column: column ?? 0, evidence };
      return { from, to, edge: draft(type, props) };
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

function unresolvedStub(name: string): Stub {
  return { id: stubId(name), name, package: null, qualified_name: name };
}

/** A package that is called is its default, so that it is no stub of a bare name: `send()` of `send` is not `.send()`. */
function externalStub(external: { readonly package: string; readonly name: string }): Stub {
  const named = external.name === '' ? 'default' : external.name;
  const last = lastNamePart(named);
  const qualified_name = [external.package, named].filter(Boolean).join('.');
  const name = named === 'default' ? external.package : last;
  return { id: stubId(qualified_name), name, package: external.package, qualified_name };
}

function byPlace(a: CollectedEdge['places'][0], b: CollectedEdge['places'][0]): number {
  return a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
}

function draft(
  type: string,
  props: EdgeFacts & { line: number; column: number; evidence: Evidence[] },
): EdgeDraft {
  switch (type) {
    case SymbolCallsSymbol.name:
      return knownEdge(SymbolCallsSymbol, props);
    case SymbolMayCallSymbol.name:
      return knownEdge(SymbolMayCallSymbol, props);
    case SymbolReferencesSymbol.name:
      return knownEdge(SymbolReferencesSymbol, props);
    case SymbolImplementsSymbol.name:
      return knownEdge(SymbolImplementsSymbol, props);
    case SymbolOverridesSymbol.name:
      return knownEdge(SymbolOverridesSymbol, props);
    default:
      return knownEdge(SymbolExtendsSymbol, props);
  }
}
