import { createHash } from 'node:crypto';
import type { FileFacts } from '../facts.js';
import { readUnit } from '../ir/index.js';
import { flowInterface } from './flow/interface.js';
import { DERIVES, EMBEDS, INNER, offerWords } from './places.js';
import { RowWriter } from './row-writer.js';
import type { LinkRules } from './rules.js';
import { MOST_SCOPES, UnitView } from './unit-view.js';

/**
 * A digest of what resolutions of other files can see of a unit, and the words by which it is found: symbols outside of
 * bodies with their types, the values that give a type where none is written, bases, imports, the package. Nothing of
 * it are the bodies of functions, and where things stand.
 */
export function unitInterface(facts: FileFacts, rules: LinkRules): string {
  if (facts.unit === undefined) return '';
  const view = new UnitView('', facts, readUnit(facts.unit), rules);
  if (rules.flow) return flowInterface(view);
  const writer = new VisibleParts(view);
  const names: string[] = [];
  const methods: string[] = [];
  const { symbols } = view.unit;
  for (let row = 0; row < symbols.length; row += 1) {
    if (!isVisible(view, row)) continue;
    writer.symbol(row);
    const receiver = symbols.receiver[row] ?? -1;
    if (receiver >= 0 && rules.extensions) continue;
    if (receiver >= 0) names.push(view.receiverName(receiver));
    else {
      const name = view.topName(row);
      if (name !== null) names.push(name);
      if (name !== null && rules.package === 'open' && view.basesOf(row).length > 0)
        names.push(name + DERIVES);
      if (view.isExtension(row)) names.push(view.symbolName(row));
    }
    if (rules.satisfaction === 'implicit' && view.symbolKind(row) === 'interface')
      methods.push(wantedNames(view, row).join(','));
  }
  for (const row of assertions(view)) writer.assertion(row);
  for (let row = 0; row < view.unit.extensions.length; row += 1) writer.extension(row);
  writer.imports();
  const digest = createHash('sha1').update(writer.text()).digest('base64url');
  names.push(...view.namespaces);
  const included = facts.imports.filter(
    ({ names: bound }) => rules.package === 'program' || bound.length === 0,
  );
  const isIncluding = rules.package === 'program' || rules.package === 'library';
  const includes = isIncluding ? included.map(({ module }) => module) : [];
  const fileNames = includes.map((module) => module.replace(/^.*\/|[<>"]/g, ''));
  const extended = view.extensions.keys();
  return [digest, ...offerWords(rules, view.written, names, methods, fileNames, extended)].join(' ');
}

/**
 * What an interface is found by: the names of the methods that it writes itself, behind {@link INNER} where one is not
 * seen from other packages; without any the last names of what it embeds, each behind {@link EMBEDS}.
 */
export function wantedNames(view: UnitView, symbol: number): string[] {
  const names: string[] = [];
  let isInner = false;
  for (const [name, entries] of view.scopeNames(view.unit.symbols.body[symbol] ?? -1)) {
    const method = entries.find(({ table, row }) => table === 'symbol' && view.symbolKind(row) === 'method');
    if (!method) continue;
    names.push(name);
    isInner ||= !view.hasFlag(method.row, 'exported');
  }
  if (names.length > 0) return [...(isInner ? [INNER] : []), ...names.sort()];
  const embedded = view.basesOf(symbol).map((base) => view.receiverName(view.unit.bases.type[base] ?? -1));
  return [...new Set(embedded)].filter((name) => name !== '').map((name) => EMBEDS + name);
}

/** The variables without a name at the top of a file, which only state that a value is of a type. */
export function assertions(view: UnitView): number[] {
  const { type, value } = view.unit.bindings;
  return view
    .bindingsIn(0)
    .filter((row) => view.bindingName(row) === '' && (type[row] ?? -1) >= 0 && (value[row] ?? -1) >= 0);
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

/** Writes down what is visible. */
class VisibleParts extends RowWriter {
  constructor(view: UnitView) {
    super(view);
    this.parts.push(view.written);
  }

  symbol(row: number): void {
    const { symbols, bases } = this.view.unit;
    const { facts } = this.view;
    const { form, qualname = '', ordinal = 0, is_component } = facts.definitions[row] ?? {};
    // Others name a definition by its row.
    this.parts.push('s', row, form ?? '', qualname, ordinal, is_component ? 1 : 0);
    this.parts.push(symbols.kind[row] ?? 0, symbols.flags[row] ?? 0);
    if (this.view.rules.labels) this.parts.push(this.view.unit.text(symbols.labels[row] ?? 0));
    if (this.view.rules.privateToFile) this.parts.push(facts.definitions[row]?.visibility ?? '');
    if (this.view.isDeclaration(row)) this.parts.push('d');
    const type = symbols.type[row] ?? -1;
    this.type(type);
    this.type(symbols.receiver[row] ?? -1);
    for (const base of this.view.basesOf(row)) {
      this.parts.push('b', bases.relation[base] ?? 0);
      this.type(bases.type[base] ?? -1);
    }
    if (type < 0) {
      this.expression(symbols.value[row] ?? -1);
      for (const value of this.view.returnsOf(row)) this.expression(value);
    }
    const self = this.view.rules.lastFirst ? (['receiver'] as const) : [];
    this.bindings(symbols.body[row] ?? -1, ['parameter', 'type parameter', ...self]);
    this.rest();
  }

  assertion(row: number): void {
    const { type, value } = this.view.unit.bindings;
    this.parts.push('a');
    this.type(type[row] ?? -1);
    this.expression(value[row] ?? -1);
    this.rest();
  }

  extension(row: number): void {
    const { scope, type, base } = this.view.unit.extensions;
    this.parts.push('x');
    this.type(type[row] ?? -1);
    this.type(base[row] ?? -1);
    this.bindings(scope[row] ?? -1, ['type parameter']);
    this.rest();
  }

  imports(): void {
    const whole = this.view.facts.exports.find(({ name }) => name === 'default');
    if (whole) this.parts.push('w', whole.definition ?? -1);
    const { bindings, scopes } = this.view.unit;
    for (const { module, names, kind } of this.view.facts.imports)
      this.parts.push('i', kind, module, ...names.flatMap(({ imported, local }) => [imported, local ?? '']));
    for (let scope = 0; scope < scopes.length; scope += 1) {
      if (scope > 0 && this.view.scopeKind(scope) !== 'module') continue;
      if (scope > 0) this.parts.push('m', scopes.parent[scope] ?? -1);
      for (const row of this.view.bindingsIn(scope))
        if (this.view.bindingKind(row) === 'import')
          this.parts.push(this.view.bindingName(row), bindings.import[row] ?? -1, bindings.flags[row] ?? 0);
    }
  }

  protected writeType(row: number): void {
    const { types, text } = this.view.unit;
    this.parts.push('t', types.kind[row] ?? -1, text(types.name[row] ?? 0));
    this.type(types.base[row] ?? -1);
    if (this.view.typeKind(row) === 'members') this.#members(types.scope[row] ?? -1);
    for (const item of this.view.items('types', row)) this.type(item);
  }

  /** What the local holds that a value names: no symbol says it. */
  #held(row: number): void {
    const { bindings, expressions, scopes, text } = this.view.unit;
    const name = text(expressions.name[row] ?? 0);
    const at = expressions.at[row] ?? 0;
    let scope = expressions.scope[row] ?? -1;
    for (let depth = 0; scope >= 0 && depth < MOST_SCOPES; depth += 1) {
      const entry = this.view.entries(scope, name).findLast(({ from }) => from <= at);
      if (entry) {
        if (entry.table === 'symbol') return;
        this.parts.push('l');
        this.type(bindings.type[entry.row] ?? -1);
        this.expression(bindings.value[entry.row] ?? -1);
        return;
      }
      scope = scopes.parent[scope] ?? -1;
    }
  }

  /** Of members of a type that is written in place: no definition says what they are. */
  #members(scope: number): void {
    const { symbols, bindings } = this.view.unit;
    for (const [name, entries] of this.view.scopeNames(scope))
      for (const { table, row } of entries) {
        const rows = table === 'symbol' ? symbols : bindings;
        this.parts.push(name, table, rows.kind[row] ?? 0, rows.flags[row] ?? 0);
        this.type(rows.type[row] ?? -1);
      }
  }

  protected writeExpression(row: number): void {
    const { expressions, text } = this.view.unit;
    const kind = this.view.expressionKind(row);
    this.parts.push('e', expressions.kind[row] ?? -1, text(expressions.name[row] ?? 0));
    if (kind === 'part' || kind === 'symbol') this.parts.push(expressions.at[row] ?? -1);
    if (kind === 'name') this.#held(row);
    this.type(expressions.type[row] ?? -1);
    this.expression(expressions.base[row] ?? -1);
    if (kind === 'function') this.bindings(expressions.scope[row] ?? -1, ['parameter']);
    if (kind === 'composite') return;
    const items = this.view.items('expressions', row);
    // A list is of what its first value is of.
    for (const item of kind === 'list' ? items.slice(0, 1) : items) this.expression(item);
  }
}
