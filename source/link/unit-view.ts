import type { FileFacts } from '../facts.js';
import {
  BINDING_FLAGS,
  BINDING_KINDS,
  BUILDS,
  EXPRESSION_KINDS,
  type ExpressionKind,
  readUnit,
  SCOPE_KINDS,
  type ScopeKind,
  SYMBOL_FLAGS,
  SYMBOL_KINDS,
  type SymbolKind,
  TYPE_KINDS,
  type TypeKind,
  type Unit,
} from '../ir/index.js';
import { append } from '../resolution/module-table.js';
import { packageKey } from './places.js';
import type { LinkRules } from './rules.js';

/** One definition of a file as the linker names it; the same object for the same row. */
export interface Sym {
  readonly view: UnitView;
  /** Its row in `symbols` and in the facts' `definitions`. */
  readonly row: number;
}

/** A parameter as callers see it. */
export interface Slot {
  /** Empty where the argument has none. */
  readonly label: string;
  /** What its argument may be called, wherever that stands; empty where it has no name. */
  readonly name: string;
  readonly isOptional: boolean;
  readonly isVariadic: boolean;
}

/** What a name in a scope stands for. */
export interface Entry {
  readonly table: 'symbol' | 'binding';
  readonly row: number;
  /** The offset from which on it is visible. */
  readonly from: number;
}

/** The unit of one file with what is looked up in it again and again. Follows from the facts alone. */
export class UnitView {
  readonly #symbols: Sym[] = [];
  #scopes: Map<string, Entry[]>[] | null = null;
  #stars: ReadonlyMap<number, readonly number[]> | null = null;
  #top: Map<string, Sym[]> | null = null;
  #elsewhere: ReadonlyMap<string, readonly Sym[]> | null = null;
  #extensionMethods: Map<string, Sym[]> | null = null;
  #extensions: ReadonlyMap<string, readonly number[]> | null = null;
  #members: ReadonlyMap<number, readonly number[]> | null = null;
  #extensionsByScope: ReadonlyMap<number, number> | null = null;
  #bases: ReadonlyMap<number, readonly number[]> | null = null;
  #bindings: ReadonlyMap<number, readonly number[]> | null = null;
  #returns: ReadonlyMap<number, readonly number[]> | null = null;
  #uses: ReadonlyMap<number, ExpressionUse> | null = null;
  #functions: Map<number, number> | null = null;
  #naming: Map<number, number> | null = null;
  #expecting: ReadonlyMap<number, number> | null = null;

  constructor(
    readonly path: string,
    readonly facts: FileFacts,
    readonly unit: Unit,
    readonly rules: LinkRules,
  ) {}

  /** The package that the file says it belongs to. */
  get written(): string {
    return this.unit.file.length > 0 ? this.unit.text(this.unit.file.package[0] ?? 0) : '';
  }

  /** Whether only builds take the file that ask for it. */
  get isAsked(): boolean {
    return BUILDS[this.unit.file.build[0] ?? 0] === 'asked';
  }

  /** Whether a symbol is of a build that has to be asked for, or declares what each build defines. */
  isOfOtherBuild(row: number): boolean {
    return this.isAsked || this.hasFlag(row, 'perBuild');
  }

  symbol(row: number): Sym {
    this.#symbols[row] ??= { view: this, row };
    return this.#symbols[row];
  }

  symbolName(row: number): string {
    return this.unit.text(this.unit.symbols.name[row] ?? 0);
  }

  symbolKind(row: number): SymbolKind {
    return SYMBOL_KINDS[this.unit.symbols.kind[row] ?? 0] ?? 'variable';
  }

  hasFlag(row: number, flag: keyof typeof SYMBOL_FLAGS): boolean {
    return ((this.unit.symbols.flags[row] ?? 0) & SYMBOL_FLAGS[flag]) !== 0;
  }

