import { createHash } from 'node:crypto';
import type { FileFacts } from '../facts.js';
import { readUnit } from '../ir/index.js';
import { offerWords } from './places.js';
import type { LinkRules } from './rules.js';
import { UnitView } from './unit-view.js';

/**
 * A digest of what resolutions of other files can see of a unit, and the words by which it is found: symbols outside of
 * bodies with their types, the values that give a type where none is written, bases, imports, the package. Nothing of
 * it are the bodies of functions, and where things stand.
 */
export function unitInterface(facts: FileFacts, rules: LinkRules): string {
  if (facts.unit === undefined) return '';
  const view = new UnitView('', facts, readUnit(facts.unit), rules);
  const writer = new VisibleParts(view);
  const names: string[] = [];
  const methods: string[] = [];
  const { symbols } = view.unit;
  for (let row = 0; row < symbols.length; row += 1) {
    if (!isVisible(view, row)) continue;
    writer.symbol(row);
    const receiver = symbols.receiver[row] ?? -1;
    if (receiver >= 0) names.push(view.receiverName(receiver));
    else if (symbols.scope[row] === 0) names.push(view.symbolName(row));
    if (rules.satisfaction === 'implicit' && view.symbolKind(row) === 'interface')
      methods.push(representative(view, row) ?? '');
  }
  writer.imports();
  const digest = createHash('sha1').update(writer.text()).digest('base64url');
  return [digest, ...offerWords(rules, view.written, names, methods)].join(' ');
}

/** The method by which an interface is found: the first of those that it writes itself, by name. */
export function representative(view: UnitView, symbol: number): string | null {
  const names = [...view.scopeNames(view.unit.symbols.body[symbol] ?? -1)]
    .filter(([, entries]) =>
      entries.some(({ table, row }) => table === 'symbol' && view.symbolKind(row) === 'method'),
    )
    .map(([name]) => name);
  return names.sort()[0] ?? null;
}

/** Whether a symbol stands outside of all bodies of functions. */
export function isVisible(view: UnitView, symbol: number): boolean {
  const { scopes } = view.unit;
  let scope = view.unit.symbols.scope[symbol] ?? -1;
  for (let depth = 0; scope >= 0 && depth < 64; depth += 1) {
    const kind = view.scopeKind(scope);
    if (kind === 'function' || kind === 'block') return false;
    scope = scopes.parent[scope] ?? -1;
  }
  return true;
}

/** Types and values in each other that are written at most. */
const DEEPEST = 40;

/** Writes down what is visible, rows by what they say and not by their numbers. */
class VisibleParts {
  readonly #parts: (string | number)[] = [];

  constructor(private readonly view: UnitView) {
    this.#parts.push(view.written);
  }

  text(): string {
    return JSON.stringify(this.#parts);
  }

  symbol(row: number): void {
    const { symbols, bases } = this.view.unit;
    const { facts } = this.view;
    const { form, qualname = '', ordinal = 0, is_component } = facts.definitions[row] ?? {};
    this.#parts.push('s', form ?? '', qualname, ordinal, is_component ? 1 : 0);
    this.#parts.push(symbols.kind[row] ?? 0, symbols.flags[row] ?? 0);
    const type = symbols.type[row] ?? -1;
    this.#type(type);
    this.#type(symbols.receiver[row] ?? -1);
    for (const base of this.view.basesOf(row)) {
      this.#parts.push('b', bases.relation[base] ?? 0);
      this.#type(bases.type[base] ?? -1);
    }
    if (type < 0) {
      this.#expression(symbols.value[row] ?? -1);
      for (const value of this.view.returnsOf(row)) this.#expression(value);
    }
    this.#bindings(symbols.body[row] ?? -1, ['parameter', 'type parameter']);
  }

  imports(): void {
    for (const { module, names } of this.view.facts.imports)
      this.#parts.push('i', module, ...names.flatMap(({ imported, local }) => [imported, local ?? '']));
  }

  #bindings(scope: number, kinds: readonly string[]): void {
    const { bindings } = this.view.unit;
    if (scope < 0) return;
    for (const row of this.view.bindingsIn(scope)) {
      if (!kinds.includes(this.view.bindingKind(row))) continue;
      this.#parts.push('p', this.view.bindingName(row), bindings.kind[row] ?? 0, bindings.flags[row] ?? 0);
      this.#type(bindings.type[row] ?? -1);
    }
  }

  #type(row: number, depth = 0): void {
    const { types, text } = this.view.unit;
    if (row < 0 || depth > DEEPEST) {
      this.#parts.push(-1);
      return;
    }
    this.#parts.push('t', types.kind[row] ?? -1, text(types.name[row] ?? 0));
    this.#type(types.base[row] ?? -1, depth + 1);
    if (this.view.typeKind(row) === 'members') this.#members(types.scope[row] ?? -1, depth + 1);
    for (const item of this.view.items('types', row)) this.#type(item, depth + 1);
  }

  /** Of members of a type that is written in place: no definition says what they are. */
  #members(scope: number, depth: number): void {
    const { symbols, bindings } = this.view.unit;
    for (const [name, entries] of this.view.scopeNames(scope))
      for (const { table, row } of entries) {
        this.#parts.push(name);
        this.#type((table === 'symbol' ? symbols.type[row] : bindings.type[row]) ?? -1, depth);
      }
  }

  #expression(row: number, depth = 0): void {
    const { expressions, text } = this.view.unit;
    if (row < 0 || depth > DEEPEST) {
      this.#parts.push(-1);
      return;
    }
    const kind = this.view.expressionKind(row);
    this.#parts.push('e', expressions.kind[row] ?? -1, text(expressions.name[row] ?? 0));
    if (kind === 'part' || kind === 'symbol') this.#parts.push(expressions.at[row] ?? -1);
    this.#type(expressions.type[row] ?? -1, depth + 1);
    this.#expression(expressions.base[row] ?? -1, depth + 1);
    if (kind === 'function') this.#bindings(expressions.scope[row] ?? -1, ['parameter']);
    if (kind === 'composite' || kind === 'list') return;
    for (const item of this.view.items('expressions', row)) this.#expression(item, depth + 1);
  }
}
