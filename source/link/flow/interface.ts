import { createHash } from 'node:crypto';
import { lastNamePart } from '../../../schema/index.js';
import { FLOW_KINDS } from '../../ir/index.js';
import { append } from '../../resolution/module-table.js';
import { offerWords } from '../places.js';
import { RowWriter } from '../row-writer.js';
import type { UnitView } from '../unit-view.js';
import { ownerOf } from './scopes.js';

/**
 * A digest of what resolutions of other files can see of a unit whose values are followed, and the names of what its
 * classes derive from: all definitions and imports, and the flows that lead into variables of the file and of classes,
 * into attributes, out of functions, with the locals that these rest on. Places count by their order alone, so that an
 * edit inside a body that nothing leads out of leaves the interface as it was.
 */
export function flowInterface(view: UnitView): string {
  const writer = new Writer(view);
  writer.definitions();
  writer.imports();
  for (const flow of visibleFlows(view)) writer.flow(flow);
  const digest = createHash('sha1').update(writer.text()).digest('base64url');
  return [digest, ...offerWords(view.rules, view.written, [], []), ...baseNames(view)].join(' ');
}

/** The last names of bases, as written and as they are imported; each behind `b:`. */
function baseNames({ facts: { definitions, imports } }: UnitView): string[] {
  const names = new Set(definitions.flatMap(({ bases }) => bases.map(({ name }) => lastNamePart(name))));
  if (names.size > 0)
    for (const { imported, local } of imports.flatMap((one) => one.names))
      if (local !== null && names.has(local)) names.add(imported);
  return [...names]
    .filter((name) => !/\s/.test(name))
    .sort()
    .map((name) => `b:${name}`);
}

/** The flows that resolutions of other files can come upon, in their order. */
function visibleFlows(view: UnitView): number[] {
  const { flows } = view.unit;
  const names = new Set<string>();
  const seen = new Set<number>();
  const hidden = new Map<string, number[]>();
  for (let row = 0; row < flows.length; row += 1) {
    const name = localTarget(view, row);
    if (name === null) seen.add(row);
    else append(hidden, name, row);
  }
  for (const row of seen) addNames(view, row, names);
  // What is seen names others: the names grow while they are gone through.
  for (const name of names)
    for (const row of hidden.get(name) ?? [])
      if (!seen.has(row)) {
        seen.add(row);
        addNames(view, row, names);
      }
  return [...seen].sort((a, b) => a - b);
}

/** The name of a local of a function that a flow goes into; null where it goes elsewhere. */
function localTarget(view: UnitView, row: number): string | null {
  const { flows, expressions } = view.unit;
  const kind = FLOW_KINDS[flows.kind[row] ?? 0] ?? 'assign';
  if (kind === 'return' || kind === 'yield' || kind === 'default') return null;
  let target = flows.target[row] ?? -1;
  while (target >= 0 && ITEMS.has(view.expressionKind(target))) target = expressions.base[target] ?? -1;
  if (target < 0 || view.expressionKind(target) !== 'name') return null;
  const owner = ownerOf(view, flows.scope[row] ?? -1);
  const form = owner < 0 ? undefined : view.facts.definitions[owner]?.form;
  return form === 'function' || form === 'method' ? view.expressionName(target) : null;
}

const ITEMS = new Set<string>(['index', 'element']);

/** The names that occur in what a flow gives and under what keys. */
function addNames(view: UnitView, row: number, names: Set<string>): void {
  const { flows, expressions } = view.unit;
  const open = [flows.value[row] ?? -1, flows.target[row] ?? -1];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one < 0) continue;
    if (view.expressionKind(one) === 'name') names.add(view.expressionName(one));
    open.push(expressions.base[one] ?? -1, ...view.items('expressions', one));
  }
}

const PARAMETERS = ['parameter', 'receiver', 'type parameter'];

/** Writes down what is visible; places by their order. */
class Writer extends RowWriter {
  /** Where in the parts places stand. */
  readonly #places: { readonly part: number; readonly place: number }[] = [];
  readonly #scopes = new Map<number, number>();

  constructor(view: UnitView) {
    super(view);
    this.parts.push(view.facts.language);
  }

