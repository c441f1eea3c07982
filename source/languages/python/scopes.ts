import type { Definitions } from './definitions.js';
import { aliasName, assignmentsOf, child, eachTarget, unwrapped } from './expressions.js';
import { bodyOf } from './names.js';
import { eachParameterName, writtenParameters } from './parameters.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/**
 * How a name is bound. `definition`: a def, class, named lambda or module/class variable; `import`; `parameter`;
 * `local`: any other variable, loop variables of the module too.
 */
export type Binding = 'definition' | 'import' | 'parameter' | 'local';

/** Later ones win: a function's own `def f` or import says more of `f` than `f = cached(f)` beside it. */
const strength: Readonly<Record<Binding, number>> = { local: 0, import: 1, definition: 2, parameter: 3 };

/**
 * `head`: between a def and its surroundings, where type parameters are bound and annotations are looked up; `lambda`:
 * of one without a name, which is no definition.
 */
export type ScopeKind = 'module' | 'class' | 'function' | 'lambda' | 'head' | 'comprehension';

/** One of Python's scopes. */
export class Scope {
  readonly #names = new Map<string, Binding>();
  readonly #elsewhere = new Map<string, Scope | null>();

  constructor(
    readonly kind: ScopeKind,
    readonly parent: Scope | null,
    /** The definition that what stands here belongs to; null at module level. */
    readonly owner: number | null,
    /** In methods and what they hold: the first parameter's name, `self` or `cls`. */
    readonly self: string | null,
  ) {}

  /** Binds a name, in the scope that `global` or `nonlocal` names if any. */
  bind(name: string, binding: Binding): void {
    const other = this.#elsewhere.get(name);
    if (other && other !== this) {
      other.bind(name, other.kind === 'module' ? 'definition' : binding);
      return;
    }
    const known = this.#names.get(name);
    if (known === undefined || strength[binding] > strength[known]) this.#names.set(name, binding);
  }

  /** `global name` or `nonlocal name`: it lives in `scope`. */
  redirect(name: string, scope: Scope | null): void {
    this.#elsewhere.set(name, scope);
  }

  /** Where a name used in this scope is bound; null for builtins and unknown names. */
  lookup(name: string): { readonly scope: Scope; readonly binding: Binding } | null {
    // A class body sees its own names; functions inside it do not.
    let inside = true;
    for (let scope: Scope | null = this; scope; scope = scope.parent) {
      if (scope.kind === 'class' && !inside) continue;
      const other = scope.#elsewhere.get(name);
      if (other && other !== scope) return other.lookup(name);
      const binding = scope.#names.get(name);
      if (binding !== undefined) return { scope, binding };
      if (scope.kind !== 'head') inside = false;
    }
    return null;
  }

  /** Whether names bound here are locals of a function. */
  get holdsLocals(): boolean {
    return this.kind !== 'module' && this.kind !== 'class';
  }
}

/** The scopes of a file by the node that opens them; a def's head by its `parameters`, a class's by its arguments. */
export interface Scopes {
  readonly module: Scope;
  readonly opened: ReadonlyMap<Syntax, Scope>;
  /** The nodes of comprehensions by their scopes. */
  readonly nodes: ReadonlyMap<Scope, Syntax>;
  /** Heads of functions, classes and type aliases, by their node. */
  readonly heads: ReadonlyMap<Syntax, Scope>;
}

/** Nodes that open a comprehension's scope. */
export const comprehensions = new Set([
  'list_comprehension',
  'set_comprehension',
  'dictionary_comprehension',
  'generator_expression',
]);

/** Binds every name of the file. Needed before any lookup: a name is local in all of its function. */
export function scopesOf(root: Syntax, text: SourceText, definitions: Definitions): Scopes {
  const binder = new Binder(text, definitions);
  for (const one of root.children) binder.visit(one, binder.module);
  return binder;
}

class Binder implements Scopes {
  readonly module = new Scope('module', null, null, null);
  readonly opened = new Map<Syntax, Scope>();
  readonly nodes = new Map<Scope, Syntax>();
  readonly heads = new Map<Syntax, Scope>();

  constructor(
    private readonly text: SourceText,
    private readonly definitions: Definitions,
  ) {}

