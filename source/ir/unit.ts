import { type Column, readTables, type Table, TablesBuilder } from './columns.js';

/**
 * A unit is what a compiler makes of one file: its symbols, scopes, types, expressions and names, lowered where the
 * syntax tree is, without a look at any other file. The linker reads units alone. Everything is a row of a table, and
 * rows name each other by number; -1 is none. No language's name occurs here.
 *
 * `at` is the offset of the first character in the text (UTF-16 units). Symbols, bases and names go in step with the
 * definitions, their bases and the references of the file's facts: row 3 of `symbols` is `definitions[3]`.
 */
export const UNIT_TABLES = {
  /** Where names live. Row 0 is the file. */
  scopes: {
    parent: 'row',
    /** See {@link SCOPE_KINDS}. */
    kind: 'number',
    /** The symbol whose body or members it holds. */
    symbol: 'row',
    /** Of a `namespace` its name; empty where what it holds is as good as outside of it, for this file alone. */
    name: 'text',
  },
  /** What the file defines: in step with `definitions`. */
  symbols: {
    name: 'text',
    /** See {@link SYMBOL_KINDS}. */
    kind: 'number',
    /** The scope whose names it is among; of a member declared elsewhere (it has a receiver) the file's. */
    scope: 'row',
    /** From here on its name is visible in its scope; 0: everywhere in it. */
    from: 'number',
    /** The scope that it opens: of a type its members, of a function its parameters and body. */
    body: 'row',
    /**
     * The written type: of a variable, field or constant its own; of a function what it returns (several: a tuple; none: -1);
     * of a named type what it stands for.
     */
    type: 'row',
    /** The type that it is declared a member of elsewhere: the receiver of a Go method, the target of an extension. */
    receiver: 'row',
    /** The expression that it gets its value from: of a variable without a type its type, too. */
    value: 'row',
    /** See {@link SYMBOL_FLAGS}; a sum. */
    flags: 'number',
    /**
     * Of a function the labels that its arguments are given by, each with a `:` behind it, `_` for none: `_:by:`. Empty in
     * languages whose arguments have none.
     */
    labels: 'text',
  },
  /** What types derive from, as written; in step with the `bases` of all definitions, one after the other. */
  bases: {
    symbol: 'row',
    type: 'row',
    /** 0: extends; 1: implements. */
    relation: 'number',
  },
  /** Declarations that stand apart from a type and give it members, or something that it derives from. */
  extensions: {
    /** The scope that they open: it binds their type parameters. Members have the type as their receiver. */
    scope: 'row',
    type: 'row',
    /** What the type derives from by it; -1 for nothing. */
    base: 'row',
    /** What it is found by: the last name of the type, `[]` for lists, `*` for what a type parameter stands for. */
    name: 'text',
  },
  /** Names that are no symbols: parameters, locals, imports, type parameters. */
  bindings: {
    name: 'text',
    /** See {@link BINDING_KINDS}. */
    kind: 'number',
    scope: 'row',
    /** From here on it is visible in its scope; 0: everywhere in it. */
    from: 'number',
    /** The written type; of a type parameter its bound. */
    type: 'row',
    /** The expression that it gets its value from. */
    value: 'row',
    /** Of an import its row in the facts' `imports`; else -1. */
    import: 'row',
    /** See {@link BINDING_FLAGS}; a sum. */
    flags: 'number',
  },
  /** Types as written. */
  types: {
    /** See {@link TYPE_KINDS}. */
    kind: 'number',
    /** `name`: the last name. `literal`: the name of a built-in type. */
    name: 'text',
    /** `name`: the type that qualifies it, `pkg` in `pkg.Name`, `Outer` in `Outer.Inner`. Else the type that it is made of. */
    base: 'row',
    /** First and number of its parts in `items`: type arguments; `map`: key, value; `function`: parameters; `tuple`, `union`: all. */
    first: 'number',
    count: 'number',
    /** The scope where its name is looked up; `members`: the scope that holds the members. */
    scope: 'row',
    at: 'number',
  },
  /** Expressions, as far as they can be followed. */
  expressions: {
    /** See {@link EXPRESSION_KINDS}. */
    kind: 'number',
    /**
     * `name`, `member`: the name. `literal`: the built-in type of its value. `unary`, `binary`: the operator. `call`: the
     * labels of its arguments as of `symbols`, `{` for an unnamed function behind the brackets.
     */
    name: 'text',
    /** The expression that it is about: the callee, the receiver, the operand; `function`: none. */
    base: 'row',
    /** First and number of its parts in `items`: arguments, elements, operands. */
    first: 'number',
    count: 'number',
    /** A row of `types`: of `new`, `convert`, `composite`, `is`; of a call its first type argument; of `function` what it returns. */
    type: 'row',
    /** The scope where names are looked up; of `function` the scope that it opens. */
    scope: 'row',
    /** Of `part` which one, of `literal` nothing (one row stands for all of a type); else the offset in the text. */
    at: 'number',
  },
  /** Rows of types or expressions, in the order in which they are parts of one. */
  items: { row: 'row' },
  /** Uses of names: in step with `references`. */
  names: {
    /** Of a call or construction that expression; of a read, write or passed value the `name` or `member`. -1 for a type. */
    expression: 'row',
    /** Of a type its row in `types`. */
    type: 'row',
  },
  /** What functions return, where it is not written: for languages that infer it. */
  returns: { symbol: 'row', value: 'row' },
  /**
   * Where values go, in the order in which it happens: for languages whose names hold what was assigned to them last.
   * Bindings and symbols of such a language have no `value`; what a name holds at a place is what flowed to it.
   */
  flows: {
    /** See {@link FLOW_KINDS}. */
    kind: 'number',
    /**
     * What it goes into: a `name`, a `member` of a path of names, an `index` (an item under keys) or an `element` (an item,
     * whichever: `xs.append(v)`) of one. -1: out of the function `symbol`.
     */
    target: 'row',
    /** -1: something that cannot be followed, which hides what the target held before, or nothing at all (`del x`). */
    value: 'row',
    /** The scope whose name the target begins with; -1 where it has none, and of what leads out of a function. */
    scope: 'row',
    /** The innermost definition that runs it; -1 for the file. */
    symbol: 'row',
    /** Where it has happened: the offset behind it. What the value itself holds stands before. */
    at: 'number',
    /** The innermost branch around it (of an `if`, a loop, a `try`), a row of `extents`: it may not be run. */
    branch: 'row',
    /** The outermost loop around it: what is assigned below a use may still reach it. */
    loop: 'row',
    /** Where the target holds the value, when that is less than all of its scope from `at` on. */
    within: 'row',
  },
  /** Parts of the text: offsets, the end excluded. */
  extents: { start: 'number', end: 'number' },
  /** What decorates symbols, outermost first: the expression that is called with it, arguments and all. */
  decorators: { symbol: 'row', expression: 'row' },
  /** One row: what is known of the file as a whole. */
  file: {
    /** The package, module or namespace that it says it belongs to: `chi`, `com.google.gson`; empty without any. */
    package: 'text',
    /** Which builds take it: an index into {@link BUILDS}. */
    build: 'number',
  },
} as const;

