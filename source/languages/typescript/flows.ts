import type { ReferenceKind } from '../../facts.js';
import type { FlowFact, ValueFact } from '../../flow-facts.js';
import type { Findings, FoundUse } from './findings.js';
import type { Place } from './place.js';
import type { Scope } from './scopes.js';
import { annotationOf } from './signature.js';
import type { SyntaxNode } from './syntax.js';
import { FRAMEWORK } from './test-files.js';
import { contextValue, EMPTY, type Numbers, type Values, valueFact } from './values.js';

/** Where a value comes from, before it is known what its names are bound to. */
export type Given =
  | { node: SyntaxNode }
  /** One of the items that a loop takes. */
  | { item: SyntaxNode }
  | { typed: string }
  /** What a function is handed by whoever calls it. */
  | { function: SyntaxNode; parameter: number }
  /** What is expected where an object literal or an attribute stands. */
  | { context: SyntaxNode }
  | { of: Given; key: string | number };

/** One way of a value, before it is known whether anybody asks for it. */
export interface FoundFlow {
  kind: 'return' | undefined;
  target: string;
  given: Given | null;
  /** The declaration whose name an assignment gives a value to; null for the declaration itself. */
  isAssignment: boolean;
  node: SyntaxNode;
  place: Place;
}

/** A part of what is given: `way` names keys of objects and numbers of lists. */
export function takenFrom(given: Given, way: readonly (string | number)[]): Given {
  return way.reduce<Given>((of, key) => ({ of, key }), given);
}

/** Keeps that a name or a field of `this` gets a value; null for one that cannot be followed. */
export function flowTo(
  target: string,
  given: Given | null,
  node: SyntaxNode,
  place: Place,
  found: Findings,
): void {
  const isAssignment = node.type.endsWith('assignment_expression');
  // Text and numbers say nothing of a name that is a definition, or of a field.
  const isPlain = given !== null && 'node' in given && EMPTY.has(given.node.type);
  if (isPlain && (target.includes('.') || (place.scope.isModule && place.block === null))) return;
  found.flows.push({ kind: undefined, target, given, isAssignment, node, place });
}

/** Keeps what the definition around gives, when it does not say so itself. */
export function returned(node: SyntaxNode, place: Place, found: Findings): void {
  const { owner } = place;
  if (owner === null || place.functionBlock !== null || annotationOf(owner) !== null) return;
  found.flows.push({ kind: 'return', target: '', given: { node }, isAssignment: false, node, place });
}

/**
 * The flows that somebody can ask for: of locals those that a reference, or another flow, begins with. Asking goes
 * on until nothing new is asked for.
 */
export function neededFlows(found: Findings, numbers: Numbers): FlowFact[] {
  const declared = declarations(found);
  const values: Values = { found, numbers, asked: [] };
  const kept: { flow: FoundFlow; fact: FlowFact }[] = [];
  const keep = (flow: FoundFlow) => kept.push({ flow, fact: factOf(flow, declared, values) });
  /** Flows to locals that nobody has asked for yet. */
  const waiting = new Map<Scope, Map<string, FoundFlow[]>>();
  for (const flow of found.flows) {
    const scope = homeOf(flow);
    if (scope === null) keep(flow);
    else if (scope) {
      const names = waiting.get(scope) ?? new Map<string, FoundFlow[]>();
      if (names.size === 0) waiting.set(scope, names);
      const flows = names.get(flow.target);
      if (flows) flows.push(flow);
      else names.set(flow.target, [flow]);
      if (scope.isNeeded(flow.target)) values.asked.push({ scope, name: flow.target });
    }
  }
  for (let next = values.asked.pop(); next; next = values.asked.pop()) {
    const names = waiting.get(next.scope);
    const flows = names?.get(next.name) ?? [];
    names?.delete(next.name);
    for (const flow of flows) keep(flow);
  }
  return kept.sort((a, b) => a.flow.node.start - b.flow.node.start).map(({ fact }) => fact);
}

/** The scope of the local that a flow goes to; null where anybody may ask for it, undefined where nothing binds it. */
function homeOf({ kind, target, place }: FoundFlow): Scope | null | undefined {
  if (kind === 'return' || target.includes('.')) return null;
  const scope = place.scope.binding(target);
  return scope === null ? undefined : scope.isModule ? null : scope;
}

type Declarations = ReadonlyMap<Scope, ReadonlyMap<string, FoundFlow>>;

function declarations(found: Findings): Declarations {
  const declared = new Map<Scope, Map<string, FoundFlow>>();
  for (const flow of found.flows) {
    if (flow.isAssignment || flow.kind || flow.target.includes('.')) continue;
    const scope = flow.place.scope.binding(flow.target);
    if (scope === null) continue;
    const names = declared.get(scope) ?? new Map<string, FoundFlow>();
    if (!names.has(flow.target)) declared.set(scope, names.set(flow.target, flow));
  }
  return declared;
}