  override text(): string {
    const places = [...new Set(this.#places.map(({ place }) => place))].sort((a, b) => a - b);
    const ranks = new Map(places.map((place, rank) => [place, rank]));
    for (const { part, place } of this.#places) this.parts[part] = ranks.get(place) ?? 0;
    return super.text();
  }

  definitions(): void {
    const { symbols, bases, decorators } = this.view.unit;
    for (const [row, definition] of this.view.facts.definitions.entries()) {
      const { form, qualname, ordinal, declaration_only, branch, is_component } = definition;
      this.parts.push('s', form, qualname, ordinal, declaration_only ? 1 : 0, is_component ? 1 : 0);
      this.parts.push(definition.exported ? 1 : 0, symbols.kind[row] ?? 0, symbols.flags[row] ?? 0);
      // Of branches it matters which lie apart.
      for (const line of branch ?? []) this.parts.push(line - (definition.branch?.[0] ?? 0));
      this.#scope(symbols.scope[row] ?? -1);
      this.type(symbols.type[row] ?? -1);
      for (const base of this.view.basesOf(row)) this.type(bases.type[base] ?? -1);
      this.bindings(symbols.body[row] ?? -1, PARAMETERS);
      this.rest();
    }
    for (let row = 0; row < decorators.length; row += 1) {
      this.parts.push('d', decorators.symbol[row] ?? -1);
      this.expression(decorators.expression[row] ?? -1);
      this.rest();
    }
  }

  imports(): void {
    const { bindings } = this.view.unit;
    for (const { module, names } of this.view.facts.imports)
      this.parts.push('i', module, ...names.flatMap(({ imported, local }) => [imported, local ?? '']));
    for (const { name, local, module } of this.view.facts.exports)
      this.parts.push('x', name, local ?? '', module ?? '');
    for (let row = 0; row < bindings.length; row += 1) {
      const kind = this.view.bindingKind(row);
      if (kind !== 'import' && kind !== 'outer') continue;
      this.parts.push('b', this.view.bindingName(row), bindings.import[row] ?? -1, bindings.flags[row] ?? 0);
      this.#scope(bindings.scope[row] ?? -1);
    }
  }

  flow(row: number): void {
    const { flows, extents } = this.view.unit;
    this.parts.push('f', flows.kind[row] ?? 0, flows.symbol[row] ?? -1);
    this.#scope(flows.scope[row] ?? -1);
    this.#place(flows.at[row] ?? 0);
    for (const extent of [flows.branch[row] ?? -1, flows.loop[row] ?? -1, flows.within[row] ?? -1]) {
      this.parts.push(extent < 0 ? 0 : 1);
      if (extent < 0) continue;
      this.#place(extents.start[extent] ?? 0);
      this.#place(extents.end[extent] ?? 0);
    }
    this.expression(flows.target[row] ?? -1);
    this.expression(flows.value[row] ?? -1);
    this.rest();
  }

  #place(place: number): void {
    this.#places.push({ part: this.parts.length, place });
    this.parts.push(0);
  }

  #scope(row: number): void {
    const known = row < 0 ? -1 : this.#scopes.get(row);
    this.parts.push(known ?? this.#scopes.size);
    if (known !== undefined) return;
    this.#scopes.set(row, this.#scopes.size);
    const { scopes } = this.view.unit;
    this.parts.push(scopes.kind[row] ?? 0, scopes.symbol[row] ?? -1);
    this.#scope(scopes.parent[row] ?? -1);
  }

  protected writeType(row: number): void {
    const { types, text } = this.view.unit;
    this.parts.push('t', types.kind[row] ?? -1, text(types.name[row] ?? 0));
    this.#scope(types.scope[row] ?? -1);
    this.#place(types.at[row] ?? 0);
    this.type(types.base[row] ?? -1);
    for (const item of this.view.items('types', row)) this.type(item);
  }

  protected writeExpression(row: number): void {
    const { expressions, text } = this.view.unit;
    const kind = this.view.expressionKind(row);
    this.parts.push('e', expressions.kind[row] ?? -1, text(expressions.name[row] ?? 0));
    if (kind === 'part' || kind === 'symbol') this.parts.push(expressions.at[row] ?? -1);
    else this.#place(expressions.at[row] ?? 0);
    this.#scope(expressions.scope[row] ?? -1);
    this.type(expressions.type[row] ?? -1);
    this.expression(expressions.base[row] ?? -1);
    for (const item of this.view.items('expressions', row)) this.expression(item);
  }
}