  bindingHas(row: number, flag: keyof typeof BINDING_FLAGS): boolean {
    return ((this.unit.bindings.flags[row] ?? 0) & BINDING_FLAGS[flag]) !== 0;
  }

  bindingName(row: number): string {
    return this.unit.text(this.unit.bindings.name[row] ?? 0);
  }

  bindingKind(row: number): (typeof BINDING_KINDS)[number] {
    return BINDING_KINDS[this.unit.bindings.kind[row] ?? 0] ?? 'local';
  }

  /** The labels of the arguments of a function or, of the table `expressions`, of a call: each empty where there is none. */
  labels(table: 'symbols' | 'expressions', row: number): readonly string[] {
    const { symbols, expressions, text } = this.unit;
    const written = text((table === 'symbols' ? symbols.labels[row] : expressions.name[row]) ?? 0);
    return written === ''
      ? []
      : written
          .slice(0, -1)
          .split(':')
          .map((label) => (label === '_' ? '' : label));
  }

  /** Whether an argument says the name of its parameter. */
  isNamedArgument(row: number): boolean {
    return row >= 0 && this.expressionKind(row) === 'named';
  }

  /** How the parameters of a function are given. @param rows The bindings of its parameters. */
  slots(symbol: number, rows: readonly number[]): Slot[] {
    const labels = this.labels('symbols', symbol);
    return rows.map((row, at) => ({
      label: labels[at] ?? '',
      name: this.rules.argumentNames ? this.bindingName(row) : '',
      isOptional: this.bindingHas(row, 'optional'),
      isVariadic: this.bindingHas(row, 'variadic'),
    }));
  }

  scopeKind(row: number): ScopeKind {
    return SCOPE_KINDS[this.unit.scopes.kind[row] ?? 0] ?? 'block';
  }

  typeKind(row: number): TypeKind {
    return TYPE_KINDS[this.unit.types.kind[row] ?? -1] ?? 'unknown';
  }

  typeName(row: number): string {
    return this.unit.text(this.unit.types.name[row] ?? 0);
  }

  expressionKind(row: number): ExpressionKind {
    return EXPRESSION_KINDS[this.unit.expressions.kind[row] ?? -1] ?? 'unknown';
  }

  expressionName(row: number): string {
    return this.unit.text(this.unit.expressions.name[row] ?? 0);
  }

  /** The rows of the parts of a type or an expression. */
  items(table: 'types' | 'expressions', row: number): number[] {
    const first = this.unit[table].first[row] ?? 0;
    const count = this.unit[table].count[row] ?? 0;
    const rows: number[] = [];
    for (let at = first; at < first + count; at += 1) rows.push(this.unit.items.row[at] ?? -1);
    return rows;
  }

  /** What a scope itself holds under a name, in source order. */
  entries(scope: number, name: string): readonly Entry[] {
    return this.scopeNames(scope).get(name) ?? [];
  }

  /** All names of a scope. */
  scopeNames(scope: number): ReadonlyMap<string, readonly Entry[]> {
    this.#scopes ??= this.#namesByScope();
    return this.#scopes[scope] ?? NO_NAMES;
  }

  /** The symbols that are members of types declared elsewhere, by the last name of that type. */
  get elsewhere(): ReadonlyMap<string, readonly Sym[]> {
    if (!this.#elsewhere) {
      const found = new Map<string, Sym[]>();
      const { receiver } = this.unit.symbols;
      for (let row = 0; row < receiver.length; row += 1) {
        const type = receiver[row] ?? -1;
        if (type < 0) continue;
        const extension = this.extensionOf(row);
        const { name } = this.unit.extensions;
        const key = extension < 0 ? this.receiverName(type) : this.unit.text(name[extension] ?? 0);
        append(found, key, this.symbol(row));
      }
      this.#elsewhere = found;
    }
    return this.#elsewhere;
  }