/** Which builds take a file: all, those for some machines, those that ask for it. */
export const BUILDS = ['all', 'some', 'asked'] as const;

/**
 * What a scope is of. `namespace`: of names that other files add to, and have under its name. `comprehension`: an expression that
 * loops, whose loop variables are its own; it is a function without a name to those who look up names. `module`: a part of the
 * file that is a module of its own, and sees nothing of what is around it. `extension`: see the table `extensions`.
 */
export const SCOPE_KINDS = [
  'file',
  'type',
  'function',
  'block',
  'comprehension',
  'namespace',
  'module',
  'extension',
] as const;

/**
 * `class` has instances that share its members (Go struct, record); `interface` has members that others have to have;
 * `type` is a named type that stands for another one, with members of its own where the language has that.
 */
export const SYMBOL_KINDS = [
  'function',
  'method',
  'constructor',
  'class',
  'interface',
  'enum',
  'type',
  'variable',
  'field',
  'constant',
] as const;

/** What a symbol is besides its kind. */
export const SYMBOL_FLAGS = {
  static: 1,
  abstract: 2,
  /** The last parameter takes any number of arguments. */
  variadic: 4,
  /** Seen from other packages or modules. */
  exported: 8,
  /** Of a `type`: another name for the same, `type A = B`. */
  alias: 16,
  /** Of a `field`: its type's members are members of the type around it. */
  embedded: 32,
  /** Seen in its own type alone. */
  private: 64,
  /** Of a function: what it gives has to be awaited. */
  async: 128,
  /** Of a function: it yields. */
  generator: 256,
  /** Of a `field`: methods assign it to an instance, `self.x = …`; no bare name means it. */
  assigned: 512,
  /** Its text is put where its name is: it gives way to what else has the name. */
  macro: 1024,
  /** Of a type: what derives from it has its members as if they were its own, private ones, too: a trait. */
  mixin: 2048,
  /** Others may override it. */
  virtual: 4096,
  /** Of a type: it is one of several parts of one type, which other files may have. */
  partial: 8192,
  /** Of a function: it can be called as a member of what its first parameter takes. Of a type: its methods are members of what its head takes. */
  extension: 16384,
  /** Of a type: it has one instance, and its name means that: an object. */
  singleton: 32768,
  /** Of a type: its head says what an instance is made of, as if its name were a function. */
  called: 65536,
  /** Each build has a definition of its own for what it declares. */
  perBuild: 131072,
} as const;

