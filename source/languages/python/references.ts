import type { Reference } from '../../facts.js';
import { takesFixtures } from '../../pytest.js';
import { AnnotationReader } from './annotations.js';
import type { Definitions } from './definitions.js';
import {
  aliasName,
  assignmentsOf,
  child,
  decoratorOf,
  dottedPath,
  eachTarget,
  firstName,
  unwrapped,
} from './expressions.js';
import { type CallFacts, FoundReferences, isLocal, NO_CALL, type Use } from './found-references.js';
import { bodyOf, namePattern } from './names.js';
import { writtenParameters } from './parameters.js';
import { receiverOf } from './receivers.js';
import { comprehensions, type Scope, type Scopes } from './scopes.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';
import type { ValueReader } from './values.js';

/** What a call hands over, and its callee where that is more than a name that the scopes tell. */
function callFacts(
  callee: Syntax,
  list: Syntax | null,
  text: SourceText,
  values: ValueReader,
  scope: Scope,
): CallFacts {
  // What is handed to a function of the same file may be a key to a table of functions.
  const isOwn = callee.kind === 'identifier' && scope.lookup(text.of(callee))?.binding === 'definition';
  const passed = list && values.passed(list, scope, 0, isOwn);
  const value = values.value(callee, scope);
  const root = typeof value === 'string' ? firstName(value) : null;
  const isTold = root !== null && ((root === scope.self && root !== value) || !isLocal(root, scope));
  return {
    arguments: list && positional(list),
    ...(value !== null && !isTold && { callee: value }),
    ...(passed && { values: passed }),
  };
}

/** A callee without a name of its own in short: `handlers[]`, `make()`. */
function spellingOf(node: Syntax, text: SourceText): string {
  const [first, second] = node.children;
  if (node.kind === 'identifier') return text.of(node);
  if (node.kind === 'attribute' && second) return text.of(second);
  if (node.kind === 'parenthesized_expression' && first) return spellingOf(first, text);
  if (first && node.kind === 'call') return `${spellingOf(first, text)}()`;
  if (first && node.kind === 'subscript') return `${spellingOf(first, text)}[]`;
  return node.kind === 'lambda' ? 'lambda' : 'expression';
}

/** Positional arguments; null when a `*spread` hides how many there are. */
function positional(list: Syntax): number | null {
  if (list.kind === 'generator_expression') return 1;
  if (list.kind !== 'argument_list') return 0;
  let count = 0;
  for (const one of list.children) {
    if (one.kind === 'list_splat') return null;
    if (one.kind !== 'keyword_argument' && one.kind !== 'dictionary_splat' && one.kind !== 'ERROR')
      count += 1;
  }
  return count;
}

/** Every use of a name, in the order of the text. */
export function referencesOf(
  root: Syntax,
  text: SourceText,
  definitions: Definitions,
  scopes: Scopes,
  values: ValueReader,
  importsAll: boolean,
): Reference[] {
  const found = new FoundReferences(text, importsAll);
  const reader = new ReferenceReader(text, definitions, scopes, values, found);
  for (const one of root.children) reader.visit(one, scopes.module, 'read');
  return found.list.sort((a, b) => a.line - b.line || a.column - b.column);
}

class ReferenceReader {
  readonly #annotations: AnnotationReader;
  /** What variables hold that were last assigned a computed name: see {@link namePattern}. */
  readonly #patterns = new Map<Scope, Map<string, string | null>>();

  constructor(
    private readonly text: SourceText,
    private readonly definitions: Definitions,
    private readonly scopes: Scopes,
    private readonly values: ValueReader,
    private readonly found: FoundReferences,
  ) {
    this.#annotations = new AnnotationReader(text, found, (node, scope) => this.visit(node, scope, 'read'));
  }