  visit(node: Syntax, scope: Scope): void {
    switch (node.kind) {
      case 'identifier':
      case 'attribute':
        if (node.children.length > 0) this.#visitAll(node.children, scope);
        return;
      case 'function_definition':
        this.#function(node, scope);
        return;
      case 'class_definition':
        this.#class(node, scope);
        return;
      case 'lambda':
        this.#lambda(node, scope);
        return;
      case 'assignment':
        this.#assignment(node, scope);
        return;
      case 'augmented_assignment':
      case 'for_statement':
        this.#bindTargets(node.children[0], scope, node.kind === 'for_statement' ? 'local' : variable(scope));
        break;
      case 'as_pattern_target':
        this.#bindTargets(node, scope, 'local');
        break;
      case 'as_pattern':
        this.#bindCapture(node.children[node.children.length - 1], scope);
        break;
      case 'named_expression':
        this.#bindTargets(node.children[0], outsideComprehensions(scope), 'local');
        break;
      case 'except_clause':
        // Python 2: `except Error, error:`.
        if (node.children[2]?.kind === 'block') this.#bindTargets(node.children[1], scope, 'local');
        break;
      case 'case_pattern':
      case 'splat_pattern':
        this.#bindCapture(node.children[0], scope);
        break;
      case 'keyword_pattern':
        this.#bindCapture(node.children[1], scope);
        break;
      case 'import_statement':
      case 'import_from_statement':
      case 'future_import_statement':
        this.#import(node, scope);
        return;
      case 'global_statement':
      case 'nonlocal_statement':
        this.#redirect(node, scope);
        return;
      case 'type_alias_statement':
        this.#typeAlias(node, scope);
        return;
      default:
        if (comprehensions.has(node.kind)) {
          this.#comprehension(node, scope);
          return;
        }
    }
    this.#visitAll(node.children, scope);
  }

