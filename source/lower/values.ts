import type { Arguments, ValueFact } from '../flow-facts.js';
import { EXPRESSION_KINDS, type ExpressionKind, type Unit } from '../ir/index.js';
import type { FlowFactRules, FlowRules } from './rules.js';
import type { FoundName, Scope, Scopes } from './scopes.js';

/** Items of a literal that are followed, and parts of an expression inside each other: more are data, not program. */
const MOST_ITEMS = 100;
const DEEPEST = 12;

/** What values are read from. */
export interface ValueSources {
  readonly unit: Unit;
  readonly scopes: Scopes;
  readonly rules: FlowFactRules & Pick<FlowRules, 'isBuiltin'>;
  /** Whether an import brings names that are not listed. */
  readonly hasStar: boolean;
}

/** Reads the expressions of a unit as values to be followed. */
export class ValueReader {
  /** Names to which something flows that may be followed, by the scope that has them. */
  readonly #live = new Map<number, Set<string>>();

  constructor(private readonly from: ValueSources) {}

  /** Says that a flow leads to a name of a scope. */
  enliven(scope: number, name: string): void {
    const known = this.#live.get(scope);
    if (known) known.add(name);
    else this.#live.set(scope, new Set([name]));
  }

  /** Says that nothing known flows to a name after all. */
  forget(scope: number, name: string): void {
    this.#live.get(scope)?.delete(name);
  }

  kind(row: number): ExpressionKind {
    return EXPRESSION_KINDS[this.from.unit.expressions.kind[row] ?? -1] ?? 'unknown';
  }

  name(row: number): string {
    return this.from.unit.text(this.from.unit.expressions.name[row] ?? 0);
  }

  base(row: number): number {
    return this.from.unit.expressions.base[row] ?? -1;
  }

  /** The rows of what an expression is made of. */
  items(row: number): number[] {
    const { unit } = this.from;
    const first = unit.expressions.first[row] ?? 0;
    const end = first + (unit.expressions.count[row] ?? 0);
    const rows: number[] = [];
    for (let at = first; at < end; at += 1) rows.push(unit.items.row[at] ?? -1);
    return rows;
  }

  /** `a.b.c` of a name or a member of one; null for all others. */
  path(row: number): string | null {
    const names: string[] = [];
    let at = row;
    for (; at >= 0 && this.kind(at) === 'member'; at = this.base(at)) names.push(this.name(at));
    if (at < 0 || this.kind(at) !== 'name') return null;
    names.push(this.name(at));
    return names.reverse().join('.');
  }

  /** What the name means that a path begins with. */
  root(row: number): FoundName | null {
    let at = row;
    while (at >= 0 && this.kind(at) === 'member') at = this.base(at);
    return at < 0 ? null : this.#find(this.name(at), at);
  }

