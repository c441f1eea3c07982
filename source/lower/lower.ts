import type {
  Definition,
  DefinitionForm,
  ExportFact,
  FileFacts,
  ImportFact,
  Reference,
  RouteFact,
} from '../facts.js';
import {
  BINDING_FLAGS,
  type BindingKind,
  EXPRESSION_KINDS,
  type ScopeKind,
  SYMBOL_FLAGS,
  SYMBOL_KINDS,
  type SymbolKind,
  TYPE_KINDS,
  UnitBuilder,
} from '../ir/index.js';
import type { ParsedFile } from '../languages/language.js';
import { isInTestFolder } from '../languages/test-folder.js';
import { Comments } from './comments.js';
import { lowerExpression } from './expressions.js';
import { routesOf } from './routes.js';
import type {
  Access,
  AssignmentRule,
  ExpressionRule,
  FunctionRule,
  LocalRule,
  LoopRule,
  LoweredCall,
  Lowering,
  LoweringRules,
  NewBinding,
  NewDefinition,
  NewExpression,
  NewImport,
  NewReference,
  NewType,
  NodeRule,
  Part,
  ReturnRule,
  TypeDeclarationRule,
  TypeRule,
  Use,
  VariableRule,
} from './rules.js';
import { type Known, Scopes } from './scopes.js';
import { SourceText } from './source-text.js';
import { NONE, type NodeId, SyntaxTree } from './syntax-tree.js';
import { testsOf } from './tests.js';
import { lowerType } from './types.js';
import { WatchedCalls } from './watched-calls.js';

/** The facts of one file, its unit among them, by the rules of its language. */
export function lower({ path, text, tree }: ParsedFile, rules: LoweringRules): FileFacts {
  const comments = new Set(rules.comments);
  const syntax = new SyntaxTree(text, tree, comments, new Set(rules.tokens));
  return new FileLowering(path, syntax, rules).facts();
}

/** The most characters of an expression. */
const EXPRESSION = 120;

/** The rules of a language by the numbers of a grammar's types. */
interface CompiledRules {
  readonly nodes: readonly (NodeRule | undefined)[];
  readonly expressions: readonly (ExpressionRule | undefined)[];
  readonly types: readonly (TypeRule | undefined)[];
  readonly lists: ReadonlySet<string>;
}

const compiled = new WeakMap<
  LoweringRules,
  { readonly kinds: readonly string[]; readonly rules: CompiledRules }
>();

function compile(rules: LoweringRules, kinds: readonly string[]): CompiledRules {
  const known = compiled.get(rules);
  if (known?.kinds === kinds) return known.rules;
  const of = <T>(table: Readonly<Record<string, T>>) =>
    kinds.map((kind) => (Object.hasOwn(table, kind) ? table[kind] : undefined));
  const made = {
    nodes: of(rules.nodes),
    expressions: of(rules.expressions),
    types: of(rules.types),
    lists: new Set(rules.lists),
  };
  compiled.set(rules, { kinds, rules: made });
  return made;
}

/** One file while it is lowered. */
class FileLowering implements Lowering {
  readonly text: SourceText;
  readonly definitions: Definition[] = [];
  owner: number | null = null;