/**
 * `member`: of a type that is written in place, `struct{…}`: its scope is that of the type. `receiver`: the parameter that is the
 * object itself, or its class. `outer`: the scope has no such name of its own, but means the one around: `nonlocal x`.
 */
export const BINDING_KINDS = [
  'parameter',
  'local',
  'import',
  'type parameter',
  'receiver',
  'member',
  'outer',
] as const;

/** What a binding is besides its kind. */
export const BINDING_FLAGS = {
  /** A parameter that takes any number of arguments; its type is that of one. */
  variadic: 1,
  /** A parameter that may be left out. */
  optional: 2,
  /** An import of all names: `import . "x"`, `import a.b.*`. */
  star: 4,
  /** An import of static members. */
  static: 8,
  /** Of a `member`: its type's members are members of the type around it. */
  embedded: 16,
  /** Of an `outer`: it means the file's name, `global x`. */
  file: 32,
  /** Of a `local` of the file or of a type: others see it as they see its symbols; only functions assign it, `global x`. */
  shared: 64,
  /** A parameter that is given by name alone; a variadic one takes all that are given by other names. */
  named: 128,
  /** A parameter that is given by position alone. */
  positional: 256,
  /** Of an `import`: a module that is declared there. Its type has the module's names where it stands in the file itself. */
  module: 512,
  /** A parameter in the head of a type that is a field, too: its name means the field. */
  field: 1024,
} as const;

/**
 * What a flow is. `default`: into a parameter that no argument is given for. `return`, `yield`: out of the function. `narrow`:
 * nothing is assigned; a condition tells that the target is the value: an `instance`, or `either` of several. `declare`: nothing is
 * assigned; the target is said to be of the `type` that is the value. `define`: a definition takes place, its value a `symbol`.
 */
export const FLOW_KINDS = ['assign', 'default', 'return', 'yield', 'narrow', 'declare', 'define'] as const;

/**
 * `name`: a named type, with arguments. `pointer`, `list`, `optional`, `channel`, `variadic`: made of `base`. `members`:
 * written in place, `struct{…}`. `this`: the type around it. `literal`: a built-in one, by its name. `unknown`: what cannot be followed.
 * `package`: no type, but the package that one is of whose name is written in full. `either`: one of its parts. `self`: that of
 * what a method is called on. `path`: no type, but the value or package that one is a member of; as a type that of the value.
 */
export const TYPE_KINDS = [
  'name',
  'pointer',
  'list',
  'optional',
  'channel',
  'variadic',
  'map',
  'function',
  'tuple',
  'union',
  'members',
  'this',
  'literal',
  'wildcard',
  'unknown',
  'package',
  'either',
  'self',
  'path',
] as const;