  #find(name: string, row: number): FoundName | null {
    const { unit, scopes } = this.from;
    const scope: Scope | undefined = scopes.at(unit.expressions.scope[row] ?? 0);
    return scopes.find(name, scope);
  }

  /** Whether a first name can be followed: an import, a definition, a parameter of one, a local with a flow. */
  #isLive(name: string, row: number): boolean {
    const found = this.#find(name, row);
    if (!found) return this.from.hasStar && !this.from.rules.isBuiltin(name);
    const { known, scope } = found;
    if (known === 'symbol' || known === 'import') return true;
    if (known !== 'local' && known !== 'type parameter' && scope.kind === 'function' && scope.symbol >= 0)
      return true;
    return this.#live.get(scope.row)?.has(name) ?? false;
  }

  /** What an expression gives; null when nothing is known of it. */
  value(row: number, depth = 0): ValueFact | null {
    if (row < 0 || depth > DEEPEST) return null;
    const inner = () => this.value(this.base(row), depth + 1);
    const { entering } = this.from.rules;
    switch (this.kind(row)) {
      case 'name':
        return this.#isLive(this.name(row), row) ? this.name(row) : null;
      case 'member':
        return this.#member(row, depth);
      case 'call':
        return this.#call(row, depth);
      case 'index':
        return this.#index(row, depth);
      case 'slice':
        return this.#slice(row, depth);
      case 'await': {
        const of = inner();
        return of === null ? null : { await: of };
      }
      case 'list':
        return this.#list(row, depth);
      case 'map':
        return this.#map(row, depth);
      case 'either':
        return either(this.items(row).map((one) => this.alternative(one, depth)));
      case 'symbol':
        return { definition: this.from.unit.expressions.at[row] ?? -1 };
      case 'part': {
        const of = this.given(this.base(row), depth + 1);
        return of === null ? null : { of, key: { literal: this.from.unit.expressions.at[row] ?? 0 } };
      }
      case 'element': {
        const of = this.given(this.base(row), depth + 1);
        return of === null ? null : { of, key: null };
      }
      case 'entered': {
        const of = inner();
        return of === null ? null : { call: { of, member: entering ?? '' } };
      }
      case 'instance': {
        const call = inner();
        return call === null ? null : { call };
      }
      default:
        return null;
    }
  }

  /** As {@link value}; of what is nothing it is known that it is no function. */
  alternative(row: number, depth = 0): ValueFact | null {
    return this.kind(row) === 'nothing' ? { literal: null } : this.value(row, depth + 1);
  }

  /** What is handed on: at the top of a file a literal, too, which may be a key. */
  given(row: number, depth = 0): ValueFact | null {
    const isTop = row >= 0 && (this.from.unit.expressions.scope[row] ?? -1) === 0;
    return this.alternative(row, depth) ?? (isTop ? this.literal(row) : null);
  }

  /** A text or whole number as a value; null for anything else. */
  literal(row: number): ValueFact | null {
    if (row < 0 || this.kind(row) !== 'constant') return null;
    const text = this.name(row);
    const type = this.name(this.base(row));
    return { literal: type === 'int' ? Number(text) : text };
  }

  /** A key: a literal, or what can be followed. */
  key(row: number, depth = 0): ValueFact | null {
    return this.literal(row) ?? this.value(row, depth);
  }

  /** What a call hands over; null when nothing of it can be followed. Literals are keys to what the function holds. */
  passed(row: number, depth = 0, withLiterals = false): Arguments | null {
    const read = (one: number) => this.value(one, depth + 1) ?? (withLiterals ? this.literal(one) : null);
    const passed: (ValueFact | null)[] = [];
    const named: [string, ValueFact][] = [];
    let isSpread = false;
    for (const one of this.items(row)) {
      const kind = this.kind(one);
      if (kind === 'spread') isSpread ||= this.name(one) === '';
      else if (kind === 'named') {
        const given = read(this.base(one));
        if (given !== null) named.push([this.name(one), given]);
      } else if (!isSpread) passed.push(read(one));
    }
    while (passed.length > 0 && passed[passed.length - 1] === null) passed.pop();
    if (passed.length === 0 && named.length === 0) return null;
    return named.length === 0 ? { passed } : { passed, named: Object.fromEntries(named) };
  }

  #member(row: number, depth: number): ValueFact | null {
    const path = this.path(row);
    if (path !== null) {
      let root = row;
      while (this.kind(root) === 'member') root = this.base(root);
      return this.#isLive(this.name(root), root) ? path : null;
    }
    const of = this.value(this.base(row), depth + 1);
    return of && { of, member: this.name(row) };
  }

  #call(row: number, depth: number): ValueFact | null {
    const callee = this.base(row);
    if (this.kind(callee) === 'name') {
      const name = this.name(callee);
      if (!this.#find(name, callee) && !this.#isLive(name, callee)) return this.#builtin(name, row, depth);
    }
    const call = this.value(callee, depth + 1);
    return call === null ? null : { call, ...this.passed(row, depth) };
  }

  /** The language's own functions that hand their argument on. */
  #builtin(name: string, row: number, depth: number): ValueFact | null {
    const { passing } = this.from.rules;
    const does = Object.hasOwn(passing, name) ? passing[name] : undefined;
    if (does === undefined) return null;
    const [first = -1, second = -1] = this.items(row);
    const isNamed = first >= 0 && this.kind(first) === 'named';
    if (does === 'entries' && (first < 0 || isNamed)) {
      const named = Object.entries(this.passed(row, depth)?.named ?? {});
      return { dict: named.map(([key, value]) => [{ literal: key }, value]) };
    }
    if (does === 'same' && first < 0) return { list: [] };
    const of = isNamed ? null : this.value(first, depth + 1);
    if (does === 'same' || does === 'entries' || of === null) return of;
    if (does === 'item') return { of, key: null };
    const member = this.literal(second);
    return typeof member === 'object' &&
      member !== null &&
      'literal' in member &&
      typeof member.literal === 'string'
      ? { of, member: member.literal }
      : null;
  }

  #index(row: number, depth: number): ValueFact | null {
    const of = this.value(this.base(row), depth + 1);
    const [index = -1, ...more] = this.items(row);
    if (!of || index < 0) return null;
    return { of, key: (more.length > 0 ? null : this.key(index, depth + 1)) ?? { either: [] } };
  }

  /** `[1:3]`; any other takes some of the items. */
  #slice(row: number, depth: number): ValueFact | null {
    const of = this.value(this.base(row), depth + 1);
    const [start, end] = this.items(row).map((one) => this.literal(one));
    if (!of || typeof start !== 'object' || typeof end !== 'object' || !start || !end) return null;
    if (!('literal' in start && 'literal' in end)) return null;
    const [from, to] = [start.literal, end.literal];
    return typeof from === 'number' && typeof to === 'number' ? { of, from, to } : null;
  }

  #list(row: number, depth: number): ValueFact | null {
    const items = this.items(row);
    if (items.length > MOST_ITEMS) return null;
    const [only = -1] = items;
    // All of another one.
    if (items.length === 1 && this.kind(only) === 'spread') return this.value(this.base(only), depth + 1);
    const list = items.map((one) => this.alternative(one, depth));
    return items.length === 0 || list.some((one) => one !== null) ? { list } : null;
  }

  #map(row: number, depth: number): ValueFact | null {
    const items = this.items(row);
    if (items.length > MOST_ITEMS * 2) return null;
    const dict: [ValueFact | null, ValueFact | null][] = [];
    for (let at = 0; at < items.length; at += 2) {
      const [key = -1, value = -1] = [items[at], items[at + 1]];
      if (key >= 0 && value >= 0) dict.push([this.key(key, depth + 1), this.alternative(value, depth)]);
    }
    return items.length === 0 || dict.some(([, value]) => value !== null) ? { dict } : null;
  }
}

function either(values: readonly (ValueFact | null)[]): ValueFact | null {
  return values.some((one) => one !== null && !isNothing(one)) ? { either: values } : null;
}

/** Whether a value is `None`, `null`. */
export function isNothing(value: ValueFact): boolean {
  return typeof value === 'object' && 'literal' in value && value.literal === null;
}
