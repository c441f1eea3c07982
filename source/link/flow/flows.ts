import { FLOW_KINDS, type FlowKind } from '../../ir/index.js';
import { append } from '../../resolution/module-table.js';
import type { UnitView } from '../unit-view.js';
import { boundScope, classOf, ownerOf } from './scopes.js';

/** A part of a text: its start, and its end, excluded. */
export type Extent = readonly [number, number];

/** One row of a unit's flows. */
export interface Flow {
  readonly row: number;
  readonly kind: FlowKind;
  /** The expression that it gives; -1: something unknown. */
  readonly value: number;
  /** What is written into a container: the expressions of the keys, -1 for one that is not known; null: all of the target. */
  readonly keys: readonly number[] | null;
  /** The definition that runs it; -1 for the file. */
  readonly owner: number;
  readonly at: number;
  readonly branch: Extent | null;
  readonly loop: Extent | null;
  readonly within: Extent | null;
}

/** The flows of one unit by what they go into. */
export class FlowIndex {
  /** By scope and name. */
  readonly #assigned = new Map<string, Flow[]>();
  readonly #writes = new Map<string, Flow[]>();
  /** By class and attribute. */
  readonly #fields = new Map<string, Flow[]>();
  readonly #fieldWrites = new Map<string, Flow[]>();
  /** By function. */
  readonly #returned = new Map<number, Flow[]>();
  readonly #yielded = new Map<number, Flow[]>();
  /** By function and parameter. */
  readonly #defaults = new Map<string, Flow>();
  /** The types that are written for a name of a scope, and for an attribute of a class: the first one of each. */
  readonly #declared = new Map<string, number>();
  readonly #declaredFields = new Map<string, number>();
  /** Where definitions take place, by symbol. */
  readonly #definedAt = new Map<number, number>();

  constructor(view: UnitView) {
    const { flows } = view.unit;
    for (let row = 0; row < flows.length; row += 1) this.#add(view, row);
  }

  /** What is assigned to a name of a scope, and what conditions tell of it; in source order. */
  assigned(scope: number, name: string): readonly Flow[] {
    return this.#assigned.get(`${scope} ${name}`) ?? NONE;
  }

  /** What is written into the container that a name of a scope holds. */
  writes(scope: number, name: string): readonly Flow[] {
    return this.#writes.get(`${scope} ${name}`) ?? NONE;
  }

  /** What the methods of a class assign to an attribute of the object that they are called on. */
  fieldFlows(type: number, name: string): readonly Flow[] {
    return this.#fields.get(`${type} ${name}`) ?? NONE;
  }

  /** What they write into the container that it holds. */
  fieldWrites(type: number, name: string): readonly Flow[] {
    return this.#fieldWrites.get(`${type} ${name}`) ?? NONE;
  }

  returned(symbol: number): readonly Flow[] {
    return this.#returned.get(symbol) ?? NONE;
  }

  yielded(symbol: number): readonly Flow[] {
    return this.#yielded.get(symbol) ?? NONE;
  }

  /** The default value of a parameter. */
  defaultOf(scope: number, name: string): Flow | undefined {
    return this.#defaults.get(`${scope} ${name}`);
  }

  /** The type that is written for a name of a scope; -1 for none. */
  declared(scope: number, name: string): number {
    return this.#declared.get(`${scope} ${name}`) ?? -1;
  }

  /** The type that a class body or the methods of a class write for an attribute; -1 for none. */
  declaredField(type: number, body: number, name: string): number {
    return this.#declared.get(`${body} ${name}`) ?? this.#declaredFields.get(`${type} ${name}`) ?? -1;
  }

  /** Where a definition has taken place: of a variable where something is first assigned to it. */
  definedAt(view: UnitView, symbol: number): number {
    const known = this.#definedAt.get(symbol);
    if (known !== undefined) return known;
    const scope = view.unit.symbols.scope[symbol] ?? -1;
    return this.assigned(scope, view.symbolName(symbol))[0]?.at ?? 0;
  }