  readonly #unit = new UnitBuilder();
  /** The tables that most rows are added to. */
  readonly #rows = {
    types: this.#unit.rows('types'),
    expressions: this.#unit.rows('expressions'),
    items: this.#unit.rows('items'),
    names: this.#unit.rows('names'),
  };
  readonly #scopes: Scopes;
  readonly #compiled: CompiledRules;
  readonly #comments: Comments;
  readonly #calls: WatchedCalls;
  /** Rows of types of the bases of each definition. */
  readonly #bases: { definition: number; type: number; relation: 'extends' | 'implements' }[] = [];
  readonly #references: Reference[] = [];
  /** Of each reference where its name begins, its expression and its type. */
  readonly #places: { readonly at: number; readonly expression: number; readonly type: number }[] = [];
  readonly #imports: ImportFact[] = [];
  readonly #ordinals = new Map<string, number>();
  /** What an expression is about, the nodes of its name and of its receiver, by its row. */
  readonly #baseOf: number[] = [];
  readonly #kindOf: NewExpression['kind'][] = [];
  readonly #nameNodes: NodeId[] = [];
  readonly #ofNodes: NodeId[] = [];
  readonly #localRows = new Set<number>();
  #unknown = -1;
  /** The statement that declares what begins at an offset. */
  #statement: {
    readonly of: number;
    readonly before: string;
    readonly alone: { readonly start: number; readonly end: number } | null;
  } | null = null;
  #package = '';
  #fileDoc: string | null = null;
  /** What the innermost function gives, where that has no name. */
  #values: number[] | null = null;

  constructor(
    readonly path: string,
    readonly tree: SyntaxTree,
    readonly rules: LoweringRules,
  ) {
    this.text = new SourceText(tree.text);
    this.#compiled = compile(rules, tree.kindNames);
    this.#scopes = new Scopes(this.#unit, tree.text.length);
    this.#comments = new Comments(this.text, tree.comments, rules.docs);
    const unit = this.#unit;
    const scopes = this.#scopes;
    const { definitions } = this;
    this.#calls = new WatchedCalls(
      {
        tree,
        unit,
        scopes,
        definitions,
        nameOf: (row) => tree.textOf(this.#nameNodes[row] ?? NONE),
        moduleOf: (index) => this.#imports[index]?.module,
      },
      rules,
    );
  }

  facts(): FileFacts {
    this.visitChildren(0);
    this.#joinMembers();
    this.#unit.add('file', { package: this.#package });
    for (const { definition, type, relation } of this.#bases.sort((a, b) => a.definition - b.definition))
      this.#unit.add('bases', { symbol: definition, type, relation: relation === 'extends' ? 0 : 1 });
    const { definitions } = this;
    return {
      language: this.rules.language,
      docstring: this.#fileDoc,
      lines: this.text.lines,
      definitions,
      references: this.#sorted(),
      imports: this.#imports,
      exports: exportsOf(definitions),
      types: [],
      flows: [],
      comments: this.#comments.tags(definitions),
      tests: this.rules.tests
        ? testsOf(this.path, this.text, definitions, this.#calls.tests, this.rules.tests)
        : [],
      routes: this.#routes(),
      keys: [],
      syntax_errors: [...new Set(this.tree.errors.map((offset) => this.text.line(offset)))].slice(0, 20),
      unit: this.#unit.take(),
    };
  }

  /** A test's own application is part of the test. */
  #routes(): RouteFact[] {
    const { rules, path, text, definitions } = this;
    if (!rules.routes || rules.tests?.path?.test(path) || isInTestFolder(path)) return [];
    const modules = this.#imports.map(({ module }) => module);
    const sources = { text, definitions, modules, calls: this.#calls.routes, decorators: [] };
    return routesOf(sources, rules.routes);
  }

  called(call: Omit<LoweredCall, 'from'>): void {
    this.#calls.see({ ...call, from: this.owner });
  }

  // Nodes

  part(node: NodeId, part: Part | undefined): NodeId {
    if (part === undefined) return NONE;
    switch (part.charCodeAt(0)) {
      case 0x3a: // ':'
        return this.tree.childOfKind(node, part.slice(1));
      case 0x2e: // '.'
        return node;
      case 0x23: // '#'
        return this.tree.children(node).at(Number(part.slice(1))) ?? NONE;
      case 0x2a: // '*'
        return this.tree.children(node).find((one) => this.typeRule(one) !== undefined) ?? NONE;
      default:
        return this.tree.child(node, part);
    }
  }

  parts(node: NodeId, part: Part | undefined): NodeId[] {
    if (part === undefined || node < 0) return [];
    if (/^[.#*]/.test(part)) return [this.part(node, part)].filter((one) => one !== NONE);
    const found: NodeId[] = [];
    for (const one of this.tree.children(node)) {
      const isOne = part.startsWith(':')
        ? this.tree.kind(one) === part.slice(1)
        : this.tree.field(one) === part;
      if (!isOne) continue;
      if (this.#compiled.lists.has(this.tree.kind(one))) found.push(...this.tree.children(one));
      else found.push(one);
    }
    return found;
  }

  visit(node: NodeId): void {
    const kind = this.tree.kindId(node);
    const rule = this.#compiled.nodes[kind];
    if (rule === undefined) {
      if (this.#compiled.expressions[kind] !== undefined) this.expression(node);
      else if (this.#compiled.types[kind] !== undefined) this.type(node);
      else this.visitChildren(node);
    } else if (typeof rule === 'function') rule(this, node);
    else if (rule === 'block') this.inScope('block', node, () => this.visitChildren(node));
    else if (rule === 'statement') this.statement(node, (one) => this.visit(one));
    else if (rule !== 'skip') this.#apply(node, rule);
  }

  statement(node: NodeId, each: (child: NodeId) => void): void {
    const { tree } = this;
    const children = tree
      .children(node)
      .flatMap((one) => (this.#compiled.lists.has(tree.kind(one)) ? tree.children(one) : [one]));
    const [first = NONE] = children;
    const word = /^\w*/.exec(tree.text.slice(tree.start(node), tree.start(first)))?.[0] ?? '';
    for (const one of children) {
      const start = tree.start(one);
      const alone = children.length === 1 ? { start: tree.start(node), end: tree.end(node) } : null;
      this.#statement = { of: start, before: `${word} `, alone };
      each(one);
    }
    this.#statement = null;
  }

  visitChildren(node: NodeId): void {
    if (node < 0) return;
    const { tree } = this;
    const end = tree.next(node);
    for (let child = node + 1; child < end; child = tree.next(child)) this.visit(child);
  }

  body(node: NodeId): void {
    if (node === NONE) return;
    if (this.#compiled.nodes[this.tree.kindId(node)] === 'block') this.visitChildren(node);
    else this.visit(node);
  }

  expression(node: NodeId, use: Use = 'read'): number {
    if (node === NONE) return -1;
    const kind = this.tree.kindId(node);
    const rule = this.#compiled.expressions[kind];
    if (rule !== undefined) return lowerExpression(this, node, rule, use);
    if (this.#compiled.types[kind] !== undefined)
      return this.addExpression({ kind: 'type', type: this.type(node), at: this.tree.start(node) });
    this.visit(node);
    return this.unknown;
  }

  type(node: NodeId): number {
    if (node === NONE) return -1;
    const rule = this.#compiled.types[this.tree.kindId(node)];
    if (rule !== undefined) return lowerType(this, node, rule);
    this.visitChildren(node);
    return this.addType({ kind: 'unknown', at: this.tree.start(node) });
  }

  typeRule(node: NodeId): TypeRule | undefined {
    return node === NONE ? undefined : this.#compiled.types[this.tree.kindId(node)];
  }

  isExpression(node: NodeId): boolean {
    return node !== NONE && this.#compiled.expressions[this.tree.kindId(node)] !== undefined;
  }

  isInside(node: NodeId): boolean {
    return node !== NONE && this.#compiled.expressions[this.tree.kindId(node)] === 'inside';
  }

  results(node: NodeId): number {
    if (node === NONE) return -1;
    if (this.typeRule(node) !== undefined) return this.type(node);
    const types = this.#parameterTypes(node, 'local', null);
    if (types.length < 2) return types[0] ?? -1;
    return this.addType({ kind: 'tuple', parts: types, at: this.tree.start(node) });
  }

  // Scopes and bindings

  get scope(): number {
    return this.#scopes.row;
  }

  get inFunction(): boolean {
    return this.#scopes.inFunction;
  }

  inScope<T>(kind: ScopeKind, node: NodeId, run: () => T): T {
    this.#scopes.open(kind, -1, this.tree.start(node), this.tree.end(node));
    const made = run();
    this.#scopes.close();
    return made;
  }

  bind(kind: BindingKind, name: NodeId, binding: NewBinding): void {
    const text = this.tree.textOf(name);
    if (text === this.rules.blank && kind === 'local') return;
    this.#scopes.bind(kind, text === this.rules.blank ? '' : text, binding);
  }

  has(name: string): boolean {
    return this.#scopes.has(name);
  }

  isBound(name: string, as?: 'type' | 'callee'): boolean {
    const isApart = as !== undefined && this.rules.namesApart === true;
    const known = this.#scopes.lookup(name, isApart ? (as === 'type' ? VALUES : LOCALS) : undefined);
    if (known === undefined || known === 'symbol') return false;
    return known !== 'import' || this.rules.importsAre === 'packages';
  }

  // Rules

  #apply(node: NodeId, rule: Exclude<NodeRule, string | ((...given: never) => void)>): void {
    switch (rule.does) {
      case 'function':
        return this.#function(node, rule);
      case 'type':
        return this.#type(node, rule);
      case 'variables':
        this.variables(node, rule);
        return;
      case 'locals':
        return this.#locals(node, rule);
      case 'loop':
        return this.#loop(node, rule);
      case 'assign':
        return this.#assign(node, rule);
      case 'returns':
        return this.#returns(node, rule);
    }
  }

  #function(node: NodeId, rule: FunctionRule): void {
    const body = this.part(node, rule.body);
    const modifiers = this.part(node, this.rules.modifiers?.part);
    const around = this.owner === null ? undefined : this.definitions[this.owner];
    const isAbstract = body === NONE && around?.subkind === 'interface';
    const definition = this.define({
      kind: rule.kind,
      name: this.part(node, rule.name),
      modifiers,
      start: this.tree.start(node),
      end: this.tree.end(node),
      headEnd: body === NONE ? this.tree.end(node) : this.tree.start(body),
      isDeclaration: body === NONE,
      flags: isAbstract ? SYMBOL_FLAGS.abstract : 0,
    });
    this.#decorate(definition, modifiers);
    this.callable(definition, node, rule);
  }

  callable(definition: number, node: NodeId, rule: FunctionRule, first?: () => void): void {
    this.inside(definition, 'function', node, () => {
      first?.();
      this.typeParameters(this.part(node, rule.typeParameters), definition);
      this.parameters(this.part(node, rule.parameters), definition);
      const result = this.part(node, rule.result);
      const made = this.definitions[definition];
      if (made && result !== NONE)
        made.return_type = this.text.folded(this.tree.start(result), this.tree.end(result), 300);
      this.setSymbol(definition, 'type', this.results(result));
      for (const part of rule.others ?? []) this.visitChildren(this.part(node, part));
      const around = this.#values;
      this.#values = null;
      this.body(this.part(node, rule.body));
      this.#values = around;
    });
  }

  #type(node: NodeId, rule: TypeDeclarationRule): void {
    const { tree } = this;
    const body = this.part(node, rule.body);
    const modifiers = this.part(node, this.rules.modifiers?.part);
    const definition = this.define({
      kind: rule.kind,
      ...(rule.subkind ? { subkind: rule.subkind } : {}),
      name: this.part(node, rule.name),
      modifiers,
      start: tree.start(node),
      end: tree.end(node),
      headEnd: body === NONE ? tree.end(node) : tree.start(body),
    });
    this.#decorate(definition, modifiers);
    this.inside(definition, 'type', node, () => {
      this.typeParameters(this.part(node, rule.typeParameters), definition);
      for (const { part, relation } of rule.bases ?? [])
        for (const one of this.parts(node, part))
          for (const base of this.#typesIn(one)) this.addBase(definition, this.type(base), base, relation);
      if (rule.components) this.#components(node, rule.components, body);
      this.body(body);
    });
  }

  /** Defines the fields that the head of a type declares, and the methods that give them. */
  #components(
    node: NodeId,
    { part, accessors }: NonNullable<TypeDeclarationRule['components']>,
    body: NodeId,
  ): void {
    const { tree, text } = this;
    const written = new Set<string>();
    for (const one of tree.children(body)) {
      const rule = this.#compiled.nodes[tree.kindId(one)];
      if (typeof rule !== 'object' || rule.does !== 'function') continue;
      if (tree.children(this.part(one, rule.parameters)).length === 0)
        written.add(tree.textOf(this.part(one, rule.name)));
    }
    for (const one of tree.children(this.part(node, part))) {
      const rule = this.rules.parameters[tree.kind(one)];
      if (!rule) continue;
      const type = this.type(this.part(one, rule.type));
      const of = this.part(one, rule.type);
      const shown = text.folded(tree.start(of), tree.end(of), 300);
      for (const name of this.parts(one, rule.names)) {
        const place = { name, start: tree.start(one), end: tree.end(one) };
        const access = { exported: true, visibility: 'public' } as const;
        const field = this.define({ ...place, kind: 'field', isConstant: true });
        const made = [field];
        if (accessors && !written.has(tree.textOf(name)))
          made.push(this.define({ ...place, kind: 'method', access, isDeclaration: true }));
        for (const definition of made) this.setSymbol(definition, 'type', type);
        const [first, second] = made.map((definition) => this.definitions[definition]);
        if (first) first.value_type = shown;
        if (second) second.return_type = shown;
      }
    }
  }

  /** The types that a node is or that stand in it. */
  #typesIn(node: NodeId): NodeId[] {
    if (this.typeRule(node) !== undefined) return [node];
    return this.tree.children(node).flatMap((one) => this.#typesIn(one));
  }

  anonymous(type: number, name: NodeId, whole: NodeId, body: NodeId, of?: string): void {
    const { tree } = this;
    const definition = this.define({
      kind: 'class',
      name,
      called: `anonymous-${tree.textOf(name)}`,
      start: tree.start(whole),
      end: tree.end(whole),
      headEnd: tree.start(body),
      access: { exported: false, visibility: 'private' },
    });
    this.addBase(definition, type, name, 'extends', of);
    this.inside(definition, 'type', body, () => this.body(body));
  }

  variables(node: NodeId, rule: VariableRule): number[] {
    if (this.inFunction) {
      this.#locals(
        node,
        {
          does: 'locals',
          ...(rule.declarators ? { declarators: rule.declarators } : {}),
          names: rule.names,
          values: rule.values ?? '',
          ...(rule.type ? { type: rule.type } : {}),
        },
        true,
      );
      return [];
    }
    const { tree } = this;
    const declarators = rule.declarators === undefined ? [node] : this.parts(node, rule.declarators);
    const names = declarators.flatMap((one) => this.parts(one, rule.names));
    const written = this.part(node, rule.type);
    const modifiers = this.part(node, this.rules.modifiers?.part);
    const made = names
      .filter((name) => tree.textOf(name) !== this.rules.blank)
      .map((name, index) => {
        const one = declarators.length > 1 ? (declarators[index] ?? node) : node;
        const value = this.part(declarators[index] ?? NONE, rule.values);
        const isLong = this.text.line(tree.start(value)) !== this.text.line(tree.end(value));
        const before = one === node ? '' : `${this.text.folded(tree.start(node), tree.end(written), 300)} `;
        return this.define({
          kind: rule.kind,
          name,
          modifiers,
          ...(before === '' ? {} : { before }),
          ...(value !== NONE && isLong ? { headEnd: tree.end(name) } : {}),
          start: tree.start(one),
          end: tree.end(one),
          isConstant: rule.kind === 'constant',
        });
      });
    const [first] = made;
    if (first !== undefined) this.#decorate(first, modifiers);
    const type = first === undefined ? this.type(written) : this.#owned(first, () => this.type(written));
    for (const definition of made) {
      const one = this.definitions[definition];
      if (one && written !== NONE)
        one.value_type = this.text.folded(tree.start(written), tree.end(written), 300);
      this.setSymbol(definition, 'type', type);
    }
    if (rule.declarators !== undefined) {
      for (const [index, definition] of made.entries()) {
        const value = this.part(declarators[index] ?? NONE, rule.values);
        if (value === NONE) continue;
        this.setSymbol(
          definition,
          'value',
          this.#owned(definition, () => this.expression(value)),
        );
      }
      return made;
    }
    const values = this.parts(node, rule.values);
    const rows = values.map((value, index) =>
      this.#owned(made[Math.min(index, made.length - 1)] ?? this.owner, () => this.expression(value)),
    );
    const given = this.#spread(rows, names.length);
    let at = 0;
    for (const [index, name] of names.entries())
      if (tree.textOf(name) !== this.rules.blank)
        this.setSymbol(made[at++] ?? -1, 'value', given[index] ?? -1);
    return made;
  }

  #locals(node: NodeId, rule: LocalRule, isNew = false): void {
    const { tree } = this;
    const type = this.type(this.part(node, rule.type));
    if (rule.declarators !== undefined) {
      for (const one of this.parts(node, rule.declarators)) {
        const value = this.expression(this.part(one, rule.values));
        this.bind('local', this.part(one, rule.names), { type, value, from: tree.end(one) });
      }
      return;
    }
    const rows = this.parts(node, rule.values).map((one) => this.expression(one));
    const names = this.parts(node, rule.names);
    const values = this.#spread(rows, names.length);
    for (const [index, name] of names.entries()) {
      // What the scope already has is assigned.
      if (this.typeRule(name) === undefined && this.#compiled.expressions[tree.kindId(name)] !== 'name')
        this.expression(name, 'write');
      else if (isNew || rule.declares || !this.has(tree.textOf(name)))
        this.bind('local', name, { type, value: values[index] ?? -1, from: tree.end(node) });
    }
  }

  #loop(node: NodeId, rule: LoopRule): void {
    if (rule.body !== undefined) {
      this.inScope('block', node, () => {
        this.#loop(node, { ...rule, body: undefined });
        this.visit(this.part(node, rule.body));
      });
      return;
    }
    const { tree } = this;
    const type = this.type(this.part(node, rule.type));
    const base = this.expression(this.part(node, rule.over));
    for (const [index, name] of this.parts(node, rule.names).entries()) {
      const kind = rule.gives[index];
      if (kind === undefined || tree.textOf(name) === this.rules.blank) continue;
      if (this.#compiled.expressions[tree.kindId(name)] !== 'name') {
        this.expression(name, 'write');
        continue;
      }
      const value = this.addExpression({ kind, base, at: tree.start(name) });
      this.bind('local', name, { type, value, from: tree.start(name) });
    }
  }

  #returns(node: NodeId, rule: ReturnRule): void {
    const value = this.expression(this.part(node, rule.value));
    if (value < 0) return;
    if (this.#values) this.#values.push(value);
    else if (
      this.owner !== null &&
      (this.#kindOf[value] === 'function' || this.#unit.get('symbols', 'type', this.owner) < 0)
    )
      this.#unit.add('returns', { symbol: this.owner, value });
  }

  returned(run: (values: number[]) => void): number[] {
    const around = this.#values;
    const values: number[] = [];
    this.#values = values;
    run(values);
    this.#values = around;
    return values;
  }

  #assign(node: NodeId, rule: AssignmentRule): void {
    for (const one of this.parts(node, rule.targets)) this.expression(one, 'write');
    for (const one of this.parts(node, rule.values)) this.expression(one);
  }

  /** The values of several names: each its own, or the parts of one. */
  #spread(rows: readonly number[], count: number): number[] {
    const [only] = rows;
    if (rows.length !== 1 || count === 1 || only === undefined) return [...rows];
    // The second says whether there is a first.
    if (CHECKED.has(this.#kindOf[only] ?? 'unknown')) return [only];
    return Array.from({ length: count }, (_, index) =>
      this.addExpression({ kind: 'part', base: only, at: index }),
    );
  }

  parameters(list: NodeId, definition: number | null): number[] {
    return this.#parameterTypes(list, 'parameter', definition);
  }

  #parameterTypes(list: NodeId, kind: 'parameter' | 'local', definition: number | null): number[] {
    const rows: number[] = [];
    const { tree } = this;
    const facts = definition === null ? undefined : this.definitions[definition]?.parameters;
    // A list of one may stand for itself: `x => x`.
    const isOne = list !== NONE && this.rules.parameters[tree.kind(list)] !== undefined;
    for (const one of isOne ? [list] : tree.children(list)) {
      const rule = this.rules.parameters[tree.kind(one)];
      if (!rule) continue;
      const written = this.part(one, rule.type);
      const type = this.type(written);
      const value = this.part(one, rule.default);
      const row = value === NONE ? -1 : this.expression(value);
      const names = this.parts(one, rule.names);
      const typeText =
        written === NONE ? null : this.text.folded(tree.start(written), tree.end(written), 300);
      const rest = rule.variadic ?? false;
      const flags = (rest ? BINDING_FLAGS.variadic : 0) + (value === NONE ? 0 : BINDING_FLAGS.optional);
      for (const name of names.length === 0 ? [NONE] : names) {
        rows.push(rest ? this.addType({ kind: 'variadic', base: type, at: tree.start(one) }) : type);
        if (kind === 'parameter' || name !== NONE) this.bind(kind, name, { type, value: row, flags });
        facts?.push({ name: tree.textOf(name), type: typeText, optional: value !== NONE, rest });
      }
      if (rest && definition !== null) this.#addFlag(definition, SYMBOL_FLAGS.variadic);
    }
    return rows;
  }

  typeParameters(list: NodeId, definition: number | null): void {
    if (list === NONE) return;
    const { tree } = this;
    const declared = tree.children(list).flatMap((one) => {
      const rule = this.rules.parameters[tree.kind(one)];
      return rule ? [{ names: this.parts(one, rule.names), type: this.part(one, rule.type) }] : [];
    });
    // A bound may name any of them.
    for (const { names } of declared)
      for (const name of names) this.#scopes.note(tree.textOf(name), 'type parameter');
    for (const { names, type } of declared) {
      const bound = this.type(type);
      for (const name of names) this.bind('type parameter', name, { type: bound });
    }
    const one = definition === null ? undefined : this.definitions[definition];
    if (one) one.type_parameters = this.text.folded(tree.start(list) + 1, tree.end(list) - 1, 300);
  }

  // Definitions

  define(given: NewDefinition): number {
    const { tree, text } = this;
    const { kind } = given;
    const index = this.definitions.length;
    const name = given.called ?? tree.textOf(given.name);
    const form = FORMS[kind];
    const parent = this.owner;
    const around = parent === null ? undefined : this.definitions[parent];
    const qualname = given.owner ? `${given.owner}.${name}` : around ? `${around.qualname}.${name}` : name;
    const said = this.#said(given.modifiers ?? NONE, around, kind);
    const access = given.access ?? said?.access ?? this.rules.access(name);
    const flags = (given.flags ?? 0) | (said?.flags ?? 0);
    const { modifiers = NONE } = given;
    const isWithin = modifiers !== NONE && given.start <= tree.start(modifiers);
    const block = this.#scopes.block;
    const isMember = around?.form === 'class';
    const statement = this.#statement?.of === given.start ? this.#statement : null;
    const extent = statement?.alone ?? given;
    this.definitions.push({
      form,
      subkind: given.subkind ?? null,
      name,
      qualname,
      ordinal: this.#ordinal(`${form} ${qualname}`),
      parent,
      block: block && parent !== null ? text.span(block.start, block.end) : undefined,
      span: text.span(extent.start, extent.end),
      name_line: text.line(tree.start(given.name)),
      signature: text.signature(
        said && isWithin ? said.head : given.start,
        given.headEnd ?? given.end,
        given.before ?? statement?.before,
      ),
      docstring:
        this.#comments.above(extent.start) ?? (form === 'variable' ? this.#comments.behind(given.end) : null),
      decorators: said?.decorators ?? [],
      is_async: false,
      is_generator: false,
      is_static: (flags & SYMBOL_FLAGS.static) !== 0,
      is_abstract: (flags & SYMBOL_FLAGS.abstract) !== 0,
      visibility: access.visibility,
      exported: access.exported,
      declaration_only: given.isDeclaration ?? false,
      bases: [],
      parameters: [],
      return_type: null,
      value_type: null,
      scope: form === 'variable' ? (isMember ? 'class' : around ? 'function' : 'module') : null,
      is_constant: (given.isConstant || said?.isConstant) ?? false,
    });
    this.#unit.add('symbols', {
      name,
      kind: SYMBOL_KINDS.indexOf(kind),
      scope: this.#scopes.ownRow(),
      from: block ? tree.start(given.name) : 0,
      body: -1,
      type: -1,
      receiver: -1,
      value: -1,
      flags:
        flags |
        (access.exported ? SYMBOL_FLAGS.exported : 0) |
        (said && access.visibility === 'private' ? SYMBOL_FLAGS.private : 0),
    });
    // A member declared elsewhere is no name of the file.
    if (!given.owner) this.#scopes.note(name, 'symbol', index);
    return index;
  }

  /** What the words in front of a declaration say; null where its language has none. */
  #said(modifiers: NodeId, around: Definition | undefined, kind: SymbolKind) {
    const { tree, text } = this;
    const rules = this.rules.modifiers;
    if (!rules) return null;
    const inInterface = around?.subkind === 'interface' ? rules.inInterface : undefined;
    const ofField = kind === 'field' ? inInterface?.fields : undefined;
    const said = {
      access: inInterface?.access,
      flags: ofField?.flags ?? 0,
      isConstant: ofField?.isConstant ?? false,
      decorators: [] as string[],
      head: modifiers === NONE ? 0 : tree.start(modifiers),
    };
    if (modifiers === NONE) return said;
    let words = '';
    let at = said.head;
    for (const one of tree.children(modifiers)) {
      if (!rules.decorators.includes(tree.kind(one))) continue;
      const [start, end] = [tree.start(one), tree.end(one)];
      const before = text.text.slice(at, start);
      said.decorators.push(text.folded(start + 1, end, 300));
      words += ` ${before}`;
      if (words.trim() === '') said.head = end;
      at = end;
    }
    words += ` ${text.text.slice(at, tree.end(modifiers))}`;
    for (const word of words.match(/[\w-]+/g) ?? []) {
      const one = Object.hasOwn(rules.words, word) ? rules.words[word] : undefined;
      said.access = one?.access ?? said.access;
      said.flags |= one?.flags ?? 0;
      said.isConstant ||= one?.isConstant ?? false;
    }
    return said;
  }

  /** Lowers the decorators of a definition. */
  #decorate(definition: number, modifiers: NodeId): void {
    if (modifiers !== NONE) this.#owned(definition, () => this.visitChildren(modifiers));
  }

  inside(definition: number, kind: ScopeKind, node: NodeId, run: () => void): void {
    const row = this.#scopes.open(kind, definition, this.tree.start(node), this.tree.end(node));
    this.#unit.set('symbols', 'body', definition, row);
    this.ownedBy(definition, run);
    this.#scopes.close();
  }

  ownedBy(definition: number, run: () => void): void {
    this.#owned(definition, run);
  }

  #owned<T>(definition: number | null, run: () => T): T {
    const around = this.owner;
    this.owner = definition;
    const made = run();
    this.owner = around;
    return made;
  }

  setSymbol(definition: number, field: 'type' | 'value' | 'receiver', row: number): void {
    if (definition >= 0) this.#unit.set('symbols', field, definition, row);
  }

  symbol(definition: number, field: 'type' | 'value'): number {
    return this.#unit.get('symbols', field, definition);
  }

  #addFlag(definition: number, flag: number): void {
    const flags = this.#unit.get('symbols', 'flags', definition);
    this.#unit.set('symbols', 'flags', definition, flags | flag);
  }

  addBase(
    definition: number,
    type: number,
    node: NodeId,
    relation: 'extends' | 'implements',
    called?: string,
  ): void {
    const { tree, text } = this;
    const name = called ?? text.bare(tree.start(node), tree.end(node), 300).replace(/^\*|[[<].*$/gs, '');
    this.definitions[definition]?.bases.push({ name, relation, line: text.line(tree.start(node)) });
    this.#bases.push({ definition, type, relation });
  }

  /** Gives members that are declared elsewhere in the file to the type that they name. */
  #joinMembers(): void {
    const types = new Map<string, number>();
    for (const [index, { form, name, parent }] of this.definitions.entries())
      if (parent === null && (form === 'class' || form === 'type') && !types.has(name))
        types.set(name, index);
    for (const one of this.definitions) {
      const dot = one.form === 'method' && one.parent === null ? one.qualname.indexOf('.') : -1;
      if (dot > 0) one.parent = types.get(one.qualname.slice(0, dot)) ?? null;
    }
  }

  #ordinal(key: string): number {
    const ordinal = (this.#ordinals.get(key) ?? 0) + 1;
    this.#ordinals.set(key, ordinal);
    return ordinal;
  }

  // Imports and references

  setPackage(name: string): void {
    this.#package = name;
  }

  documentFile(node: NodeId): void {
    this.#fileDoc = this.#comments.above(this.tree.start(node));
  }

  import({ node, module, imported, local, flags = 0 }: NewImport): void {
    const { tree, text } = this;
    const line = text.line(tree.start(node));
    const index = this.#imports.length;
    this.#imports.push({
      module,
      kind: 'import',
      type_only: false,
      names: [{ imported, local }],
      from: this.owner,
      line,
      column: text.column(tree.start(node), line),
    });
    const isStar = (flags & BINDING_FLAGS.star) !== 0;
    if (local !== null || isStar) this.#scopes.bind('import', local ?? '', { import: index, flags });
  }

  refer(given: NewReference): void {
    const { tree, text } = this;
    const { name, whole, receiver = NONE } = given;
    const start = tree.start(name);
    const line = text.line(start);
    const hasReceiver = receiver !== NONE;
    const root = hasReceiver ? this.#root(given.receiverRow ?? -1) : null;
    const isValue = this.rules.namesApart ? !NOT_VALUES.has(given.kind) : given.kind !== 'type';
    const local = hasReceiver
      ? root !== null && this.#localRows.has(root)
      : isValue && this.#isLocal(tree.textOf(name));
    this.#references.push({
      kind: given.kind,
      name: tree.textOf(name),
      receiver: hasReceiver ? text.bare(tree.start(receiver), tree.end(receiver), EXPRESSION) : null,
      receiver_form: hasReceiver ? this.#form(given) : 'none',
      from: this.owner,
      line,
      column: text.column(start, line),
      expression: text.folded(tree.start(whole), tree.end(whole), EXPRESSION),
      local,
      arguments: given.arguments ?? null,
    });
    this.#places.push({ at: start, expression: given.expression ?? -1, type: given.type ?? -1 });
  }

  #isLocal(name: string): boolean {
    const known = this.#scopes.lookup(name);
    return known !== undefined && known !== 'symbol' && known !== 'import';
  }

  /** The expression that a path of members begins with. */
  #root(row: number): number | null {
    let at = row;
    while (at >= 0 && this.#kindOf[at] === 'member') at = this.#baseOf[at] ?? -1;
    return at < 0 ? null : at;
  }

  #form({ receiverRow, type }: NewReference): Reference['receiver_form'] {
    if (type !== undefined && type >= 0) return 'path';
    const root = this.#root(receiverRow ?? -1);
    const kind = root === null ? undefined : this.#kindOf[root];
    if (kind === 'name') return 'path';
    if (kind === 'this' || kind === 'super' || kind === 'literal') return kind;
    return kind === 'call' || kind === 'new' ? 'call' : 'other';
  }

  writtenAt(row: number): { name: NodeId; of: NodeId } {
    return { name: this.#nameNodes[row] ?? NONE, of: this.#ofNodes[row] ?? NONE };
  }

  baseOf(row: number): number {
    return this.#baseOf[row] ?? -1;
  }

  /** The references in the order of the text, and their rows. */
  #sorted(): Reference[] {
    const order = this.#places.map((_, index) => index);
    order.sort((a, b) => (this.#places[a]?.at ?? 0) - (this.#places[b]?.at ?? 0) || a - b);
    return order.map((index) => {
      const { expression = -1, type = -1 } = this.#places[index] ?? {};
      this.#rows.names.push(expression, type);
      return this.#references[index] as Reference;
    });
  }

  // Rows

  addType({ kind, name = '', base = -1, parts = NO_PARTS, scope, at }: NewType): number {
    const first = this.#parts(parts);
    // In the order of the fields of the table.
    return this.#rows.types.push(
      TYPE_NUMBERS.get(kind) ?? 0,
      this.#unit.text(name),
      base,
      first,
      parts.length,
      scope ?? this.#scopes.row,
      at,
    );
  }

  addExpression(given: NewExpression): number {
    const { kind, name = '', base = -1, parts = NO_PARTS, type = -1, at } = given;
    const first = this.#parts(parts);
    const scope = given.scope ?? this.#scopes.row;
    const text = this.#unit.text(name);
    // In the order of the fields of the table.
    const row = this.#rows.expressions.push(
      EXPRESSION_NUMBERS.get(kind) ?? 0,
      text,
      base,
      first,
      parts.length,
      type,
      scope,
      at,
    );
    this.#kindOf.push(kind);
    this.#baseOf.push(base);
    this.#nameNodes.push(given.nameNode ?? NONE);
    this.#ofNodes.push(given.ofNode ?? NONE);
    if (kind === 'name' && this.#isLocal(name)) this.#localRows.add(row);
    return row;
  }

  typeAt(type: number): { kind: NewType['kind']; element: number } {
    const { types, items } = this.#rows;
    const kind = TYPE_KINDS[types.get(0, type)] ?? 'unknown';
    if (kind === 'map') return { kind, element: items.get(0, types.get(3, type) + 1) };
    return { kind, element: kind === 'list' ? types.get(2, type) : -1 };
  }

  /** Adds a list of rows. @returns where it begins. */
  #parts(parts: readonly number[]): number {
    if (parts.length === 0) return 0;
    const { items } = this.#rows;
    const first = items.length;
    for (const row of parts) items.push(row);
    return first;
  }

  get unknown(): number {
    if (this.#unknown < 0) this.#unknown = this.addExpression({ kind: 'unknown', at: 0 });
    return this.#unknown;
  }
}