  /** The functions that can be called as members of what their first parameter takes, by name. */
  get extensionMethods(): ReadonlyMap<string, readonly Sym[]> {
    if (!this.#extensionMethods) {
      this.#extensionMethods = new Map();
      for (let row = 0; row < this.unit.symbols.length; row += 1)
        if (this.isExtension(row)) append(this.#extensionMethods, this.symbolName(row), this.symbol(row));
    }
    return this.#extensionMethods;
  }

  /** Whether a symbol can be called as a member of what its first parameter takes, or of what the head of its type takes. */
  isExtension(row: number): boolean {
    const kind = this.symbolKind(row);
    if (kind !== 'function' && kind !== 'method') return false;
    return this.hasFlag(row, 'extension') || this.extendingType(row) >= 0;
  }

  /** The type around a method that gives its methods to what its head takes; -1 for none. */
  extendingType(row: number): number {
    const scope = this.unit.symbols.scope[row] ?? -1;
    const around = this.scopeKind(scope) === 'type' ? (this.unit.scopes.symbol[scope] ?? -1) : -1;
    return around >= 0 && this.hasFlag(around, 'extension') ? around : -1;
  }

  /** The rows of `extensions` by what they are found by. */
  get extensions(): ReadonlyMap<string, readonly number[]> {
    if (!this.#extensions) {
      const found = new Map<string, number[]>();
      const { name } = this.unit.extensions;
      for (let row = 0; row < name.length; row += 1) append(found, this.unit.text(name[row] ?? 0), row);
      this.#extensions = found;
    }
    return this.#extensions;
  }

  /** The symbols that are members of an extension, by its scope. */
  membersOfExtension(scope: number): readonly number[] {
    this.#members ??= grouped(this.unit.symbols.scope);
    return this.#members.get(scope) ?? NO_ROWS;
  }

  /** The extension that a symbol is a member of; -1 for none. */
  extensionOf(symbol: number): number {
    return this.extensionAt(this.unit.symbols.scope[symbol] ?? -1);
  }

  /** The extension that opens a scope; -1 for none. */
  extensionAt(opened: number): number {
    const { scope } = this.unit.extensions;
    if (scope.length === 0) return -1;
    this.#extensionsByScope ??= new Map([...scope].map((one, row) => [one, row]));
    return this.#extensionsByScope.get(opened) ?? -1;
  }

  /** The innermost extension around a scope; -1 for none. */
  extensionAround(scope: number): number {
    if (this.unit.extensions.length === 0) return -1;
    for (let at = scope, depth = 0; at >= 0 && depth < MOST_SCOPES; depth += 1) {
      const found = this.extensionAt(at);
      if (found >= 0) return found;
      at = this.unit.scopes.parent[at] ?? -1;
    }
    return -1;
  }

  /** The last name of a type, what it is wrapped in left out. */
  receiverName(type: number): string {
    for (let row = type, depth = 0; row >= 0 && depth < 8; depth += 1) {
      if (this.typeKind(row) === 'name') return this.typeName(row);
      row = this.unit.types.base[row] ?? -1;
    }
    return '';
  }

  /** The rows of `bases` of a symbol. */
  basesOf(symbol: number): readonly number[] {
    this.#bases ??= grouped(this.unit.bases.symbol);
    return this.#bases.get(symbol) ?? NO_ROWS;
  }

  /** The bindings of a scope, in source order. */
  bindingsIn(scope: number): readonly number[] {
    this.#bindings ??= grouped(this.unit.bindings.scope);
    return this.#bindings.get(scope) ?? NO_ROWS;
  }

  /** The bindings of one kind in the body of a symbol. */
  bindingsOf(symbol: number, kind: (typeof BINDING_KINDS)[number]): readonly number[] {
    const body = this.unit.symbols.body[symbol] ?? -1;
    return body < 0 ? NO_ROWS : this.bindingsIn(body).filter((row) => this.bindingKind(row) === kind);
  }

  /** The key of the package that the file is in. */
  get packageKey(): string {
    return packageKey(this.rules, this.path, this.written);
  }

  /** Whether a symbol is declared there, and defined elsewhere if at all. */
  isDeclaration(row: number): boolean {
    return this.facts.definitions[row]?.declaration_only ?? false;
  }

  /**
   * The name by which others find a symbol that is in no function, and in no type but an open one: with the namespaces and
   * open types around it. Null for all others.
   */
  topName(row: number): string | null {
    const { scope, receiver } = this.unit.symbols;
    const path = (receiver[row] ?? -1) >= 0 ? null : this.namespaceOf(scope[row] ?? -1);
    return path === null ? null : path + this.symbolName(row);
  }

  /** What names of a scope begin with that is a namespace, an open type or the file, `a::b::`; null for any other scope. */
  namespaceOf(scope: number): string | null {
    let path = '';
    for (let at = scope, depth = 0; at > 0; depth += 1) {
      const isOpen = this.rules.package === 'open' && this.scopeKind(at) === 'type';
      if ((!isOpen && this.scopeKind(at) !== 'namespace') || depth > MOST_SCOPES) return null;
      const name = isOpen
        ? this.symbolName(this.unit.scopes.symbol[at] ?? -1)
        : this.unit.text(this.unit.scopes.name[at] ?? 0);
      if (name !== '') path = `${name}::${path}`;
      at = this.unit.scopes.parent[at] ?? -1;
    }
    return scope < 0 ? null : path;
  }

  /** The namespaces that the file adds to, `a::b::`. */
  get namespaces(): string[] {
    const found = new Set<string>();
    for (let row = 1; row < this.unit.scopes.length; row += 1)
      if (this.scopeKind(row) === 'namespace') found.add(this.namespaceOf(row) ?? '');
    return [...found].filter((path) => path !== '');
  }

  /** The imports of a scope that bring all names of something. */
  starsIn(scope: number): readonly number[] {
    this.#stars ??= grouped(
      this.unit.bindings.scope.map((of, row) => (this.bindingHas(row, 'star') ? of : -1)),
    );
    return scope < 0 ? NO_ROWS : (this.#stars.get(scope) ?? NO_ROWS);
  }

  /** The symbols that others find by a name: see {@link topName}. */
  top(name: string): readonly Sym[] {
    if (!this.#top) {
      this.#top = new Map();
      for (let row = 0; row < this.unit.symbols.length; row += 1) {
        const top = this.topName(row);
        if (top !== null) append(this.#top, top, this.symbol(row));
      }
    }
    return this.#top.get(name) ?? [];
  }

  /** The expressions that a function returns, where its result is not written. */
  returnsOf(symbol: number): readonly number[] {
    this.#returns ??= grouped(this.unit.returns.symbol);
    const rows = this.#returns.get(symbol) ?? NO_ROWS;
    return rows.map((row) => this.unit.returns.value[row] ?? -1);
  }

  /** Whether an expression is what a method is called on, and no more. */
  isSelf(expression: number): boolean {
    return this.expressionKind(expression) === 'this' && (this.unit.expressions.type[expression] ?? -1) < 0;
  }

  /** The definition around a scope that opens a type. */
  typeAround(scope: number): number {
    for (let at = scope, depth = 0; at >= 0 && depth < MOST_SCOPES; depth += 1) {
      if (this.scopeKind(at) === 'type') return this.unit.scopes.symbol[at] ?? -1;
      at = this.unit.scopes.parent[at] ?? -1;
    }
    return -1;
  }

  /** The type that the function around a scope is declared a member of, elsewhere than in it; -1 for none. */
  receiverAround(scope: number): number {
    for (let at = scope, depth = 0; at >= 0 && depth < MOST_SCOPES; depth += 1) {
      if (this.scopeKind(at) === 'type') return -1;
      const receiver = this.unit.symbols.receiver[this.unit.scopes.symbol[at] ?? -1] ?? -1;
      if (receiver >= 0) return receiver;
      const extension = this.extensionAt(at);
      if (extension >= 0) return this.unit.extensions.type[extension] ?? -1;
      at = this.unit.scopes.parent[at] ?? -1;
    }
    return -1;
  }

  /** The unnamed function that a scope is of; -1 where it is of none. */
  functionOf(scope: number): number {
    if (!this.#functions) {
      this.#functions = new Map();
      const { expressions } = this.unit;
      for (let row = 0; row < expressions.length; row += 1)
        if (this.expressionKind(row) === 'function') this.#functions.set(expressions.scope[row] ?? -1, row);
    }
    return this.#functions.get(scope) ?? -1;
  }

  /** The function that is given by the name that an expression is: `Foo::bar`; -1 where it is none. */
  functionNaming(expression: number): number {
    if (!this.#naming) {
      this.#naming = new Map();
      const { expressions } = this.unit;
      for (let row = 0; row < expressions.length; row += 1) {
        const base = expressions.base[row] ?? -1;
        if (base >= 0 && this.expressionKind(row) === 'function') this.#naming.set(base, row);
      }
    }
    return this.#naming.get(expression) ?? -1;
  }

  /** Where an unnamed function stands: as an argument, or as the value of something with a type. */
  useOf(expression: number): ExpressionUse | undefined {
    this.#uses ??= this.#functionUses();
    return this.#uses.get(expression);
  }

  /** Whether an expression begins with what is expected where it stands: see {@link useOf}. */
  isExpecting(expression: number): boolean {
    this.#expecting ??= this.#expectingRows();
    return this.#expecting.has(expression);
  }

  #namesByScope(): Map<string, Entry[]>[] {
    const scopes: Map<string, Entry[]>[] = [];
    const { symbols, bindings } = this.unit;
    const add = (scope: number, name: string, entry: Entry) => {
      const isMade = entry.table === 'symbol' && this.symbolKind(entry.row) === 'constructor';
      const isNothing = name === '_' && !this.rules.flow && !isMade;
      if (scope < 0 || name === '' || isNothing) return;
      scopes[scope] ??= new Map();
      append(scopes[scope], name, entry);
    };
    for (let row = 0; row < symbols.length; row += 1)
      if ((symbols.receiver[row] ?? -1) < 0)
        add(symbols.scope[row] ?? -1, this.symbolName(row), {
          table: 'symbol',
          row,
          from: symbols.from[row] ?? 0,
        });
    for (let row = 0; row < bindings.length; row += 1)
      if (!this.bindingHas(row, 'field'))
        add(bindings.scope[row] ?? -1, this.bindingName(row), {
          table: 'binding',
          row,
          from: bindings.from[row] ?? 0,
        });
    return scopes;
  }

  #functionUses(): ReadonlyMap<number, ExpressionUse> {
    const uses = new Map<number, ExpressionUse>();
    const { expressions, bindings, symbols, returns } = this.unit;
    this.#expecting ??= this.#expectingRows();
    const expecting = this.#expecting;
    const isFunction = (row: number) =>
      row >= 0 && (this.expressionKind(row) === 'function' || expecting.has(row));
    for (let row = 0; row < expressions.length; row += 1) {
      const kind = this.expressionKind(row);
      if (kind === 'binary' && LIKENING.has(this.expressionName(row))) {
        const [left = -1, right = -1] = this.items('expressions', row);
        if (isFunction(right)) uses.set(right, { like: left });
        else if (expecting.has(left)) uses.set(left, { like: right });
      }
      if (kind === 'function')
        for (const item of this.items('expressions', row)) if (isFunction(item)) uses.set(item, { of: row });
      if (kind === 'call' && this.expressionKind(expressions.base[row] ?? -1) === 'function')
        uses.set(expressions.base[row] ?? -1, { called: row });
      if (kind === 'list')
        for (const item of this.items('expressions', row)) if (isFunction(item)) uses.set(item, { in: row });
      if (kind !== 'call' && kind !== 'new' && kind !== 'convert' && kind !== 'either') continue;
      if (kind === 'convert') {
        const base = expressions.base[row] ?? -1;
        if (isFunction(base)) uses.set(base, { type: expressions.type[row] ?? -1 });
        continue;
      }
      for (const [at, given] of this.items('expressions', row).entries()) {
        const item = this.isNamedArgument(given) ? (expressions.base[given] ?? -1) : given;
        if (isFunction(item)) uses.set(item, kind === 'either' ? { either: row } : { call: row, at });
      }
    }
    for (const table of [bindings, symbols])
      for (let row = 0; row < table.length; row += 1) {
        const value = table.value[row] ?? -1;
        if (isFunction(value)) uses.set(value, { type: table.type[row] ?? -1 });
      }
    for (let row = 0; row < returns.length; row += 1) {
      const value = returns.value[row] ?? -1;
      const symbol = returns.symbol[row] ?? -1;
      if (isFunction(value) && symbol >= 0) uses.set(value, { type: symbols.type[symbol] ?? -1 });
    }
    // What stands at the beginning of an expression is expected as the whole of it is.
    for (const [whole, first] of expecting) {
      const use = uses.get(whole);
      if (use) uses.set(first, use);
    }
    return uses;
  }

