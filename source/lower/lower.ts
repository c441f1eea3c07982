import type { FileFacts } from '../facts.js';
import { BINDING_FLAGS, type BindingKind, type ScopeKind } from '../ir/index.js';
import type { ParsedFile } from '../languages/language.js';
import {
  lowerAnonymous,
  lowerCallable,
  lowerDeclaration,
  lowerParameters,
  lowerTypeParameters,
  lowerVariables,
} from './declarations.js';
import { lowerExpression } from './expressions.js';
import { Records } from './records.js';
import type {
  ExpressionRule,
  FunctionRule,
  Lowering,
  LoweringRules,
  NewExtension,
  NodeRule,
  Part,
  TypeRule,
  Use,
  VariableRule,
} from './rules.js';
import type { Known, NewBinding } from './scopes.js';
import { NONE, type NodeId, SyntaxTree } from './syntax-tree.js';
import { lowerType } from './types.js';

/** The facts of one file, its unit among them, by the rules of its language. */
export function lower({ path, text, tree }: ParsedFile, rules: LoweringRules): FileFacts {
  const syntax = new SyntaxTree(text, tree, rules);
  const lowering = new FileLowering(path, syntax, rules);
  lowering.visitChildren(0);
  return lowering.facts(lowering);
}

/** The rules of a language by the numbers of a grammar's types. */
interface CompiledRules {
  readonly nodes: readonly (NodeRule | undefined)[];
  readonly expressions: readonly (ExpressionRule | undefined)[];
  readonly types: readonly (TypeRule | undefined)[];
  readonly lists: ReadonlySet<string>;
  /** Types of nodes that are decorators of what stands behind them. */
  readonly preceding: ReadonlySet<string>;
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
    preceding: new Set(rules.modifiers?.preceding),
  };
  compiled.set(rules, { kinds, rules: made });
  return made;
}

/** One file while it is lowered: the walk over its tree, by the rules. */
class FileLowering extends Records implements Lowering {
  values: number[] | null = null;
  expected = -1;
  head: number | null = null;
  readonly #compiled: CompiledRules;

  constructor(path: string, tree: SyntaxTree, rules: LoweringRules) {
    super(path, tree, rules);
    this.#compiled = compile(rules, tree.kindNames);
  }

  part(node: NodeId, part: Part | undefined): NodeId {
    if (part === undefined) return NONE;
    switch (part.charCodeAt(0)) {
      case 0x3a: // ':'
        return this.tree.childOfKind(node, part.slice(1));
      case 0x2e: // '.'
        return node;
      case 0x23: // '#'
        return part === '#0'
          ? this.tree.first(node)
          : (this.tree.children(node).at(Number(part.slice(1))) ?? NONE);
      case 0x2a: {
        // '*'
        const end = node < 0 ? 0 : this.tree.next(node);
        for (let one = node + 1; one < end; one = this.tree.next(one))
          if (this.typeRule(one) !== undefined) return one;
        return NONE;
      }
      default:
        return this.tree.child(node, part);
    }
  }

