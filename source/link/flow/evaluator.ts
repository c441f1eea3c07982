import { linkRulesOf } from '../../languages/index.js';
import type { Program } from '../../resolution/program.js';
import { type Sym, type UnitView, unitView } from '../unit-view.js';
import { annotatedValues, typeNamed } from './annotations.js';
import { builtinResult, callOf, instancesOf, resultOf } from './calls.js';
import { memberOf } from './classes.js';
import { itemOf, slice } from './containers.js';
import type { Caller, Callers, FlowContext } from './context.js';
import type { Flow } from './flows.js';
import { receiverValue } from './frames.js';
import { membersOf } from './members.js';
import type { Named } from './modules.js';
import { namedValues, nameValues, symbolValues } from './names.js';
import { activated, parameterValues } from './parameters.js';
import { classOf } from './scopes.js';
import {
  type CallArguments,
  type CallFrame,
  type Entry,
  eachOf,
  inferred,
  NOTHING,
  oneOf,
  only,
  together,
  UNKNOWN,
  type Value,
  type ValueSet,
} from './value.js';

/** Expressions evaluated for one question, and how many lie inside each other: beyond that nothing is said. */
const MOST_STEPS = 2_000;
const DEEPEST = 60;

/**
 * Evaluates expressions for one file, whose questions must come in one order: what was found on the way is cached.
 * Recursive or too deep evaluations give nothing, and what rests on that is cached only at the end of the circle.
 */
export class FlowEvaluator implements FlowContext {
  /** What is being worked out: a value that rests on itself adds nothing to itself. */
  readonly #open = new Set<unknown>();
  readonly #cache = new Map<unknown, { readonly values: ValueSet; readonly dependsOnCallers: boolean }>();
  /** Whether the known callers of a function were asked for since this was last set. */
  dependsOnCallers = false;
  #steps = 0;
  #depth = 0;
  /** How often something was cut short. */
  #cuts = 0;

  /** @param budget What is left of the steps that all questions of the file may take together. */
  constructor(
    readonly program: Program,
    readonly home: UnitView,
    private readonly callers: Callers,
    private readonly budget: { steps: number },
  ) {}

  /** The values of an expression as a new question; null when that goes too far. */
  ask(row: number): ValueSet | null {
    this.#steps = 0;
    if (this.budget.steps <= 0) return null;
    const found = this.values(this.home, row, null);
    this.budget.steps -= this.#steps;
    return this.#steps > MOST_STEPS ? null : found;
  }

  callersOf(symbol: Sym): readonly Caller[] {
    this.dependsOnCallers = true;
    return this.callers.get(symbol) ?? [];
  }

  view(path: string): UnitView | null {
    const facts = this.program.tables.get(path)?.facts;
    if (path === this.home.path) return this.home;
    return facts ? unitView(path, facts, linkRulesOf(facts.language)) : null;
  }

  values(view: UnitView, row: number, frame: CallFrame | null): ValueSet {
    this.#steps += 1;
    if (row < 0) return UNKNOWN;
    if (this.#steps > MOST_STEPS || this.#depth > DEEPEST) {
      this.#cuts += 1;
      return UNKNOWN;
    }
    this.#depth += 1;
    const found = this.#evaluated(view, row, frame);
    this.#depth -= 1;
    return found;
  }

  flowing(view: UnitView, flow: Flow, frame: CallFrame | null): ValueSet {
    const work = () => this.once(flow, () => this.values(view, flow.value, frame));
    return frame ? work() : this.cached(flow, work);
  }

  once(what: unknown, work: () => ValueSet): ValueSet {
    if (this.#open.has(what)) {
      this.#cuts += 1;
      return NOTHING;
    }
    this.#open.add(what);
    const found = work();
    this.#open.delete(what);
    return found;
  }

