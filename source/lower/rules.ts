import type { ClassSubkind, Definition, FileFacts, ImportFact, ReferenceKind } from '../facts.js';
import type { BindingKind, ExpressionKind, FlowKind, ScopeKind, SymbolKind, TypeKind } from '../ir/index.js';
import type { RouteRules } from './routes.js';
import type { NewBinding, Scope, Scopes } from './scopes.js';
import type { LineRules, SourceText } from './source-text.js';
import type { NodeId, SyntaxTree } from './syntax-tree.js';

/**
 * The vocabulary in which a language says what its syntax means: rules by the type of a node, once for each position
 * that a node can stand in (a statement or declaration, an expression, a type, a parameter). A typed table, and no
 * queries in a file of their own: one walk with a stack of scopes does all of it, the compiler checks the words, and
 * what a table cannot say is a small function beside it.
 */

/**
 * Which child of a node: a field's name (`body`), the first child of a type (`:block`), the nth child (`#0`, `#-1` the
 * last), the first child that is a type (`*type`), or the node itself (`.`).
 */
export type Part = string;

/** What a language says of its syntax. */
export interface LoweringRules {
  /** The name that facts carry. */
  readonly language: string;
  /** Which builds take a file, as in `BUILDS`. Default: all. */
  readonly buildOf?: (text: string, path: string) => number;
  /** Types of nodes that are comments. */
  readonly comments: readonly string[];
  /** Unnamed tokens that are read where they are a field, as they are written: operators that change what an expression is. */
  readonly tokens?: readonly string[];
  /** Types of nodes that are not read, nor what is in them: the pieces of a string. */
  readonly unread?: readonly string[];
  /** Types of nodes that are passed over: what is in them stands in their place. */
  readonly spliced?: readonly string[];
  /** Types of nodes that nest as deep as a line is long: from a depth on their inner ones are passed over. */
  readonly chains?: readonly string[];
  /** Nodes whose children stand in their place: lists of expressions or names. */
  readonly lists?: readonly string[];
  /** What statements and declarations do. What has no rule is looked through for what is inside. */
  readonly nodes: Readonly<Record<string, NodeRule>>;
  readonly expressions: Readonly<Record<string, ExpressionRule>>;
  readonly types: Readonly<Record<string, TypeRule>>;
  /** The children of lists of parameters. */
  readonly parameters: Readonly<Record<string, ParameterRule | ParameterHook>>;
  /** Types that need no declaration. */
  readonly builtinTypes: ReadonlySet<string>;
  /** Where bounds of type parameters stand apart from them: in the clauses of a declaration, of which each names one. */
  readonly constraints?: { readonly clause: Part; readonly name: Part; readonly type: Part };
  /** Whether what is imported are packages, which are no symbols, or names. */
  readonly importsAre: 'packages' | 'names';
  /** Arguments that stand for several. */
  readonly spreads?: readonly string[];
  /** A name that binds nothing: `_`. */
  readonly blank?: string;
  /** The name that stands for the type around: `Self`. */
  readonly ownType?: string;
  /** Names that stand in a type's place and say that it follows from the value: `var`. */
  readonly inferredTypes?: ReadonlySet<string>;
  /** Whether values, types and functions of one name live apart: a local hides no type and no function; or types alone. */
  readonly namesApart?: boolean | 'types';
  /** Of a language whose names hold what was assigned to them last. */
  readonly flows?: FlowRules;
  readonly modifiers?: ModifierRules;
  /** The type of a parameter, of a variable or of what a function gives, where a comment says more than what is written. */
  readonly documented?: (to: Lowering, node: NodeId, written: number) => number;
  /** What a name alone says about who sees it; modifiers are read by rules. */
  access(name: string): Access;
  readonly docs: DocRules;
  /** How the text of a head is put on one line. */
  readonly lines?: LineRules;
  readonly tests?: TestRules;
  readonly routes?: readonly RouteRules[];
  /** What hooks of the language remember while a file is lowered, as it is at its beginning. */
  readonly own?: () => unknown;
  /** Adds to the facts what is known when all of the file is lowered. */
  readonly finish?: (to: Lowering, facts: FileFacts) => void;
}

/**
 * A name belongs to all of the scope that binds it, before it does so, too: what it means is looked up when all of the file is
 * known. Members are no bare names but in the body of their type. What names hold are flows.
 */
