import type { EdgeDraft } from '../../../runtime/index.js';
import {
  type Access,
  type CallType,
  knownEdge,
  SymbolCallsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolMayCallSymbol,
  SymbolReferencesSymbol,
  stubId,
} from '../../../schema/index.js';
import type { FileFacts, Reference, ResolvedBase, ResolvedReference, Target } from '../../../source/index.js';
import type { Link } from './code-graph.js';
import type { FileSymbols } from './file-symbols.js';
import type { SharedNode } from './shared-nodes.js';
import { definitionId } from './symbol-node.js';

/** Places that one edge keeps as evidence; a name used more often in one body says no more. */
export const MAX_EVIDENCE = 32;

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
  /** The facts of any file of the program. */
  readonly factsOf: (path: string) => FileFacts | undefined;
}

/** Links and the stubs that they lead to. */
export interface ReferenceLinks {
  readonly links: Link[];
  readonly stubs: Map<string, Stub>;
}

/** The calls, references and inheritance of one file as links, one per (type, from, to), places as evidence. */
export function referenceLinks(
  site: ReferenceSite,
  references: readonly ResolvedReference[],
  bases: readonly ResolvedBase[],
): ReferenceLinks {
  const collected = new Collected();
  for (const resolved of references) {
    const reference = site.facts.references[resolved.reference];
    if (reference) addReference(collected, site, reference, resolved);
  }
  for (const base of bases) addBase(collected, site, base);
  return { links: collected.links(), stubs: collected.stubs };
}

function addReference(
  collected: Collected,
  site: ReferenceSite,
  reference: Reference,
  resolved: ResolvedReference,
): void {
  const from = site.symbols.enclosing(reference.from, reference) ?? site.symbols.fileId;
  const place = { ...resolved.evidence, column: resolved.evidence.column ?? 0 };
  const { resolution, confidence } = resolved;
  for (const candidate of resolved.candidates ?? []) {
    const to = definitionTarget(site, candidate);
    const call_type = callTypeOf(site, reference, candidate);
    const facts = { call_type, resolution: 'type' as const, confidence: candidate.confidence };
    if (to !== null) collected.add(SymbolMayCallSymbol.name, from, to, facts, place);
  }
  if (!isCall(reference) || !isCallable(site, resolved.target)) {
    const to = definitionTarget(site, resolved.target);
    if (to === null || to === from) return;
    collected.add(
      SymbolReferencesSymbol.name,
      from,
      to,
      { access: accessOf(reference), resolution, confidence },
      place,
    );
    return;
  }
  const call_type = callTypeOf(site, reference, resolved.target);
  const to = definitionTarget(site, resolved.constructor_method ?? resolved.target);
  if (to !== null)
    collected.add(SymbolCallsSymbol.name, from, to, { call_type, resolution, confidence }, place);
  else if ('external' in resolved.target || 'unresolved' in resolved.target) {
    const stub = collected.stub(resolved.target);
    const props = { call_type, resolution: 'name' as const, confidence: STUB_CONFIDENCE };
    collected.add(SymbolCallsSymbol.name, from, stub, props, place);
  }
}

function addBase(collected: Collected, site: ReferenceSite, base: ResolvedBase): void {
  const from = site.symbols.ids[base.definition];
  if (from === undefined) return;
  const { target, evidence, resolution, confidence } = base;
  const type = base.relation === 'implements' ? SymbolImplementsSymbol.name : SymbolExtendsSymbol.name;
  const place = { ...evidence, column: evidence.column ?? 0 };
  const to = definitionTarget(site, target);
  if (to !== null) collected.add(type, from, to, { resolution, confidence }, place);
  else if ('external' in target || 'unresolved' in target)
    collected.add(
      type,
      from,
      collected.stub(target),
      { resolution: 'name', confidence: STUB_CONFIDENCE },
      place,
    );
}

/** A decorator with arguments is a call that makes the decorator; a bare one is a name that is used. */
export function isCall({ kind, expression }: Reference): boolean {
  return (
    kind === 'call' || kind === 'new' || kind === 'jsx' || (kind === 'decorator' && expression.includes('('))
  );
}

/** Calls end on functions, methods and classes (S0-49, X-10); to call a variable is to use it. */
function isCallable(site: ReferenceSite, target: Target): boolean {
  if (!('definition' in target)) return true;
  const form = site.factsOf(target.file)?.definitions[target.definition]?.form;
  return form !== 'variable' && form !== 'type';
}

function accessOf({ kind }: Reference): Access {
  if (kind === 'pass' || kind === 'decorator') return 'pass';
  return kind === 'type' || kind === 'write' ? kind : 'read';
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
  const definition = site.factsOf(target.file)?.definitions[target.definition];
  return definition ? definitionId(target.file, definition) : null;
}

type Place = { line: number; column: number; expression: string };
type Facts = {
  resolution: ResolvedReference['resolution'];
  confidence: number;
  call_type?: CallType;
  access?: Access;
};

/** Edges in the making: the surest place decides their properties, all places are their evidence. */
class Collected {
  readonly stubs = new Map<string, Stub>();
  readonly #edges = new Map<
    string,
    { type: string; from: string; to: string; facts: Facts; places: Place[] }
  >();

  add(type: string, from: string, to: string, facts: Facts, place: Place): void {
    const key = `${type}\0${from}\0${to}`;
    const known = this.#edges.get(key);
    if (!known) {
      this.#edges.set(key, { type, from, to, facts, places: [place] });
      return;
    }
    known.places.push(place);
    if (facts.confidence > known.facts.confidence) known.facts = facts;
  }

  /** The stub of a target that is not in the project; remembered. */
  stub(target: Exclude<Target, { definition: number } | { module: string }>): string {
    const external = 'external' in target ? target.external : null;
    const dotted = external ? external.name : (target as { unresolved: string }).unresolved;
    const name = dotted.slice(dotted.lastIndexOf('.') + 1) || (external?.package ?? dotted);
    const qualified_name = external ? [external.package, external.name].filter(Boolean).join('.') : dotted;
    const id = stubId(qualified_name);
    if (!this.stubs.has(id))
      this.stubs.set(id, { id, name, package: external?.package ?? null, qualified_name });
    return id;
  }

  links(): Link[] {
    return [...this.#edges.values()].map(({ type, from, to, facts, places }) => {
      places.sort((a, b) => a.line - b.line || a.column - b.column);
      const evidence = places.slice(0, MAX_EVIDENCE).map(({ line, expression }) => ({ line, expression }));
      const { line = 0, column = 0 } = places[0] ?? {};
      return { from, to, edge: draft(type, { ...facts, line, column, evidence }) };
    });
  }
}

function draft(
  type: string,
  props: Facts & { line: number; column: number; evidence: { line: number; expression: string }[] },
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
    default:
      return knownEdge(SymbolExtendsSymbol, props);
  }
}