  /** The expressions that begin with what is expected where they stand, with that; and those that hold some. */
  #expectingRows(): ReadonlyMap<number, number> {
    const { expressions } = this.unit;
    const wholes = new Map<number, number>();
    for (let row = 0; row < expressions.length; row += 1) {
      const kind = this.expressionKind(row);
      if (kind === 'expected') wholes.set(row, row);
      else if (kind === 'member' || kind === 'call') {
        const base = expressions.base[row] ?? -1;
        const first = wholes.get(base);
        if (first === undefined) continue;
        wholes.delete(base);
        wholes.set(row, first);
      } else if (
        (kind === 'either' || kind === 'list') &&
        this.items('expressions', row).some((one) => wholes.has(one))
      )
        wholes.set(row, row);
    }
    return wholes;
  }
}

/** Whether a file sees a definition: what is private to a file is seen in that alone. */
export function isSeen(view: UnitView, { view: other, row }: Sym): boolean {
  if (other === view || !other.rules.privateToFile) return true;
  return other.facts.definitions[row]?.visibility !== 'private';
}

/** Operators between two of one type. */
const LIKENING = new Set(['=', '==', '!=']);

/**
 * Where an unnamed function stands, or what begins with what is expected there: an argument of a call, what a written type or that
 * of another expression is expected of, one of several values, an element of a list, what an
 * unnamed function gives or is called for.
 */