export interface FlowRules {
  /** Whether a name that nothing binds is the language's own. */
  isBuiltin(name: string): boolean;
}

/** Who sees a symbol. */
export interface Access {
  readonly exported: boolean;
  readonly visibility: Definition['visibility'];
}

/** What the words in front of a declaration say, and its decorators or annotations. */
export interface ModifierRules {
  /** Which child holds them; `.`: they are the first children of the declaration itself, of these types. */
  readonly part: Part;
  readonly kinds?: readonly string[];
  /** Types of nodes among them that are decorators, or with {@link decorator} that hold some. */
  readonly decorators: readonly string[];
  /** Types of nodes that are decorators of what stands behind them. */
  readonly preceding?: readonly string[];
  readonly decorator?: string;
  readonly words: Readonly<Record<string, Modifier>>;
  /** Whether what is private is seen in all of its module, and not in its type alone. */
  readonly privateToModule?: boolean;
  /** What goes without saying in interfaces: of all members, and of fields. */
  readonly inInterface: { readonly access: Access; readonly fields?: Modifier };
}

/** What one word says. */
export interface Modifier {
  readonly access?: Access;
  /** See `SYMBOL_FLAGS`. */
  readonly flags?: number;
  readonly isConstant?: boolean;
}

/** Which comments document what stands below them. */
export interface DocRules {
  /** How a comment that documents begins: `//`, `/**`. */
  readonly marks: readonly string[];
  /** Comments that tell a tool something: no part of a doc. */
  readonly directive?: RegExp;
  /** Whether a comment behind a member or constant, on its line, documents it. */
  readonly trailing?: boolean;
  /** Whether a comment that is indented deeper than a definition above it is at the end of that. */
  readonly indented?: boolean;
}

/** Which functions a test runner runs. */
export interface TestRules {
  /** Of which files; absent: of all. */
  readonly path?: RegExp;
  /** Names of functions. */
  readonly name?: RegExp;
  /** Names of decorators or annotations. */
  readonly decorator?: RegExp;
  /** Calls that run a part of a test under a title of its own: `t.Run("title", func…)`. */
  readonly calls?: readonly TestCallRule[];
  /** Functions that only hold such calls: they are no suites. */
  readonly entry?: RegExp;
  /** Of methods with such a {@link name}: what their class has to derive from, by its own bases or those of classes of the file. */
  readonly base?: RegExp;
  /** Where functions with such a {@link name} are tests without such a base, and which classes hold some. */
  readonly collected?: CollectedRules;
  /** A decorator of functions that are no tests, whatever they are called. */
  readonly never?: RegExp;
  /** Files that belong to tests, besides those of {@link path}: their routes are none. */
  readonly files?: RegExp;
  /** A decorator that gives a test or suite a title, which it captures. */
  readonly title?: RegExp;
}

/** Functions that a test runner collects by their names: at the top of a file, or in classes. */
export interface CollectedRules {
  readonly path: RegExp;
  /** Names of classes, which are in no function. */
  readonly suite: RegExp;
  /** A member that such a class must not have. */
  readonly without: string;
}

/** A call that runs a part of a test; arguments are counted from 0. */
export interface TestCallRule {
  readonly name: string;
  readonly title: number;
  /** -1: all of the call. */
  readonly body: number;
  /** Whether it only holds tests. */
  readonly isSuite?: boolean;
  /** How the body begins, as written. */
  readonly taking: RegExp;
}

/** A function of the language's own, for what a table cannot say. */
export type NodeHook = (to: Lowering, node: NodeId) => void;

/** What a statement or declaration does. */
export type NodeRule =
  | 'skip'
  /** Its children, in a scope of their own. */
  | 'block'
  /** It declares its children: a single one's extent is the statement, several have its first word before their heads. */
  | 'statement'
  | FunctionRule
  | TypeDeclarationRule
  | VariableRule
  | LocalRule
  | LoopRule
  | AssignmentRule
  | ReturnRule
  | MembersRule
  | CaseRule
  | NodeHook;

/** It defines a function or method, and opens its scope. */
export interface FunctionRule {
  readonly does: 'function';
  readonly kind: 'function' | 'method' | 'constructor';
  readonly name: Part;
  readonly typeParameters?: Part;
  readonly parameters?: Part;
  readonly result?: Part;
  readonly body?: Part;
  /** What it is found by, where that is not its name. */
  readonly found?: string;
  /** Further parts that names are used in: exceptions. */
  readonly others?: readonly Part[];
}