/**
 * `name`, `member` (base.name), `call` (base: the callee), `new` (type), `index` (base[items]), `slice` (base), `literal`,
 * `composite` (a value of a type with its elements), `list`, `convert` (type(base), casts), `is` (base is of the type: true or
 * false), `unary`, `binary` (items: both operands), `either` (one of the items), `function` (an unnamed function; its parameters
 * are the bindings of its scope), `this`, `super`, `await` (base), `part` (one of several values of base), `element` (what
 * iterating over base gives), `key` (its keys; of a channel what comes out of it), `symbol` (`at`: a row of symbols, where no name leads to it), `type` (a type as a value; called as it is written where it declares something),
 * `received` (what comes out of channel base), `unknown`.
 *
 * Where values are followed: `constant` (a literal whose value may be a key: its text is the name, base its `literal`), `nothing`
 * (`None`, `null`: it has no members and cannot be called), `map` (items: key and value by turns, -1 for one that is unknown),
 * `named` (an argument `name=base`; the name is `{` of an unnamed function behind the brackets), `spread` (base gives several arguments or elements; called `named` where they are by
 * name), `entered` (what the context manager base gives to a `with`), `instance` (of the class base, as a condition or the catching
 * of an exception tells). Of a `slice` the items are its bounds, where both are known; of `super` the items are what it was given. A `list` that a
 * comprehension makes has one item, whose scope is the comprehension's.
 *
 * `expected` (the type that is expected where the expression stands that begins with it: `.circle`), `tuple` (items: its parts), `matched` (what a pattern takes out of base under the name, a field or the number of a part; the
 * item is the type or constant that the pattern names).
 */
export const EXPRESSION_KINDS = [
  'name',
  'member',
  'call',
  'new',
  'index',
  'slice',
  'literal',
  'composite',
  'list',
  'convert',
  'is',
  'unary',
  'binary',
  'either',
  'function',
  'this',
  'super',
  'await',
  'part',
  'element',
  'key',
  'symbol',
  'type',
  'received',
  'unknown',
  'constant',
  'nothing',
  'map',
  'named',
  'spread',
  'entered',
  'instance',
  'tuple',
  'matched',
  'expected',
] as const;

/** Stands for the label or the name of an argument that is an unnamed function behind the brackets of a call. */
export const BEHIND = '{';

/** See {@link SCOPE_KINDS}. */
export type ScopeKind = (typeof SCOPE_KINDS)[number];
/** See {@link SYMBOL_KINDS}. */
export type SymbolKind = (typeof SYMBOL_KINDS)[number];
/** See {@link BINDING_KINDS}. */
export type BindingKind = (typeof BINDING_KINDS)[number];
/** See {@link TYPE_KINDS}. */
export type TypeKind = (typeof TYPE_KINDS)[number];
/** See {@link EXPRESSION_KINDS}. */
export type ExpressionKind = (typeof EXPRESSION_KINDS)[number];
/** See {@link FLOW_KINDS}. */
export type FlowKind = (typeof FLOW_KINDS)[number];

type UnitTables = typeof UNIT_TABLES;

/** A unit as it is read: views over its bytes. */
export type Unit = { readonly [T in keyof UnitTables]: Table<UnitTables[T]> } & {
  /** A text by its number. */
  text(number: number): string;
};

/** Collects the rows of one unit. */
export class UnitBuilder extends TablesBuilder<UnitTables> {
  /** @param expected How many rows a table may come to have. */
  constructor(expected = 0) {
    super(UNIT_TABLES, expected);
  }

  /** Adds a list of rows of types or expressions. @returns where it begins, and how many they are. */
  items(rows: readonly number[]): { readonly first: number; readonly count: number } {
    const first = this.count('items');
    for (const row of rows) this.add('items', { row });
    return { first, count: rows.length };
  }
}