  #visitAll(nodes: readonly Syntax[], scope: Scope): void {
    for (const one of nodes) this.visit(one, scope);
  }

  #function(node: Syntax, scope: Scope): void {
    this.#bind(child(node, 'identifier'), scope, 'definition');
    const owner = this.definitions.owners.get(node) ?? scope.owner;
    const head = this.#head(node, scope, owner);
    const parameters = child(node, 'parameters');
    for (const { value } of writtenParameters(parameters)) if (value) this.visit(value, scope);
    const free = this.definitions.list[owner ?? -1]?.decorators.includes('staticmethod') === true;
    const self = this.#selfOf(parameters, scope, !free);
    const own = new Scope('function', head, owner, self);
    this.opened.set(node, own);
    eachParameterName(parameters, (name) => this.#bind(name, own, 'parameter'));
    const body = bodyOf(node);
    if (body) this.#visitAll(body.children, own);
  }

  #class(node: Syntax, scope: Scope): void {
    this.#bind(child(node, 'identifier'), scope, 'definition');
    const owner = this.definitions.owners.get(node) ?? scope.owner;
    const head = this.#head(node, scope, owner);
    const list = child(node, 'argument_list');
    if (list) this.visit(list, head);
    const own = new Scope('class', head, owner, null);
    this.opened.set(node, own);
    const body = bodyOf(node);
    if (body) this.#visitAll(body.children, own);
  }

  #lambda(node: Syntax, scope: Scope): void {
    const list = child(node, 'lambda_parameters');
    for (const { value } of writtenParameters(list)) if (value) this.visit(value, scope);
    const named = this.definitions.owners.get(node);
    const owner = named ?? scope.owner;
    const kind = named === undefined ? 'lambda' : 'function';
    const own = new Scope(kind, scope, owner, this.#selfOf(list, scope, true));
    this.opened.set(node, own);
    eachParameterName(list, (name) => this.#bind(name, own, 'parameter'));
    for (const one of node.children) if (one !== list) this.visit(one, own);
  }

  /** The name of the object: a method's first parameter, or the surrounding method's unless it is shadowed. */
  #selfOf(list: Syntax | undefined, scope: Scope, bound: boolean): string | null {
    const written = writtenParameters(list);
    if (scope.kind !== 'class')
      return written.some((one) => this.text.of(one.target) === scope.self) ? null : scope.self;
    const [first] = written;
    return bound && first && !first.rest ? this.text.of(first.target) : null;
  }

  #comprehension(node: Syntax, scope: Scope): void {
    const own = new Scope('comprehension', scope, scope.owner, scope.self);
    this.opened.set(node, own);
    this.nodes.set(own, node);
    const first = child(node, 'for_in_clause');
    for (const one of node.children) {
      if (one.kind === 'for_in_clause') this.#bindTargets(one.children[0], own, 'local');
      if (one === first) one.children.forEach((part, at) => void this.visit(part, at === 0 ? own : scope));
      else this.visit(one, own);
    }
  }

  #assignment(node: Syntax, scope: Scope): void {
    const assignments = assignmentsOf(node);
    for (const { target, type, value } of assignments) {
      const named = target.kind === 'identifier' && value !== null && unwrapped(value).kind === 'lambda';
      this.#bindTargets(target, scope, named ? 'definition' : variable(scope));
      this.visit(target, scope);
      if (type) this.visit(type, scope);
    }
    const value = assignments[0]?.value;
    if (value) this.visit(value, scope);
  }

  #typeAlias(node: Syntax, scope: Scope): void {
    const name = aliasName(node);
    if (!name) {
      this.#visitAll(node.children, scope);
      return;
    }
    const generic = node.children[0]?.children[0];
    const parameters = generic && child(generic, 'type_parameter');
    if (parameters) this.#bindTypeParameters(parameters, this.#headOf(node, scope, scope.owner));
    this.#bind(name, scope, scope.holdsLocals ? 'local' : 'definition');
  }

  #head(node: Syntax, scope: Scope, owner: number | null): Scope {
    const head = this.#headOf(node, scope, owner);
    const parameters = child(node, 'type_parameter');
    if (parameters) this.#bindTypeParameters(parameters, head);
    return head;
  }

  #headOf(node: Syntax, scope: Scope, owner: number | null): Scope {
    const head = new Scope('head', scope, owner, scope.self);
    this.heads.set(node, head);
    return head;
  }

  /** `[T, U: Bound, *Ts, **P]`: the first name of each. */
  #bindTypeParameters(list: Syntax, head: Scope): void {
    for (const one of list.children) {
      let name: Syntax | undefined = one;
      while (name && name.kind !== 'identifier') name = name.children[0];
      this.#bind(name, head, 'parameter');
    }
  }

  #import(node: Syntax, scope: Scope): void {
    const from = node.kind !== 'import_statement';
    node.children.forEach((one, at) => {
      if (from && at === 0 && node.kind === 'import_from_statement') return;
      if (one.kind === 'aliased_import') this.#bind(one.children[1], scope, 'import');
      else if (one.kind === 'dotted_name') {
        const name = this.text.of(one);
        scope.bind(from ? name : (name.split('.')[0] ?? name).trim(), 'import');
      }
    });
  }

  #redirect(node: Syntax, scope: Scope): void {
    for (const one of node.children) {
      const name = this.text.of(one);
      if (node.kind === 'global_statement') scope.redirect(name, this.module);
      else scope.redirect(name, this.#enclosing(name, scope));
    }
  }

  #enclosing(name: string, scope: Scope): Scope | null {
    const found = scope.parent?.lookup(name);
    return found?.scope.holdsLocals ? found.scope : null;
  }

  #bindTargets(target: Syntax | undefined, scope: Scope, binding: Binding): void {
    if (target) eachTarget(target, (leaf) => this.#bind(leaf, scope, binding));
  }

  /** In patterns a plain name captures, a dotted one is looked up. */
  #bindCapture(node: Syntax | undefined, scope: Scope): void {
    if (node?.kind === 'dotted_name' || node?.kind === 'identifier')
      if (!this.text.of(node).includes('.')) scope.bind(this.text.of(node), 'local');
  }

  #bind(name: Syntax | undefined, scope: Scope, binding: Binding): void {
    if (name?.kind === 'identifier') scope.bind(this.text.of(name), binding);
  }
}

function variable(scope: Scope): Binding {
  return scope.holdsLocals ? 'local' : 'definition';
}

function outsideComprehensions(scope: Scope): Scope {
  let outer = scope;
  while (outer.kind === 'comprehension' && outer.parent) outer = outer.parent;
  return outer;
}