/** It defines a type with members. */
export interface TypeDeclarationRule {
  readonly does: 'type';
  readonly kind: 'class' | 'interface' | 'enum' | 'type';
  readonly subkind?: ClassSubkind;
  readonly name: Part;
  readonly typeParameters?: Part;
  /** Where its bases are: each child of such a part is one, or the part itself when it is a type. */
  readonly bases?: readonly {
    readonly part: Part;
    /** The child that has such parts, where that is not the node. */
    readonly of?: Part;
    readonly relation: 'extends' | 'implements';
  }[];
  /** Parameters in its head that are fields, and whether each has a method of its name that gives it. */
  readonly components?: { readonly part: Part; readonly accessors: boolean };
  readonly body: Part;
  /** What it is found by, where that is not its name. */
  readonly found?: string;
  /** Run in its scope, where its bases are lowered. */
  readonly inHead?: (definition: number) => void;
  /** Run in its scope, before what is in its body. */
  readonly beforeBody?: () => void;
}

/** It declares variables or constants: symbols where types and functions are, locals inside of functions. */
export interface VariableRule {
  readonly does: 'variables';
  readonly kind: 'variable' | 'constant' | 'field';
  /** The children that have names and values of their own; absent: the node has them. */
  readonly declarators?: Part;
  /** Without any, and `embedded`, it is called as its type, whose members are members of the type around it, too. */
  readonly names: Part;
  readonly embedded?: boolean;
  readonly type?: Part;
  readonly values?: Part;
}

/** It declares locals; those that the scope already has are assigned. */
export interface LocalRule {
  /** Whether it declares those, too. */
  readonly declares?: boolean;
  readonly does: 'locals';
  /** As in {@link VariableRule}. */
  readonly declarators?: Part;
  readonly names: Part;
  readonly type?: Part;
  readonly values: Part;
}

/** It gives names what iterating over a value gives. */
export interface LoopRule {
  readonly does: 'loop';
  readonly names: Part;
  readonly type?: Part;
  readonly over: Part;
  /** What the names are, in their order. */
  readonly gives: readonly ('key' | 'element')[];
  /** Where the names are seen, when that is a part of the node. */
  readonly body?: Part | undefined;
}

/** It ends a function with a value. */
export interface ReturnRule {
  readonly does: 'returns';
  readonly value: Part;
}

/** It holds the members of a type; of some kinds what they hold is run: what these declare are locals. */
export interface MembersRule {
  readonly does: 'members';
  readonly initializers: readonly string[];
}

/** It defines a constant of the enum around it, with members of its own where it has a body. */
export interface CaseRule {
  readonly does: 'case';
  readonly name: Part;
  readonly arguments: Part;
  readonly body: Part;
  readonly access: Access;
}

/** It assigns. */
export interface AssignmentRule {
  readonly does: 'assign';
  readonly targets: Part;
  readonly values?: Part;
}

/** What an expression is used for; `path`: to reach a member, `callee`: to call it. */
export type Use = 'read' | 'write' | 'pass' | 'path' | 'callee';

/** As {@link NodeHook}. @returns the row of the expression. */
export type ExpressionHook = (to: Lowering, node: NodeId, use: Use) => number;

/** What an expression is. */
export type ExpressionRule =
  | 'name'
  | 'this'
  | 'super'
  /** What is inside of it, its first child: brackets. */
  | 'inside'
  | { readonly is: 'member'; readonly of: Part; readonly name: Part }
  | CallRule
  | { readonly is: 'new'; readonly type: Part; readonly arguments: Part; readonly body?: Part }
  | { readonly is: 'index'; readonly of: Part; readonly index: Part }
  | { readonly is: 'slice'; readonly of: Part }
  /** `suffixes`: other types, by the last character in lower case. */
  | { readonly is: 'literal'; readonly type: string; readonly suffixes?: Readonly<Record<string, string>> }
  | { readonly is: 'list' | 'tuple' | 'unknown' }
  | { readonly is: 'convert'; readonly type: Part; readonly of: Part }
  /** With a name that has the type from there on, or a pattern that declares some. */
  | {
      readonly is: 'is';
      readonly type: Part;
      readonly of: Part;
      readonly name?: Part;
      readonly pattern?: Part;
    }
  | { readonly is: 'assign'; readonly target: Part; readonly value: Part }
  | ChoiceRule
  | { readonly is: 'await' | 'received'; readonly of: Part }
  /** Without an operator part that is what is written in front, and between both. */
  | {
      readonly is: 'unary';
      readonly operator?: Part;
      readonly of: Part;
      readonly writes?: boolean;
      /** The operator that takes what comes out of a channel. */
      readonly received?: string;
    }
  | {
      readonly is: 'binary';
      readonly operator?: Part;
      readonly left: Part;
      readonly right: Part;
    }
  | { readonly is: 'either'; readonly parts: readonly Part[] }
  | CompositeRule
  | UnnamedFunctionRule
  | ExpressionHook;

