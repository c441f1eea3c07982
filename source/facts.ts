import type { Arguments, FlowFact, ValueFact } from './flow-facts.js';

/**
 * The facts that extraction finds in one file: pure data, JSON-safe, deterministic. Lines and columns start
 * at 1 and 0; columns count UTF-16 units; `end_line` is the line of the last character. Paths use `/` and are
 * relative to the root. Extraction never looks at another file.
 */

/** Where something stands. */
export interface Span {
  start_line: number;
  start_column: number;
  end_line: number;
  end_column: number;
}

/** The callable or declared form of a definition: decides its id prefix (`fn:`, `m:`, `cls:`, `var:`, `type:`). */
export type DefinitionForm = 'function' | 'method' | 'class' | 'variable' | 'type';

/** What a class form really is; null for a plain class. */
export type ClassSubkind = 'interface' | 'enum' | 'struct' | 'trait' | 'protocol';

/** One name that a file defines. Named function values (`const f = () => …`) are functions, not variables. */
export interface Definition {
  form: DefinitionForm;
  subkind: ClassSubkind | null;
  name: string;
  /** Dotted path inside the file: `Auth.login`, `outer.inner`. Not unique: see `ordinal`. */
  qualname: string;
  /** 1 for the first definition of (form, qualname) in the file, 2 for the second… (ruling X-19). */
  ordinal: number;
  /** Index into `definitions` of the innermost enclosing definition; null at the top of the file. */
  parent: number | null;
  /**
   * Where the name can be seen, when that is less than the parent's body (or the file): the body of the unnamed
   * function (`it('…', () => {…})`) or, for block-scoped names, the block that holds the definition. Absent or
   * null: visible in all of the parent. Without it two `condition`s of two callbacks could not be told apart.
   */
  block?: Span | null | undefined;
  /**
   * True when the name is only that of a property, which no bare name means: a member of an object literal, what is
   * assigned to one (`this.on = () => …`, `self.db = …`). Absent: false. Members of class bodies are told by `parent`.
   */
  is_property?: boolean | undefined;
  /** True for a component of a user interface: a function or class, or a variable that holds one. Absent: false. */
  is_component?: boolean | undefined;
  /** TS/JS: the name that a function or class value has inside of itself alone: `f` in `const fact = function f() {}`. */
  own_name?: string | undefined;
  /** Python functions in an `if`, a loop or a `try`: first and last line of that branch. It may not be the one that is run. */
  branch?: readonly [number, number] | undefined;
  /**
   * The whole definition, decorators and `export` included, its leading doc comment not. TS/JS `const f = …`
   * spans the declaration statement when it declares one name, else the declarator.
   */
  span: Span;
  /** The line of the name itself. */
  name_line: number;
  /** One line: the head without the body, white space folded, at most 300 characters. */
  signature: string;
  /** The doc comment or docstring, dedented, without comment marks; null when there is none. */
  docstring: string | null;
  /** As written, without `@`, arguments kept: `app.route('/x')`. */
  decorators: string[];
  is_async: boolean;
  is_generator: boolean;
  is_static: boolean;
  is_abstract: boolean;
  visibility: 'public' | 'protected' | 'private';
  /** Whether the file itself exports it (TS/JS: keyword or export list; Python: the public-name rule and `__all__`). */
  exported: boolean;
  /** Overload signature or ambient declaration: no body. */
  declaration_only: boolean;
  /**
   * Base classes and interfaces as written, type arguments removed: `flask.views.View`. Of a TS variable that holds an
   * object literal the interface that it is written for.
   */
  bases: Base[];
  parameters: Parameter[];
  /** The return annotation as written; null when there is none. */
  return_type: string | null;
  /** TS: the type parameters as written, `T extends Base = Base, U`; absent when there are none. */
  type_parameters?: string | undefined;
  /**
   * Variables: the annotation as written, or the class a bare constructor call names; null when unknown. TS types: what
   * they stand for, as written, when it is not too long.
   */
  value_type: string | null;
  /** Variables only; null otherwise. */
  scope: 'module' | 'class' | 'function' | null;
  /** `const` / `readonly` / `Final` / UPPER_CASE in Python. */
  is_constant: boolean;
}

/** One written base of a class. */
export interface Base {
  name: string;
  /** `implements` where the language says so; everything else `extends`. */
  relation: 'extends' | 'implements';
  /** TS: its type arguments as written, `string, Foo`; absent when there are none. */
  type_arguments?: string | undefined;
  line: number;
}