  #define(view: UnitView, row: number): void {
    const value = view.unit.flows.value[row] ?? -1;
    if (value >= 0 && view.expressionKind(value) === 'symbol')
      this.#definedAt.set(view.unit.expressions.at[value] ?? -1, view.unit.flows.at[row] ?? 0);
  }

  #add(view: UnitView, row: number): void {
    const { flows, expressions } = view.unit;
    const kind = FLOW_KINDS[flows.kind[row] ?? 0] ?? 'assign';
    if (kind === 'define') {
      this.#define(view, row);
      return;
    }
    let target = flows.target[row] ?? -1;
    let keys: number[] | null = null;
    for (; target >= 0; target = expressions.base[target] ?? -1) {
      const shape = view.expressionKind(target);
      if (shape !== 'index' && shape !== 'element') break;
      keys ??= [];
      keys.unshift(shape === 'index' ? (view.items('expressions', target)[0] ?? -1) : -1);
    }
    const flow: Flow = {
      row,
      kind,
      value: flows.value[row] ?? -1,
      keys,
      owner: flows.symbol[row] ?? -1,
      at: flows.at[row] ?? 0,
      branch: extent(view, flows.branch[row] ?? -1),
      loop: extent(view, flows.loop[row] ?? -1),
      within: extent(view, flows.within[row] ?? -1),
    };
    if (kind === 'return' || kind === 'yield') {
      append(kind === 'return' ? this.#returned : this.#yielded, flow.owner, flow);
      return;
    }
    if (target < 0) return;
    const scope = flows.scope[row] ?? -1;
    const name = view.expressionName(target);
    const isName = view.expressionKind(target) === 'name';
    if (kind === 'declare') {
      const type = flow.value < 0 ? -1 : (expressions.type[flow.value] ?? -1);
      const key = isName ? scope : receiverClass(view, expressions.base[target] ?? -1);
      const types = isName ? this.#declared : this.#declaredFields;
      if (!types.has(`${key} ${name}`)) types.set(`${key} ${name}`, type);
      return;
    }
    if (isName) {
      if (kind === 'default') this.#defaults.set(`${scope} ${name}`, flow);
      else append(keys === null ? this.#assigned : this.#writes, `${scope} ${name}`, flow);
      return;
    }
    const object = expressions.base[target] ?? -1;
    if (view.expressionKind(target) !== 'member' || object < 0) return;
    const type = receiverClass(view, object);
    if (type >= 0) append(keys === null ? this.#fields : this.#fieldWrites, `${type} ${name}`, flow);
  }
}

/** The class whose instance, or which itself, a name is as the receiver of a method; -1 for any other expression. */
export function receiverClass(view: UnitView, expression: number): number {
  if (expression < 0) return -1;
  const { expressions } = view.unit;
  const kind = view.expressionKind(expression);
  const scope = expressions.scope[expression] ?? -1;
  if (kind === 'this') return classOf(view, scope);
  if (kind !== 'name') return -1;
  const name = view.expressionName(expression);
  const bound = boundScope(view, scope, name);
  return bound >= 0 && receiverIn(view, bound, name) >= 0 ? classOf(view, bound) : -1;
}

/** The binding by which a scope names the object that its function is called on; -1 where the name is another. */
export function receiverIn(view: UnitView, scope: number, name: string): number {
  for (const { table, row } of view.entries(scope, name))
    if (table === 'binding' && view.bindingKind(row) === 'receiver') return row;
  return -1;
}

function extent(view: UnitView, row: number): Extent | null {
  const { extents } = view.unit;
  return row < 0 ? null : [extents.start[row] ?? 0, extents.end[row] ?? 0];
}

const NONE: readonly Flow[] = [];
const indexes = new WeakMap<UnitView, FlowIndex>();

/** The flows of a unit, indexed once. */
export function flowsOf(view: UnitView): FlowIndex {
  let index = indexes.get(view);
  if (!index) {
    index = new FlowIndex(view);
    indexes.set(view, index);
  }
  return index;
}

/** Which flows into a name are seen at a place. */
export interface Reaching {
  /** In source order; null: so many that nothing is known. */
  readonly flows: readonly Flow[] | null;
  /** Whether one of them surely came before: what the name held at first is gone. */
  readonly isWhole: boolean;
  /** Whether a condition that holds at the place tells it. */
  readonly isInner: boolean;
}

/** Flows into one name that are looked at for one place. */
export const MOST_FLOWS = 100;

/**
 * The flows into a name of a scope that can be what is found at a place of it; `at` null asks from elsewhere, when all of
 * the scope has been run. A later flow hides an earlier one if it is run whenever that or the place is. Null without any.
 *
 * @param withConditions Whether what conditions tell counts besides what is assigned.
 */
export function reaching(
  view: UnitView,
  scope: number,
  name: string,
  at: number | null,
  withConditions = true,
): Reaching | null {
  const every = flowsOf(view).assigned(scope, name);
  const all = withConditions ? every : every.filter(({ kind }) => kind !== 'narrow');
  if (all.length === 0) return null;
  const owner = ownerOf(view, scope);
  const near = all.length <= MOST_FLOWS ? all : nearFlows(all, owner, at);
  if (near === null) return BEYOND;
  const candidates = near.filter(({ within }) => (at === null ? !within : !within || isIn(at, within)));
  if (candidates.length === 0) return null;
  const [inner] = candidates.filter(({ within }) => within).slice(-1);
  if (inner?.within && at !== null) {
    const [start] = inner.within;
    const isOverwritten = candidates.some((flow) => !flow.within && flow.at > start && flow.at <= at);
    if (!isOverwritten) return { flows: [inner], isWhole: true, isInner: true };
  }
  const seen = candidates.filter((flow) => !flow.within && isSeen(flow, owner, at));
  // What is surely run hides all that is before it, which is most in a long file.
  const last = seen.findLastIndex((flow) => isRunBefore(flow, owner, at));
  const open = seen.slice(Math.max(0, last));
  const flows = open.filter(
    (flow, index) => !open.some((later, i) => i > index && hides(later, flow, owner, at)),
  );
  return { flows, isWhole: flows.some((flow) => isRunBefore(flow, owner, at)), isInner: false };
}

/** So many flows that nothing is known of the name. */
const BEYOND: Reaching = { flows: null, isWhole: true, isInner: false };

/** Whether what is found is what a condition tells. */
export function isNarrowed(found: Reaching | null): boolean {
  return (
    found?.isWhole === true && found.flows !== null && found.flows.every(({ kind }) => kind === 'narrow')
  );
}

/** Whether a flow gives what cannot be called and has no members. */
export function isNothing(view: UnitView, { value }: Flow): boolean {
  return value >= 0 && view.expressionKind(value) === 'nothing';
}

/** Whether a flow gives that, a number or a text: nothing in which members of the program are found. */
export function isLiteral(view: UnitView, flow: Flow): boolean {
  return isNothing(view, flow) || (flow.value >= 0 && view.expressionKind(flow.value) === 'constant');
}

/** Of many flows those around a place; null when these are still too many. */
function nearFlows(all: readonly Flow[], owner: number, at: number | null): readonly Flow[] | null {
  const own: Flow[] = [];
  const others: Flow[] = [];
  const inner: Flow[] = [];
  for (const flow of all)
    if (flow.within) {
      if (at !== null && isIn(at, flow.within)) inner.push(flow);
    } else (flow.owner === owner ? own : others).push(flow);
  const end = at === null ? own.length : own.filter((flow) => flow.at <= at).length;
  const start = Math.max(0, end - MOST_FLOWS);
  let behind = end;
  // What a loop assigns below a place reaches it too.
  while (
    at !== null &&
    own[behind]?.loop &&
    isIn(at, own[behind]?.loop ?? null) &&
    behind - end <= MOST_FLOWS
  )
    behind += 1;
  if (behind - end > MOST_FLOWS) return null;
  const near = own.slice(start, behind);
  const last = near.findLast((flow) => isRunBefore(flow, owner, at));
  if (!last && start > 0) return null;
  const later = last ? others.filter((flow) => flow.at > last.at) : others;
  if (later.length > MOST_FLOWS) return null;
  return [...near, ...later, ...inner.slice(-1)].sort((a, b) => a.at - b.at);
}

function isSeen(flow: Flow, owner: number, at: number | null): boolean {
  if (at === null || flow.owner !== owner) return true;
  return flow.at <= at || isIn(at, flow.loop);
}

function hides(later: Flow, earlier: Flow, owner: number, at: number | null): boolean {
  if (later.owner !== owner || (at !== null && later.at > at)) return false;
  const { branch } = later;
  return !branch || isIn(earlier.at, branch) || (at !== null && isIn(at, branch));
}

function isRunBefore(flow: Flow, owner: number, at: number | null): boolean {
  if (flow.owner !== owner || (at !== null && flow.at > at)) return false;
  return !flow.branch || (at !== null && isIn(at, flow.branch));
}

/** Whether a place lies in a part of the text; its end counts, where the last statement ends. */
export function isIn(at: number, extent: Extent | null): boolean {
  return extent !== null && at >= extent[0] && at <= extent[1];
}