/** A value of a type, with its elements. */
export interface CompositeRule {
  readonly is: 'composite';
  /** Without any it is that of the elements of the one around it. */
  readonly type?: Part;
  /** The `[` in all of them are the depth of the list of the type that it is. */
  readonly dimensions?: Part;
  /** What holds the elements. */
  readonly elements: Part;
  /** Elements with a key: a member of the type, where that is no list and no map. */
  readonly pair?: string;
  readonly key?: Part;
  readonly value?: Part;
}

/** One of several branches by a value, `switch`; its values are those of the branches. */
export interface ChoiceRule {
  readonly is: 'choice';
  readonly of: Part;
  readonly body: Part;
  /** The type of nodes that are branches with names of their own; all others share those of the body. */
  readonly branch: string;
  /** The types of nodes in branches: what the value is compared with, and what gives the branch's value. */
  readonly label: string;
  readonly value: string;
}

/** A call of a value, or with `name` of a member of `callee`, or of a name without any. */
export interface CallRule {
  readonly is: 'call';
  readonly callee: Part;
  readonly name?: Part;
  readonly arguments: Part;
  readonly types?: Part;
}

/** A function without a name. */
export interface UnnamedFunctionRule {
  readonly is: 'function';
  readonly parameters?: Part;
  readonly result?: Part;
  readonly body: Part;
}

/** As {@link NodeHook}. @returns the row of the type. */
export type TypeHook = (to: Lowering, node: NodeId) => number;

/** What a written type is. */
export type TypeRule =
  | 'name'
  /** What is inside of it, its first child: brackets. */
  | 'inside'
  /** All that are inside of it. */
  | 'tuple'
  | 'union'
  | 'either'
  | { readonly is: 'name'; readonly name: Part; readonly of: Part }
  | { readonly is: 'generic'; readonly type: Part; readonly arguments: Part }
  | { readonly is: 'pointer' | 'optional' | 'channel' | 'variadic'; readonly of: Part }
  /** The `[` in `dimensions` are its depth; without any it is one. */
  | { readonly is: 'list'; readonly of: Part; readonly dimensions?: Part }
  | { readonly is: 'map'; readonly key: Part; readonly value: Part }
  | { readonly is: 'function'; readonly parameters: Part; readonly result: Part }
  | { readonly is: 'literal'; readonly name: string }
  /** A type that is written in place: what is inside of it declares its members. */
  | 'members'
  | 'unknown'
  | TypeHook;

/** A parameter. */
export interface ParameterRule {
  /** Without any the parameter has none; several share the type. */
  readonly names: Part;
  readonly type: Part;
  readonly default?: Part;
  readonly variadic?: boolean;
  /** Binds the names of a pattern that stands in the place of a name. @param value The expression that is matched. */
  readonly pattern?: (to: Lowering, pattern: NodeId, value: number) => void;
}

/** What a declaration extends that stands apart from the type. */
export interface NewExtension {
  readonly type: number;
  /** What the type derives from by it; -1 for nothing. */
  readonly base: number;
  /** What its members are qualified with, and what it is found by, where that is another one: see the unit's table. */
  readonly name: string;
  readonly found?: string;
}

/** A parameter whose name and type are not each a part of its node. @returns null for none. */
export type ParameterHook = (to: Lowering, node: NodeId) => MadeParameter | null;

/** A parameter with the row of its type. */
export interface MadeParameter {
  readonly name: NodeId;
  readonly type: number;
  /** The type as written; null where none is. */
  readonly written: string | null;
  readonly default?: NodeId;
  readonly variadic?: boolean;
}