export type ExpressionUse =
  | { readonly call: number; readonly at: number }
  | { readonly type: number }
  | { readonly like: number }
  | { readonly either: number }
  | { readonly in: number }
  | { readonly of: number }
  | { readonly called: number };

/** Scopes around a place that are searched: no program nests deeper. */
export const MOST_SCOPES = 256;

const NO_NAMES: ReadonlyMap<string, readonly Entry[]> = new Map();
const NO_ROWS: readonly number[] = [];

function grouped(column: ArrayLike<number>): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (let row = 0; row < column.length; row += 1) append(groups, column[row] ?? -1, row);
  return groups;
}

const views = new WeakMap<FileFacts, UnitView | null>();

/** The view of a file's unit; null for a file without one, or with one that cannot be read. */
export function unitView(path: string, facts: FileFacts, rules: LinkRules | undefined): UnitView | null {
  if (facts.unit === undefined || rules === undefined) return null;
  let view = views.get(facts);
  if (view === undefined) {
    const unit = readableUnit(facts.unit);
    view = unit && new UnitView(path, facts, unit, rules);
    views.set(facts, view);
  }
  return view;
}

function readableUnit(bytes: Uint8Array): Unit | null {
  try {
    return readUnit(bytes);
  } catch {
    return null;
  }
}