/** The table whose rows the fields of a table name. Of `types`, `expressions` and `scopes` their own rows come before. */
const TARGETS: Readonly<
  Partial<Record<keyof UnitTables, Readonly<Record<string, keyof UnitTables | 'imports'>>>>
> = {
  scopes: { parent: 'scopes', symbol: 'symbols' },
  symbols: { scope: 'scopes', body: 'scopes', type: 'types', receiver: 'types', value: 'expressions' },
  bases: { symbol: 'symbols', type: 'types' },
  extensions: { scope: 'scopes', type: 'types', base: 'types' },
  bindings: { scope: 'scopes', type: 'types', value: 'expressions', import: 'imports' },
  types: { base: 'types', scope: 'scopes' },
  expressions: { base: 'expressions', type: 'types', scope: 'scopes' },
  names: { expression: 'expressions', type: 'types' },
  returns: { symbol: 'symbols', value: 'expressions' },
  flows: {
    target: 'expressions',
    value: 'expressions',
    scope: 'scopes',
    symbol: 'symbols',
    branch: 'extents',
    loop: 'extents',
    within: 'extents',
  },
  decorators: { symbol: 'symbols', expression: 'expressions' },
};

/** How many rows the tables have to have that go in step with the facts of a file. */
export interface UnitCounts {
  readonly symbols: number;
  readonly bases: number;
  readonly names: number;
  readonly imports: number;
}

/**
 * Looks at all rows of a unit whose bytes come from a store, once: whoever follows rows comes to an end, and to rows
 * that are there.
 *
 * @throws RangeError for one that was not written as it is.
 */
export function checkUnit(bytes: Uint8Array, counts: UnitCounts): void {
  const unit = readUnit(bytes);
  const isInStep =
    unit.symbols.length === counts.symbols &&
    unit.bases.length === counts.bases &&
    unit.names.length === counts.names &&
    unit.file.length === 1;
  if (!isInStep) throw new RangeError('the unit is not in step with the facts');
  for (const [name, fields] of Object.entries(TARGETS)) {
    const table = unit[name as keyof UnitTables] as unknown as Readonly<Record<string, Column>>;
    for (const [field, target] of Object.entries(fields)) {
      const column = table[field];
      const limit = target === 'imports' ? counts.imports : unit[target].length;
      if (column) checkRows(column, limit, target === name);
    }
  }
  const places = unit.items.length;
  const parts = checkItems(unit, 'types') + checkItems(unit, 'expressions');
  if (parts > places) throw new RangeError('parts are parts of several');
  const symbol = EXPRESSION_KINDS.indexOf('symbol');
  const { kind, at } = unit.expressions;
  for (let row = 0; row < kind.length; row += 1)
    if (kind[row] === symbol && (at[row] ?? -1) >= counts.symbols) throw new RangeError('no such symbol');
}

/** @param isOwn Whether they are rows of the table itself, which come before the one that names them. */
function checkRows(column: Column, limit: number, isOwn: boolean): void {
  for (let row = 0; row < column.length; row += 1) {
    const value = column[row] ?? -1;
    if (value < -1 || value >= (isOwn ? row : limit)) throw new RangeError(`row ${row} names ${value}`);
  }
}

/** @returns how many parts the rows of a table have. */
function checkItems(unit: Unit, name: 'types' | 'expressions'): number {
  const { first, count } = unit[name];
  const { row: items } = unit.items;
  let parts = 0;
  for (let row = 0; row < first.length; row += 1) {
    const [from, many] = [first[row] ?? 0, count[row] ?? 0];
    parts += many;
    if (many < 0 || from < 0 || from + many > items.length || parts > items.length)
      throw new RangeError(`row ${row} has no parts`);
    for (let at = from; at < from + many; at += 1) {
      const value = items[at] ?? -1;
      if (value < -1 || value >= row) throw new RangeError(`row ${row} has the part ${value}`);
    }
  }
  return parts;
}

/**
 * A unit from its bytes.
 * @throws RangeError for bytes of another length than their head says.
 */
export function readUnit(bytes: Uint8Array): Unit {
  const { tables, text } = readTables(UNIT_TABLES, bytes);
  return { ...tables, text };
}