/** What a definition is made of; all parts are nodes. */
export interface NewDefinition {
  readonly kind: SymbolKind;
  readonly subkind?: ClassSubkind;
  readonly name: NodeId;
  /** What it is called, where its name is written nowhere; `name` is then what it is found by. */
  readonly called?: string;
  /** What it is found by, where that is not what it is called. */
  readonly found?: string;
  /** Of a function the labels of its arguments: see the unit's table. */
  readonly labels?: string;
  /** Where it is named, where that is no node. */
  readonly nameAt?: number;
  /** The words in front of it, and its decorators. */
  readonly modifiers?: NodeId;
  /** Its whole extent. */
  readonly start: number;
  readonly end: number;
  /** Where its head begins; default: its start. */
  readonly headStart?: number;
  /** Where its head ends; default: its end. */
  readonly headEnd?: number;
  /** What stands in front of its head elsewhere: `const `. */
  readonly before?: string;
  /** What its name is qualified with, where that is not what is around it. */
  readonly owner?: string;
  readonly flags?: number;
  readonly access?: Access;
  readonly isDeclaration?: boolean;
  readonly isConstant?: boolean;
  /** Its documentation, where that is not the comment above it. */
  readonly docstring?: string | null;
  /** As written, where they are not among its modifiers. */
  readonly decorators?: readonly string[];
  /** The scope whose name or member it is, where that is not the innermost one. */
  readonly scope?: number;
  /** From where on its name is visible, where that is not where it stands. */
  readonly from?: number;
  /** The value's type as written. */
  readonly valueType?: string | null;
}

/** A way of a value: see the unit's table `flows`. */
export interface NewFlow {
  readonly kind: FlowKind;
  /** A row of an expression; -1 for what leads out of a function. */
  readonly target: number;
  readonly value: number;
  /** Where what does it begins: flows are in the order of that. */
  readonly start: number;
  /** The offset behind what is done. */
  readonly at: number;
  /** Where the target has the value, when that is less than all of its scope. */
  readonly within?: number;
}

/** A part of the text: a node, or one that is no node. */
export type Piece = NodeId | { readonly start: number; readonly end: number };

/** A use of a name. */
export interface NewReference {
  readonly kind: ReferenceKind;
  readonly name: Piece;
  /** What it is called, where that is not written. */
  readonly called?: string | undefined;
  /** Whether it is one whatever the name is bound to. */
  readonly always?: boolean;
  /** Where references are decided late: the innermost definition and scope, which are set when it is added. */
  from?: number | null;
  scope?: Scope | null;
  /** All of the expression. */
  readonly whole: Piece;
  /** The receiver, as a node and as an expression. */
  readonly receiver?: Piece;
  readonly receiverRow?: number;
  /** Whether the name itself is that of a local. */
  readonly local?: boolean;
  arguments?: number | null;
  /** May be set until the file is done, where references are decided then. */
  expression?: number;
  readonly type?: number;
}

/** A type as a row. */
export interface NewType {
  readonly kind: TypeKind;
  readonly name?: string;
  readonly base?: number;
  readonly parts?: readonly number[];
  readonly scope?: number;
  readonly at: number;
}

/** An expression as a row. */
export interface NewExpression {
  readonly kind: ExpressionKind;
  readonly name?: string;
  readonly base?: number;
  readonly parts?: readonly number[];
  readonly type?: number;
  readonly scope?: number;
  readonly at: number;
  /** Of `name` and `member` the nodes of the name and the receiver. */
  readonly nameNode?: NodeId;
  readonly ofNode?: NodeId;
}

/** Lowering one file, as rules see it: rows are numbers, none is -1. */
export interface Lowering {
  readonly path: string;
  readonly tree: SyntaxTree;
  readonly text: SourceText;
  readonly rules: LoweringRules;

  /** The child that a part names. */
  part(node: NodeId, part: Part | undefined): NodeId;
  /** All children that a part names; of lists what is in them. */
  parts(node: NodeId, part: Part | undefined): NodeId[];
  /** Does what the rules say of a statement or declaration. */
  visit(node: NodeId): void;
  visitChildren(node: NodeId): void;
  /** The row of an expression; its uses of names become references. */
  expression(node: NodeId, use?: Use): number;
  /** The row of a written type; its names become references. */
  type(node: NodeId): number;
  /** The row of what a function returns: a type, or a list of results, whose names are locals of its scope. */
  results(node: NodeId): number;
  /** The row of the type of a function, whose parameters and results bind nothing. @param result Its part, or the row of its type. */
  functionType(node: NodeId, parameters: Part, result: Part | number): number;