  visit(node: Syntax, scope: Scope, use: Use): void {
    switch (node.kind) {
      case 'identifier':
        this.#name(node, scope, use);
        return;
      case 'attribute':
        this.#attribute(node, scope, use);
        return;
      case 'call':
        this.#call(node, scope);
        return;
      case 'decorator':
        this.#decorator(node, scope);
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
      case 'for_in_clause':
      case 'named_expression':
      case 'delete_statement':
        this.#targets(node, scope);
        return;
      case 'as_pattern_target':
        eachTarget(node, (leaf) => this.visit(leaf, scope, 'write'));
        return;
      case 'type':
        this.#annotations.read(node, scope);
        return;
      case 'type_alias_statement':
        this.#typeAlias(node, scope);
        return;
      case 'keyword_argument':
        this.#all(node.children.slice(1), scope, 'pass');
        return;
      case 'list_splat':
      case 'dictionary_splat':
      case 'parenthesized_expression':
        this.#all(node.children, scope, use);
        return;
      case 'case_pattern':
      case 'keyword_pattern':
      case 'class_pattern':
      case 'splat_pattern':
      case 'as_pattern':
      case 'dict_pattern':
        this.#pattern(node, scope);
        return;
      case 'import_statement':
      case 'import_from_statement':
      case 'future_import_statement':
      case 'global_statement':
      case 'nonlocal_statement':
        return;
      default:
        if (comprehensions.has(node.kind)) this.#comprehension(node, scope);
        else if (node.children.length > 0) this.#all(node.children, scope, 'read');
    }
  }