/** Expressions that give a value and whether there is one. */
const CHECKED: ReadonlySet<NewExpression['kind']> = new Set(['convert', 'index', 'received']);
const NO_PARTS: readonly number[] = [];

/** Names that hide no type, and none that is called, where names live apart. */
const VALUES: ReadonlySet<Known> = new Set<Known>(['local', 'parameter', 'receiver']);
const LOCALS: ReadonlySet<Known> = new Set<Known>([...VALUES, 'type parameter']);
/** References that name no value, where names live apart. */
const NOT_VALUES: ReadonlySet<string> = new Set(['type', 'call', 'new', 'decorator']);
const TYPE_NUMBERS = new Map(TYPE_KINDS.map((kind, number) => [kind, number]));
const EXPRESSION_NUMBERS = new Map(EXPRESSION_KINDS.map((kind, number) => [kind, number]));

/** What a symbol is to those who read facts. */
const FORMS: Readonly<Record<SymbolKind, DefinitionForm>> = {
  function: 'function',
  method: 'method',
  constructor: 'method',
  class: 'class',
  interface: 'class',
  enum: 'class',
  type: 'type',
  variable: 'variable',
  field: 'variable',
  constant: 'variable',
};

/** What other files see by a name of its own. */
function exportsOf(definitions: readonly Definition[]): ExportFact[] {
  return definitions.flatMap(({ exported, parent, form, name, name_line: line }) =>
    exported && parent === null && form !== 'method' ? [{ name, local: name, module: null, line }] : [],
  );
}