  /** Runs with a scope of its own. @param name Of a namespace. */
  inScope<T>(kind: ScopeKind, node: NodeId, run: () => T, name?: string): T;
  /** Runs in a module of its own inside of the file, and binds its name. */
  inModule(name: NodeId, node: NodeId, run: () => void): void;
  /** Runs in what extends a type: what is defined there are its members. @param head Is run in its scope, before. */
  inExtension(node: NodeId, head: () => NewExtension, run: () => void): void;
  /** What the innermost extension extends. */
  readonly extended: NewExtension | null;
  /** The decorators that stand in front of an offset, of what is lowered next; they are taken by whoever asks. */
  preceding(start: number): readonly { readonly start: number; readonly text: string }[];
  /** Whether it stands among the members of a type, in its body or in an extension. */
  readonly isMember: boolean;
  /** The row of the innermost scope that has one. */
  readonly scope: number;
  /** While the head of a type is lowered the scope around the type; else null. */
  head: number | null;
  /** The innermost definition; null at the top. */
  readonly owner: number | null;
  /** Whether it stands in a function. */
  readonly inFunction: boolean;
  /** Whether it stands in a type that is written in place: what is declared there is a binding. */
  readonly inPlace: boolean;
  /** Binds a name in the innermost scope. */
  bind(kind: BindingKind, name: NodeId, binding: NewBinding): void;
  bindBlank(binding: NewBinding): void;
  /** Says that the innermost scope has a name, before it is bound. */
  note(name: string, known: BindingKind): void;
  /** Whether the innermost scope itself has a name. */
  has(name: string): boolean;
  /** Whether a use of a name is no reference: of a local, a parameter, a package. @param as What it is used as. */
  isBound(name: string, as?: 'type' | 'callee'): boolean;
  /** The rule of a node as a type. */
  typeRule(node: NodeId): TypeRule | undefined;
  /** The rule of a node as a statement or declaration. */
  nodeRule(node: NodeId): NodeRule | undefined;
  /** Whether a node is a bare name. */
  isName(node: NodeId): boolean;
  /** Whether a node is nothing but brackets around an expression. */
  isInside(node: NodeId): boolean;
  /** The nodes of the name and of the receiver that an expression ends with; none of any but names and members. */
  writtenAt(expression: number): { readonly name: NodeId; readonly of: NodeId };
  kindOf(expression: number): ExpressionKind;
  /** What an expression is about: the receiver of a member. */
  baseOf(expression: number): number;

  /** Adds a flow in the innermost definition, branch and loop. */
  flow(flow: NewFlow): void;
  /** The rows of what an expression is made of. */
  itemsOf(expression: number): number[];
  /** Where the code of a node ends: comments that are the last in it are left out. */
  codeEnd(node: NodeId): number;
  /** A row of a part of the text. */
  extent(start: number, end: number): number;
  /** Runs inside of a branch, or of a loop: what is run there may not be run, or run again. */
  inBranch(node: NodeId, run: () => void): void;
  inLoop(node: NodeId, run: () => void): void;
  /** The innermost branch; null where everything is run. */
  readonly branch: Extent | null;
  /** The scopes of the file. */
  readonly scopes: Scopes;
  /** What hooks of a language remember while a file is lowered. */
  own: unknown;
  /** Says what decorates a definition. */
  addDecorator(definition: number, expression: number): void;