function factOf(flow: FoundFlow, declared: Declarations, values: Values): FlowFact {
  const { kind, target, given, node, place, isAssignment } = flow;
  const { source } = values.found;
  const number = (definition: number | null) =>
    definition === null ? null : (values.numbers.definitions[definition] ?? null);
  const scope = kind || target.includes('.') ? null : place.scope.binding(target);
  const home = isAssignment && scope ? declared.get(scope)?.get(target) : undefined;
  const from = number(place.definition);
  const owner = scope?.isModule && isAssignment ? null : home ? number(home.place.definition) : from;
  const { block } = home?.place ?? place;
  const isField = kind !== undefined || target.includes('.') || (scope?.isModule ?? false);
  return {
    kind,
    target,
    keys: undefined,
    value: given && valueOfGiven(given, place.scope, values),
    from,
    scope: owner === from ? undefined : owner,
    block: block === null || isField ? undefined : source.span(block.start, block.end),
    narrows: undefined,
    branch: undefined,
    loop: undefined,
    line: source.line(node.start),
    column: source.columnOf(node.start),
  };
}

/** What is given as a value that can be followed from `scope`; null for what cannot. */
function valueOfGiven(given: Given, scope: Scope, values: Values): FlowFact['value'] {
  if ('typed' in given) return { typed: given.typed };
  if ('node' in given) return valueFact(given.node, scope, values);
  if ('context' in given) return contextValue(given.context, scope, values);
  if ('function' in given) {
    const of = contextValue(given.function, scope, values);
    return of === null ? null : { of, parameter: given.parameter };
  }
  if ('item' in given) {
    const of = valueFact(given.item, scope, values);
    return of === null ? null : { of, key: null };
  }
  const of = valueOfGiven(given.of, scope, values);
  if (of === null) return null;
  if (typeof given.key === 'number') return { of, key: { literal: given.key } };
  return typeof of === 'string' ? `${of}.${given.key}` : { of, member: given.key };
}

/** What keys, and members that are read of what is no path, are members of. */
export class Owners {
  readonly #values: Values;
  /** What the keys of one literal share is one value, and written once. */
  readonly #known = new Map<Given, ValueFact | null>();

  constructor(values: Values) {
    this.#values = values;
  }

  /** Null where it cannot be followed, or leads out of the project; undefined where it is not asked for. */
  of({ kind, receiver, given, scope }: FoundUse): ValueFact | null | undefined {
    if (given === undefined) {
      if (!receiver?.node || !READ.has(kind)) return undefined;
      const on = this.#isOwn(receiver.root, scope)
        ? valueFact(receiver.node, scope, this.#values, true)
        : null;
      return typeof on === 'string' ? null : on;
    }
    const known = this.#known.get(given);
    if (known !== undefined) return known;
    const value = valueOfGiven(given, scope, this.#values);
    const on = value !== null && this.#isNamed(value, scope) ? value : null;
    this.#known.set(given, on);
    return on;
  }

  #isNamed(value: ValueFact, scope: Scope): boolean {
    const root = rootOf(value);
    if (typeof root === 'string') return this.#isOwn(root.split('.', 1)[0] ?? null, scope);
    if (!('typed' in root)) return true;
    return !OF_NOBODY.test(root.typed) && !(root === value && LITERAL_TYPE.test(root.typed));
  }

  /** What the language and test frameworks take names no property of a project. */
  #isOwn(root: string | null, scope: Scope): boolean {
    if (root === null || root === 'this') return true;
    const binding = scope.lookup(root);
    if (binding !== 'import') return binding !== null;
    return !this.#values.found.importsOf(root).some(({ module }) => FRAMEWORK.test(module));
  }
}

/** Types whose members are no property of a project. */
const OF_NOBODY = /^(?:any|unknown|object|string|number|boolean)(?:\[\])*$/;
/** Types whose members stand in the type itself; what is below them may be named. */
const LITERAL_TYPE = /^\{[^&|]*\}(?:\[\])*$/;
const READ: ReadonlySet<ReferenceKind> = new Set(['read', 'write', 'pass']);

/** What a value begins with: a path or a type. */
function rootOf(value: ValueFact): ValueFact {
  if (typeof value === 'string') return value;
  if ('of' in value) return rootOf(value.of);
  if ('expected' in value) return rootOf(value.expected);
  if ('call' in value) return rootOf(value.call);
  if ('await' in value) return rootOf(value.await);
  return value;
}