/** One parameter. */
export interface Parameter {
  name: string;
  type: string | null;
  /** Whether it has a default value or is optional. */
  optional: boolean;
  rest: boolean;
}

/**
 * One use of a name. `call`: `f()`, `o.m()`; `new`: construction; `jsx`: an element of a component; `decorator`:
 * a decorator's callee; `type`: used as a type; `read` / `write` / `pass`: a name used as a value (pass: as an
 * argument). Locals (parameters, block variables) are left out unless they are the root of a call's receiver.
 */
export type ReferenceKind = 'call' | 'new' | 'jsx' | 'decorator' | 'type' | 'read' | 'write' | 'pass';

/** One use of a name, as written. */
export interface Reference {
  kind: ReferenceKind;
  /** The last name: `login` in `this.auth.login()`. */
  name: string;
  /**
   * The receiver as written without white space, `this.auth`; null for a bare name. Longer ones than `LIMITS.expression` are cut.
   * TS/JS paths are written plainly: `a?.b!` is `a.b`; blanks that keep words apart stay: `new Foo()`. Of a key, whose
   * value is written nowhere, ''.
   */
  receiver: string | null;
  /** How the receiver begins: decides whether a resolver can follow it. `call` and `other` hold no plain dotted path. */
  receiver_form: 'none' | 'this' | 'super' | 'path' | 'call' | 'literal' | 'other';
  /** The innermost enclosing definition with a body or the variable it initialises; null at module level. */
  from: number | null;
  line: number;
  column: number;
  /** The expression as written, white space folded, at most `LIMITS.expression` characters. */
  expression: string;
  /**
   * Whether `name` (or the receiver's first name) is bound by a parameter or variable of the enclosing functions and
   * blocks: by what no definition stands for. False for a nested function or class, which is a definition, and for
   * what is imported inside a function.
   */
  local: boolean;
  /** Number of positional arguments of a call; null for others or with a spread. */
  arguments: number | null;
  /** TS/JS: the receiver where it is no plain path of names, as far as it can be followed; one object for keys that stand together. */
  on?: ValueFact | undefined;
  /**
   * The callee as a value, where it is more than a path that scopes tell: `handlers[0]()`, `make()()`, and in Python
   * every path from a local name that can be followed. Absent for all others.
   */
  callee?: ValueFact | undefined;
  /** TS: the type arguments of a call as written, `string, Foo`; absent when there are none. */
  types?: string | undefined;
  /** The arguments of a call that can be followed; absent when none can. */
  values?: Arguments | undefined;
}

/** The reference that a key is: a name that stands for a property of a value, `on`; its receiver is written nowhere, ''. */
export function keyReference(
  kind: ReferenceKind,
  name: string,
  { from, line, column }: Pick<Reference, 'from' | 'line' | 'column'>,
  on: ValueFact | undefined,
): Reference {
  return {
    kind,
    name,
    receiver: '',
    receiver_form: 'other',
    from,
    line,
    column,
    expression: name,
    local: false,
    arguments: null,
    on,
    callee: undefined,
    types: undefined,
    values: undefined,
  };
}

/** One import, one entry per statement and module. */
export interface ImportFact {
  /** The specifier as written: `./util`, `react`, `..pkg.mod`, `os.path`. */
  module: string;
  kind: 'import' | 'dynamic' | 'require' | 'reexport';
  /** `import type` and the like. */
  type_only: boolean;
  /** What is bound. `imported: '*'` is the namespace or the module itself; `'default'` a default import. */
  names: ImportedName[];
  /** Index of the enclosing definition; null at module level. */
  from: number | null;
  line: number;
  column: number;
}

/** One name that an import binds (or re-exports). */
export interface ImportedName {
  imported: string;
  /** The name in this file; null when nothing is bound (`import './x'`, `export * from './x'`). */
  local: string | null;
}

/** One name that the file offers to others. */
export interface ExportFact {
  /** The outside name; `default`, or `*` for `export * from`. */
  name: string;
  /** The inside name; null for an anonymous default or `*`. */
  local: string | null;
  /** The module it is passed on from; null for the file's own. */
  module: string | null;
  /** The definition that it is, by index, where no name inside the file means it: a component that a file is. */
  definition?: number | undefined;
  line: number;
}

/** One TODO, FIXME, HACK or XXX comment. */
export interface CommentTag {
  tag: 'TODO' | 'FIXME' | 'HACK' | 'XXX';
  /** The text after the tag, one line, at most 200 characters. */
  text: string;
  /** What stands in brackets behind the tag, a person or an issue: `#12` of `TODO(#12): …`; empty without any. */
  reference: string;
  line: number;
  column: number;
  /** The innermost enclosing definition. */
  from: number | null;
}