  cached(key: unknown, work: () => ValueSet): ValueSet {
    const known = this.#cache.get(key);
    if (known) {
      this.dependsOnCallers ||= known.dependsOnCallers;
      return known.values;
    }
    const [cuts, before] = [this.#cuts, this.dependsOnCallers];
    this.dependsOnCallers = false;
    const values = work();
    const { dependsOnCallers } = this;
    if (cuts === this.#cuts) this.#cache.set(key, { values, dependsOnCallers });
    this.dependsOnCallers ||= before;
    return values;
  }

  namedValues(named: Named, frame: CallFrame | null): ValueSet {
    return namedValues(this, named, frame);
  }

  member(value: Value, name: string): ValueSet {
    return membersOf(this, value, name);
  }

  item(value: Value, key: ValueSet | null): ValueSet {
    return itemOf(this, value, key);
  }

  called(callee: ValueSet, given: CallArguments): ValueSet {
    return callOf(this, callee, given);
  }

  resultOf(callee: Value & { kind: 'function' }, given: CallArguments): ValueSet {
    return resultOf(this, callee, given);
  }

  annotated(view: UnitView, type: number, self: Value | null): ValueSet | null {
    return annotatedValues(this, view, type, self);
  }

  baseNamed(view: UnitView, type: number): Named | null {
    return typeNamed(this, view, type);
  }

  activated(callee: Value & { kind: 'function' }, given: CallArguments): CallFrame {
    return activated(this, callee, given);
  }

  parameter(view: UnitView, scope: number, binding: number, frame: CallFrame | null): ValueSet {
    return parameterValues(this, view, scope, binding, frame);
  }

  #evaluated(view: UnitView, row: number, frame: CallFrame | null): ValueSet {
    const { expressions } = view.unit;
    const base = expressions.base[row] ?? -1;
    const of = () => this.values(view, base, frame);
    switch (view.expressionKind(row)) {
      case 'name':
        return nameValues(this, view, row, frame);
      case 'member':
        return this.#member(view, row, frame);
      case 'call':
        return this.#call(view, row, frame);
      case 'index': {
        const key = this.values(view, view.items('expressions', row)[0] ?? -1, frame);
        return inferred(eachOf(of(), (value) => this.item(value, key)));
      }
      case 'part': {
        const key = only({ kind: 'literal', literal: expressions.at[row] ?? 0 });
        return inferred(eachOf(of(), (value) => this.item(value, key)));
      }
      case 'element':
        return inferred(eachOf(of(), (value) => this.item(value, null)));
      case 'slice': {
        const bounds = view.items('expressions', row).map((one) => this.values(view, one, frame));
        return eachOf(of(), (value) => slice(value, bounds));
      }
      case 'await':
        return eachOf(of(), (value) =>
          value.kind === 'awaitable'
            ? inferred(value.result)
            : value.kind === 'instance'
              ? only(value)
              : UNKNOWN,
        );
      case 'list':
        return this.#list(view, row, frame);
      case 'map':
        return only({ kind: 'dictionary', entries: this.#entries(view, row, frame) });
      case 'either': {
        const items = view.items('expressions', row);
        return items.length === 0
          ? UNKNOWN
          : inferred(oneOf(items.map((one) => this.values(view, one, frame))));
      }
      case 'symbol':
        return symbolValues(this, view.symbol(expressions.at[row] ?? -1), 'exact', frame);
      case 'constant':
        return only({ kind: 'literal', literal: this.#constant(view, row) });
      case 'nothing':
        return only({ kind: 'literal', literal: null });
      case 'named':
        return of();
      case 'instance':
        return instancesOf(of());
      case 'entered': {
        const entered = view.rules.flow?.methods.entered ?? '';
        const given = { view, call: -1, frame: null };
        return eachOf(of(), (value) =>
          // What a `with` hands over is nearly always the thing itself.
          value.kind === 'external' && value.via === 'type'
            ? only(value)
            : this.called(this.member(value, entered), given),
        );
      }
      case 'this': {
        const type = classOf(view, expressions.scope[row] ?? -1);
        return type < 0 ? UNKNOWN : only(receiverValue(view, type, false));
      }
      default:
        return UNKNOWN;
    }
  }

  #member(view: UnitView, row: number, frame: CallFrame | null): ValueSet {
    const base = view.unit.expressions.base[row] ?? -1;
    const name = view.expressionName(row);
    if (base >= 0 && view.expressionKind(base) === 'super') {
      const method = superMember(this, view, base, name);
      return method
        ? only({ kind: 'function', symbol: method.symbol, self: method.self, around: null, via: 'type' })
        : UNKNOWN;
    }
    return eachOf(this.values(view, base, frame), (value) => this.member(value, name));
  }

  #call(view: UnitView, row: number, frame: CallFrame | null): ValueSet {
    const builtin = builtinResult(this, view, row, frame);
    if (builtin) return builtin;
    const callee = this.values(view, view.unit.expressions.base[row] ?? -1, frame);
    return this.called(callee, { view, call: row, frame });
  }

  #list(view: UnitView, row: number, frame: CallFrame | null): ValueSet {
    const items: ValueSet[] = [];
    const more: ValueSet[] = [];
    for (const one of view.items('expressions', row))
      if (one >= 0 && view.expressionKind(one) === 'spread')
        more.push(
          eachOf(this.values(view, view.unit.expressions.base[one] ?? -1, frame), (value) =>
            this.item(value, null),
          ),
        );
      else (more.length > 0 ? more : items).push(this.values(view, one, frame));
    return only({ kind: 'list', items, more: together(more) });
  }

  #entries(view: UnitView, row: number, frame: CallFrame | null): Entry[] {
    const items = view.items('expressions', row);
    const entries: Entry[] = [];
    for (let at = 0; at < items.length; at += 2) {
      const [known, ...others] = this.values(view, items[at] ?? -1, frame).all;
      const key = known?.kind === 'literal' && others.length === 0 ? known.literal : null;
      entries.push({ key, values: this.values(view, items[at + 1] ?? -1, frame), isSure: true });
    }
    return entries;
  }

  #constant(view: UnitView, row: number): string | number {
    const text = view.expressionName(row);
    const type = view.unit.expressions.base[row] ?? -1;
    const isNumber = type >= 0 && view.expressionName(type) === view.rules.flow?.wholeNumber;
    return isNumber ? Number(text) : text;
  }
}

/** What the nearest class behind the one around has under a name: `super().name`. */
export function superMember(
  ctx: FlowContext,
  view: UnitView,
  row: number,
  name: string,
): { readonly symbol: Sym; readonly self: Value } | null {
  const scope = view.unit.expressions.scope[row] ?? -1;
  const type = classOf(view, scope);
  if (type < 0) return null;
  const found = memberOf(ctx, view.symbol(type), name, true);
  return found && { symbol: found.symbol, self: receiverValue(view, type, false) };
}