  parts(node: NodeId, part: Part | undefined): NodeId[] {
    const found: NodeId[] = [];
    if (part === undefined || node < 0) return found;
    const { tree } = this;
    const mark = part.charCodeAt(0);
    if (mark === 0x2e || mark === 0x23 || mark === 0x2a) {
      const only = this.part(node, part);
      if (only !== NONE) found.push(only);
      return found;
    }
    const kind = mark === 0x3a ? part.slice(1) : null;
    const end = tree.next(node);
    for (let one = node + 1; one < end; one = tree.next(one)) {
      if (kind === null ? tree.field(one) !== part : tree.kind(one) !== kind) continue;
      if (!this.#compiled.lists.has(tree.kind(one))) found.push(one);
      else for (const each of tree.children(one)) found.push(each);
    }
    return found;
  }

  visit(node: NodeId): void {
    const kind = this.tree.kindId(node);
    const rule = this.#compiled.nodes[kind];
    const { preceding } = this.#compiled;
    if (preceding.size > 0 && preceding.has(this.tree.kind(node))) this.precede(node);
    else if (rule === undefined) {
      if (this.#compiled.expressions[kind] !== undefined) this.expression(node);
      else if (this.#compiled.types[kind] !== undefined) this.type(node);
      else this.visitChildren(node);
    } else if (typeof rule === 'function') rule(this, node);
    else if (rule === 'block') this.inScope('block', node, () => this.visitChildren(node));
    else if (rule === 'statement') this.statement(node, (one) => this.visit(one));
    else if (rule !== 'skip') lowerDeclaration(this, node, rule);
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
      this.declaredIn = { of: start, before: `${word} `, alone };
      each(one);
    }
    this.declaredIn = null;
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

  nodeRule(node: NodeId): NodeRule | undefined {
    return this.#compiled.nodes[this.tree.kindId(node)];
  }

  isName(node: NodeId): boolean {
    return this.typeRule(node) !== undefined || this.#compiled.expressions[this.tree.kindId(node)] === 'name';
  }

  isExpression(node: NodeId): boolean {
    return node !== NONE && this.#compiled.expressions[this.tree.kindId(node)] !== undefined;
  }

  isInside(node: NodeId): boolean {
    return node !== NONE && this.#compiled.expressions[this.tree.kindId(node)] === 'inside';
  }

  functionType(node: NodeId, parameters: Part, result: Part | number): number {
    const parts = lowerParameters(this, this.part(node, parameters), null, null);
    const base = typeof result === 'number' ? result : this.#results(this.part(node, result), null);
    return this.addType({ kind: 'function', base, parts, at: this.tree.start(node) });
  }

  results(node: NodeId): number {
    return this.#results(node, 'local');
  }

  #results(node: NodeId, kind: 'local' | null): number {
    if (node === NONE) return -1;
    if (this.typeRule(node) !== undefined) return this.type(node);
    const types = lowerParameters(this, node, kind, null);
    if (types.length < 2) return types[0] ?? -1;
    return this.addType({ kind: 'tuple', parts: types, at: this.tree.start(node) });
  }

  // Scopes and bindings

  get scope(): number {
    return this.scopes.row;
  }

  get inFunction(): boolean {
    return this.scopes.inFunction;
  }

  get inPlace(): boolean {
    return this.scopes.inPlace;
  }

  inScope<T>(kind: ScopeKind, node: NodeId, run: () => T, name?: string): T {
    this.scopes.open(kind, -1, this.tree.start(node), this.tree.end(node), name);
    const made = run();
    this.scopes.close();
    return made;
  }

  get isMember(): boolean {
    return this.scopes.isMember;
  }

  inModule(name: NodeId, node: NodeId, run: () => void): void {
    const { tree, namespace } = this;
    const scope = this.scopes.open('module', -1, tree.start(node), tree.end(node));
    const type = this.addType({ kind: 'members', scope, at: tree.start(node) });
    this.namespace = `${namespace}${tree.textOf(name)}.`;
    run();
    this.namespace = namespace;
    this.scopes.close();
    this.bind('import', name, { type, flags: BINDING_FLAGS.module });
  }

  inExtension(node: NodeId, head: () => NewExtension, run: () => void): void {
    const { tree, extended } = this;
    const scope = this.scopes.open('extension', -1, tree.start(node), tree.end(node));
    const made = head();
    this.extended = made;
    this.unit.add('extensions', { scope, type: made.type, base: made.base, name: made.found ?? made.name });
    run();
    this.extended = extended;
    this.scopes.close();
  }

  bind(kind: BindingKind, name: NodeId, binding: NewBinding): void {
    const text = this.tree.textOf(name);
    if (text === this.rules.blank && kind === 'local') return;
    this.scopes.bind(kind, text === this.rules.blank ? '' : text, binding);
  }

  /** A variable without a name that only states that a value is of a type. */
  bindBlank(binding: NewBinding): void {
    this.scopes.bind('local', '', binding);
  }

  note(name: string, known: Known): void {
    this.scopes.note(name, known);
  }

  has(name: string): boolean {
    return this.scopes.has(name);
  }

  isBound(name: string, as?: 'type' | 'callee'): boolean {
    const { namesApart } = this.rules;
    const isApart = namesApart === true ? as !== undefined : namesApart === 'types' && as === 'type';
    const known = this.scopes.lookup(name, isApart ? (as === 'type' ? VALUES : LOCALS) : undefined);
    if (known === undefined || known === 'symbol') return false;
    return known !== 'import' || this.rules.importsAre === 'packages';
  }

  inside(definition: number, kind: ScopeKind, node: NodeId, run: () => void): void {
    const row = this.scopes.open(kind, definition, this.tree.start(node), this.tree.end(node));
    this.unit.set('symbols', 'body', definition, row);
    const { branch, loop } = this;
    this.branch = null;
    this.loop = null;
    this.ownedBy(definition, run);
    this.branch = branch;
    this.loop = loop;
    this.scopes.close();
  }

  ownedBy<T>(definition: number | null, run: () => T): T {
    const around = this.owner;
    this.owner = definition;
    const made = run();
    this.owner = around;
    return made;
  }

  // What declarations are made of

  callable(definition: number, node: NodeId, rule: FunctionRule, first?: () => void): void {
    lowerCallable(this, definition, node, rule, first);
  }

  variables(node: NodeId, rule: VariableRule): number[] {
    return lowerVariables(this, node, rule);
  }

  parameters(list: NodeId, definition: number | null): number[] {
    return lowerParameters(this, list, 'parameter', definition);
  }

  typeParameters(list: NodeId, definition: number | null, whole: NodeId = NONE): void {
    lowerTypeParameters(this, list, definition, whole);
  }

  anonymous(type: number, name: NodeId, whole: NodeId, body: NodeId, of?: string): void {
    lowerAnonymous(this, type, name, whole, body, of);
  }

  returned(run: (values: number[]) => void): number[] {
    const around = this.values;
    const values: number[] = [];
    this.values = values;
    run(values);
    this.values = around;
    return values;
  }
}

/** Names that hide no type, and none that is called, where names live apart. */
const VALUES: ReadonlySet<Known> = new Set<Known>(['local', 'parameter', 'receiver']);
const LOCALS: ReadonlySet<Known> = new Set<Known>([...VALUES, 'type parameter']);