  /** Adds a definition. @returns its number. */
  define(definition: NewDefinition): number;
  /** Runs with a definition as the innermost one, in the scope that it opens. */
  inside(definition: number, kind: ScopeKind, node: NodeId, run: () => void): void;
  /** Runs with a definition as the innermost one. */
  ownedBy<T>(definition: number | null, run: () => T): T;
  /** Changes facts of a definition that are known later. */
  readonly definitions: Definition[];
  /** Sets the written type, the value or the receiver of a definition's symbol. */
  setSymbol(definition: number, field: 'type' | 'value' | 'receiver', row: number): void;
  /** The written type or the value of a definition's symbol. */
  symbol(definition: number, field: 'type' | 'value' | 'receiver'): number;
  /** Adds to the flags of a definition's symbol. */
  addFlag(definition: number, flag: number): void;
  /** Says whether others see a definition, where its name alone does not tell. */
  setExported(definition: number, isExported: boolean): void;
  /** Adds what a type derives from. */
  addBase(
    definition: number,
    type: number,
    node: NodeId,
    relation: 'extends' | 'implements',
    name?: string,
  ): void;
  /** Binds the parameters in a list, and says them of a definition. @returns the rows of their types. */
  parameters(list: NodeId, definition: number | null): number[];
  /** Binds type parameters. @param whole What the clauses with their further bounds stand in. */
  typeParameters(list: NodeId, definition: number | null, whole?: NodeId): void;
  /** Lowers what is in a function that was defined, in the scope that it opens; `first` goes before all else. */
  callable(definition: number, node: NodeId, rule: FunctionRule, first?: () => void): void;
  /** Does what a rule says of variables. @returns the definitions. */
  variables(node: NodeId, rule: VariableRule): number[];
  /** Does what `'statement'` says, with something else than a visit to each child. */
  statement(node: NodeId, each: (child: NodeId) => void): void;
  /** Visits what is in a body without another scope. */
  body(node: NodeId): void;
  /** Runs with a function without a name as the innermost one. @returns the rows of the values that it gives. */
  returned(run: (values: number[]) => void): number[];
  /** The values that the innermost function gives, where that has no name. */
  values: number[] | null;
  /** Adds a value that the innermost definition gives. */
  addReturn(value: number): void;
  /** Whether a node is an expression. */
  isExpression(node: NodeId): boolean;
  /** Defines a type without a name that derives from another one. @param of What that is called; default: the name. */
  anonymous(type: number, name: NodeId, whole: NodeId, body: NodeId, of?: string): void;

  /** Says of what package or module the file is. */
  setPackage(name: string): void;
  /** Takes the comment above a node for the file's own. */
  documentFile(node: NodeId): void;
  /** Adds an import, and binds its names. @returns its number. */
  import(fact: NewImport): number;
  refer(reference: NewReference): void;
  /** Whether calls of a name may register a route or run a part of a test. */
  isWatched(name: string): boolean;
  /** Takes note of a call of such a name. */
  called(call: Omit<LoweredCall, 'from'>): void;
  addType(type: NewType): number;
  /** The type around, also where it is extended. */
  ownType(at: number): number;
  /** The modules of the file around, each with a dot behind it. */
  readonly namespace: string;
  /** The type of elements that say none: of those of the innermost `composite`; -1 for none. */
  expected: number;
  /** The kind of a type, and what a list or map of it holds. */
  typeAt(type: number): { readonly kind: TypeKind; readonly element: number };
  addExpression(expression: NewExpression): number;
  /** An expression that cannot be followed. */
  readonly unknown: number;
}

/** A call as it is lowered. */
export interface LoweredCall {
  readonly node: Piece;
  readonly name: NodeId;
  /** Rows of the receiver, -1 for none, of the call itself and of its arguments. */
  readonly receiver: number;
  readonly row: number;
  readonly arguments: readonly number[];
  /** The nodes of the arguments. */
  readonly given: readonly NodeId[];
  /** The innermost definition around it. */
  readonly from: number | null;
  /** The title of a test, where that is not the text of one argument. */
  readonly title?: string;
}

/** An import of one name, or of several. */
export interface NewImport {
  readonly node: NodeId;
  readonly module: string;
  /** `local`: the name in the file; null for none. */
  readonly names: readonly { readonly imported: string; readonly local: string | null }[];
  readonly flags?: number;
  readonly kind?: ImportFact['kind'];
  /** Whether it is run by type checkers alone. */
  readonly typeOnly?: boolean;
  /** Whether its names are bound by what is around it. */
  readonly isBound?: boolean;
}

/** A part of the text, and its row once it has one. */
export interface Extent {
  readonly start: number;
  readonly end: number;
  row: number;
}

/** One rule for several types of nodes, given as words. */
export function kinds<R>(words: string, rule: R): Record<string, R> {
  return Object.fromEntries(words.split(' ').map((kind) => [kind, rule]));
}