  #all(nodes: readonly Syntax[], scope: Scope, use: Use): void {
    for (const one of nodes) this.visit(one, scope, use);
  }

  /** A target that is a definition itself is no reference. */
  #name(node: Syntax, scope: Scope, use: Use): void {
    if (use !== 'write' || !this.definitions.targets.has(node)) this.found.name(node, scope, use);
  }

  #attribute(node: Syntax, scope: Scope, use: Use): void {
    const [object, name] = node.children;
    if (!object) return;
    const receiver = receiverOf(object, this.text, scope.self);
    const root = receiver.form === 'path' ? firstName(receiver.text) : null;
    const local = root !== null && isLocal(root, scope);
    const followed =
      root === null
        ? receiver.form !== 'literal' && receiver.form !== 'other'
        : local || this.found.isProgramName(root, scope);
    if (name?.kind === 'identifier' && followed)
      this.found.add(use, name, receiver.text, receiver.form, node, scope, local);
    this.#receiver(object, receiver.form, scope);
  }

  /** What a receiver holds besides the dotted path that the reference through it names already. */
  #receiver(object: Syntax, form: Reference['receiver_form'], scope: Scope): void {
    if (form === 'path' || form === 'this') return;
    let at = object;
    while (form === 'super' && at.kind === 'attribute' && at.children[0]) at = at.children[0];
    this.visit(at, scope, 'read');
  }

  #call(node: Syntax, scope: Scope): void {
    const [callee] = node.children;
    const list = node.children[node.children.length - 1];
    if (!callee) return;
    this.#callee('call', callee, node, scope, list ?? null);
    this.#asView(callee, scope);
    this.#computed(node, scope);
    if (list && list !== callee) {
      if (list.kind === 'argument_list') this.#all(list.children, scope, 'pass');
      else this.visit(list, scope, 'pass');
    }
  }

  /** `View.as_view()`: what it makes stands for the class wherever it is handed to. */
  #asView(callee: Syntax, scope: Scope): void {
    const [object, name] = callee.kind === 'attribute' ? callee.children : [];
    if (!object || !name || this.text.of(name) !== 'as_view') return;
    if (dottedPath(object, this.text) !== null) this.visit(object, scope, 'pass');
  }

  /** `getattr(self, f"visit_{name}")`: a read of whatever `self.visit_*` may be. */
  #computed(call: Syntax, scope: Scope): void {
    const [callee, list] = call.children;
    const [object, name] = list?.children ?? [];
    if (callee?.kind !== 'identifier' || !object || !name) return;
    if (this.text.of(callee) !== 'getattr' || scope.lookup('getattr')) return;
    const held = name.kind === 'identifier' ? this.text.of(name) : '';
    const bound = held === '' ? undefined : scope.lookup(held)?.scope;
    const pattern = bound ? this.#patterns.get(bound)?.get(held) : namePattern(name, this.text);
    if (!pattern) return;
    const { text, form } = receiverOf(object, this.text, scope.self);
    const local = form === 'path' && isLocal(firstName(text), scope);
    this.found.add('read', name, text, form, call, scope, local, { ...NO_CALL, name: pattern });
  }

  /** Adds the reference through a callee; false for a decorator's that has no name: `@handlers[key]`. */
  #callee(
    kind: 'call' | 'decorator',
    written: Syntax,
    whole: Syntax,
    scope: Scope,
    list: Syntax | null,
  ): boolean {
    // `{*f(x)}` is to the grammar a call of `*f`.
    const callee = unwrapped((written.kind === 'list_splat' ? written.children[0] : null) ?? written);
    const call = kind === 'call' ? callFacts(callee, list, this.text, this.values, scope) : NO_CALL;
    if (callee.kind === 'identifier') {
      const name = this.text.of(callee);
      // The receiver form of what is called on it says it.
      if (name === 'super' && !scope.lookup(name)) return true;
      this.found.add(kind, callee, null, 'none', whole, scope, isLocal(name, scope), call);
      return true;
    }
    const [object, name] = callee.children;
    if (callee.kind !== 'attribute' || !object || name?.kind !== 'identifier') {
      if (kind === 'decorator') return false;
      const name = spellingOf(callee, this.text);
      this.found.add(kind, callee, null, 'other', whole, scope, false, { ...call, name });
      this.visit(callee, scope, 'read');
      return true;
    }
    const receiver = receiverOf(object, this.text, scope.self);
    const local = receiver.form === 'path' && isLocal(firstName(receiver.text), scope);
    this.found.add(kind, name, receiver.text, receiver.form, whole, scope, local, call);
    this.#receiver(object, receiver.form, scope);
    return true;
  }

  #decorator(node: Syntax, scope: Scope): void {
    const decorator = decoratorOf(node);
    if (!decorator) return;
    const { expression, callee } = decorator;
    if (!this.#callee('decorator', callee, expression, scope, null)) this.visit(callee, scope, 'read');
    if (expression !== callee)
      for (const one of expression.children.slice(1))
        this.#all(one.kind === 'argument_list' ? one.children : [one], scope, 'pass');
  }

  #function(node: Syntax, scope: Scope): void {
    const head = this.scopes.heads.get(node) ?? scope;
    const body = bodyOf(node);
    const own = this.scopes.opened.get(node);
    const definition = this.definitions.list[this.definitions.owners.get(node) ?? -1];
    const taker = definition && takesFixtures(definition) ? own : undefined;
    for (const one of node.children) {
      if (one.kind === 'type' || one.kind === 'type_parameter') this.#annotations.read(one, head);
      if (one.kind !== 'parameters') continue;
      for (const { target, type, value, rest } of writtenParameters(one)) {
        if (type) this.#annotations.read(type, head);
        if (value) this.visit(value, scope, 'read');
        else if (taker && !rest && this.text.of(target) !== taker.self)
          this.found.add('read', target, null, 'none', target, taker, true);
      }
    }
    if (body && own) this.#all(body.children, own, 'read');
  }

  #class(node: Syntax, scope: Scope): void {
    const head = this.scopes.heads.get(node) ?? scope;
    for (const one of child(node, 'argument_list')?.children ?? []) {
      // Bases are facts of the class itself; what they are given is used here.
      if (one.kind === 'subscript')
        for (const type of one.children.slice(1)) this.#annotations.read(type, head);
      else if (dottedPath(one, this.text) === null) this.visit(one, head, 'read');
    }
    const parameters = child(node, 'type_parameter');
    if (parameters) this.#annotations.read(parameters, head);
    const body = bodyOf(node);
    const own = this.scopes.opened.get(node);
    if (body && own) this.#all(body.children, own, 'read');
  }

  #lambda(node: Syntax, scope: Scope): void {
    const list = child(node, 'lambda_parameters');
    for (const { value } of writtenParameters(list)) if (value) this.visit(value, scope, 'read');
    const own = this.scopes.opened.get(node) ?? scope;
    for (const one of node.children) if (one !== list) this.visit(one, own, 'read');
  }

  #comprehension(node: Syntax, scope: Scope): void {
    const own = this.scopes.opened.get(node) ?? scope;
    const first = child(node, 'for_in_clause');
    for (const one of node.children) {
      if (one !== first) this.visit(one, own, 'read');
      else
        one.children.forEach(
          (part, at) => void this.visit(part, at === 0 ? own : scope, at === 0 ? 'write' : 'read'),
        );
    }
  }

  #assignment(node: Syntax, scope: Scope): void {
    const assignments = assignmentsOf(node);
    let alias = false;
    for (const { target, type } of assignments) {
      eachTarget(target, (leaf) => this.visit(leaf, scope, 'write'));
      if (type) this.#annotations.read(type, scope);
      if (type && /(^|\.)TypeAlias$/.test(this.text.of(type))) alias = true;
    }
    const value = assignments[0]?.value;
    if (!value) return;
    const pattern = namePattern(value, this.text);
    for (const { target } of assignments) this.#hold(target, pattern, scope);
    if (alias) this.#annotations.read(value, scope);
    else this.visit(value, scope, 'read');
  }

  /** Says what was assigned to a variable last. */
  #hold(target: Syntax, pattern: string | null, scope: Scope): void {
    const name = target.kind === 'identifier' ? this.text.of(target) : '';
    const bound = name === '' ? undefined : scope.lookup(name)?.scope;
    const held = bound && this.#patterns.get(bound);
    if (held) held.set(name, pattern);
    else if (bound && pattern !== null) this.#patterns.set(bound, new Map([[name, pattern]]));
  }

  #typeAlias(node: Syntax, scope: Scope): void {
    const [left, value] = node.children;
    if (aliasName(node)) {
      if (value) this.visit(value, this.scopes.heads.get(node) ?? scope, 'read');
      return;
    }
    let list = left;
    while (list && list.kind !== 'parenthesized_expression' && list.kind !== 'tuple') list = list.children[0];
    const whole = list && { ...list, start: this.text.text.lastIndexOf('type', list.start) };
    if (list && whole && whole.start >= 0) {
      const name = { ...whole, end: whole.start + 'type'.length };
      this.found.add('call', name, null, 'none', whole, scope, isLocal('type', scope), {
        arguments: list.children.length,
      });
      this.#all(list.children, scope, 'pass');
    }
    if (value) this.#all(value.children, scope, 'read');
  }

  #targets(node: Syntax, scope: Scope): void {
    node.children.forEach((one, at) => {
      if (at === 0)
        eachTarget(one, (leaf) => this.visit(leaf, scope, leaf.kind === 'subscript' ? 'read' : 'write'));
      else this.visit(one, scope, 'read');
    });
  }

  #pattern(node: Syntax, scope: Scope): void {
    for (const [at, one] of node.children.entries()) {
      if (one.kind !== 'identifier' && one.kind !== 'dotted_name') {
        this.visit(one, scope, 'read');
        continue;
      }
      const path = dottedPath(one, this.text) ?? '';
      if (node.kind === 'class_pattern' ? at === 0 : path.includes('.'))
        this.found.path('read', one, path, scope);
      // In `with` and `except` the value of an `as` is an expression.
      else if (node.kind === 'as_pattern' && at === 0) this.visit(one, scope, 'read');
    }
  }
}