/** What a test framework would run: `it('adds', …)`, `def test_adds`. */
export interface TestFact {
  /** The title, on one line, at most 200 characters, or the function's name. */
  title: string;
  /** The definition that is the test, when it is a named function or method; null for a call with a callback. */
  definition: number | null;
  /** Titles of the enclosing suites, outermost first. */
  suites: string[];
  /** A definition's own; of a call the titles of its suites and its own, joined by dots. Not unique: see `ordinal`. */
  qualname: string;
  /** As {@link Definition.ordinal}; among the calls of the file where it is one. */
  ordinal: number;
  /** A definition's own; of a call its head: `it.each('adds %s')`. */
  signature: string;
  is_async: boolean;
  span: Span;
  /** What is run: the callback of a call, or all of a definition. */
  body: Span;
}

/** One registration of a handler with a web framework: a route for each method and path that it names. */
export interface RouteFact {
  /** In the order written, each once. */
  routes: RouteName[];
  /** Its head: `app.get('/users/:id')`. */
  signature: string;
  /** The registration: a call without what it is chained to, or a decorator. */
  span: Span;
  /** Where what it runs is written or named: the arguments behind the path; null for a decorator. */
  body: Span | null;
  /** Definitions of this file that stand in the body as functions, or that the decorator decorates, by index. */
  handlers: number[];
  /** Where it names functions that are run: arguments that are a name and no more. `wrapped(handler)` hands on what it makes. */
  named: Span[];
}

/** What a route is called. */
export interface RouteName {
  /** Method and path, the method in upper case: `GET /users/:id`; `ALL` and `USE` as the framework calls them. */
  name: string;
  /** As {@link Definition.ordinal}, among the routes of the file. */
  ordinal: number;
}

/** One key of a configuration file. */
export interface KeyFact {
  /** Its path, joined by dots: `scripts.build`; a part that is no plain word is in quotes, `exports."."`. */
  name: string;
  /** As {@link Definition.ordinal}, among the keys of the file. */
  ordinal: number;
  /** Index into `keys` of the key that this one stands in; null at the top. */
  parent: number | null;
  /** The key and what is written for it, where that is short, with secrets masked: `scripts.build: tsc -p .`. */
  signature: string;
  /** From the key to the end of its value. */
  span: Span;
}

/** One place that names a table of a database: in SQL, which code holds in its strings. */
export interface TableUse {
  /** As written, without quotes: `users`, `auth.users`. */
  name: string;
  /** Whether the statement writes it. */
  writes: boolean;
  /** The innermost enclosing definition. */
  from: number | null;
  line: number;
  column: number;
  /** The name with the words in front of it: `FROM users`. */
  expression: string;
}

/** A type that an assignment or annotation tells of a name that is not a definition: `self.db = Database()`. */
export interface TypeFact {
  /** `self.db`, `this.db`, or a local's name. */
  target: string;
  /**
   * A written annotation, or the callee of a constructor call; of source `return`, the callee of the call whose
   * (awaited) result is assigned. What a function says it returns is in {@link Definition.return_type} alone.
   */
  type: string;
  /** Python constructs as it calls: `constructor` where the callee is a class of the file or named like one. */
  source: 'annotation' | 'constructor' | 'parameter' | 'default' | 'return';
  /** As {@link Reference.local}, of a callee's first name; false for `this`, `self` and what is no callee. */
  local: boolean;
  from: number | null;
  /** As {@link Definition.block}: where the target can be seen, when that is less than all of `from`. */
  block?: Span | null | undefined;
  line: number;
}

/** Everything that is known of one file. */
export interface FileFacts {
  language: string;
  /** The docstring or leading doc comment of the file; null when there is none. */
  docstring: string | null;
  lines: number;
  definitions: Definition[];
  references: Reference[];
  imports: ImportFact[];
  exports: ExportFact[];
  types: TypeFact[];
  /** Where values go, in source order. */
  flows: FlowFact[];
  comments: CommentTag[];
  tests: TestFact[];
  /** In source order. */
  routes: RouteFact[];
  /** Of a configuration file, in source order; empty for code. */
  keys: KeyFact[];
  /** In source order; absent where there are none. */
  tables?: TableUse[] | undefined;
  /** Lines of syntax errors, at most 20; what is around them is still extracted. */
  syntax_errors: number[];
  /** The bytes of the file's unit, see `ir/unit.ts`, where its language is lowered to one: the linker reads these. */
  unit?: Uint8Array | undefined;
}
