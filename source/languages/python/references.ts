import type { Reference, ReferenceKind } from '../../facts.js';
import { isBuiltin } from './builtins.js';
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
import { bodyOf } from './names.js';
import { writtenParameters } from './parameters.js';
import { receiverOf } from './receivers.js';
import { comprehensions, type Scope, type Scopes } from './scopes.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** Every use of a name, in the order of the text. */
export function referencesOf(
  root: Syntax,
  text: SourceText,
  definitions: Definitions,
  scopes: Scopes,
  importsAll: boolean,
): Reference[] {
  const reader = new ReferenceReader(text, definitions, scopes, importsAll);
  for (const one of root.children) reader.visit(one, scopes.module, 'read');
  return reader.found.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** How a value is used where it stands. */
type Use = 'read' | 'write' | 'pass';

/** Strings in annotations that are read as types: a dotted name, or one as an argument or alternative. */
const dottedName = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

class ReferenceReader {
  readonly found: Reference[] = [];
  readonly #text: SourceText;
  readonly #definitions: Definitions;
  readonly #scopes: Scopes;
  readonly #importsAll: boolean;

  constructor(text: SourceText, definitions: Definitions, scopes: Scopes, importsAll: boolean) {
    this.#text = text;
    this.#definitions = definitions;
    this.#scopes = scopes;
    this.#importsAll = importsAll;
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
        this.#type(node, scope);
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

  /** A bare name. Locals, builtins and targets that are definitions themselves are no references. */
  #name(node: Syntax, scope: Scope, use: Use | 'type'): void {
    if (use === 'write' && this.#definitions.targets.has(node)) return;
    const name = this.#text.of(node);
    if (use === 'type' ? this.#isTypeName(name, scope) : this.#isProgramName(name, scope))
      this.#add(use, node, null, 'none', node, scope, isLocal(name, scope));
  }

  #isProgramName(name: string, scope: Scope): boolean {
    const found = scope.lookup(name);
    if (!found) return this.#importsAll && name !== '' && !isBuiltin(name);
    return found.binding === 'definition' || found.binding === 'import';
  }

  /** Types may be named before or without a binding, in strings and under conditions. */
  #isTypeName(name: string, scope: Scope): boolean {
    return scope.lookup(name) ? this.#isProgramName(name, scope) : !isBuiltin(name);
  }

  #attribute(node: Syntax, scope: Scope, use: Use): void {
    const [object, name] = node.children;
    if (!object) return;
    const receiver = receiverOf(object, this.#text, scope.self);
    const rooted =
      receiver.form === 'this' ||
      receiver.form === 'super' ||
      (receiver.form === 'path' && this.#isProgramName(firstName(receiver.text), scope));
    if (name?.kind === 'identifier' && rooted)
      this.#add(
        use,
        name,
        receiver.text,
        receiver.form,
        node,
        scope,
        receiver.form === 'path' && isLocal(firstName(receiver.text), scope),
      );
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
    if (!this.#callee('call', callee, node, scope, list ?? null)) this.visit(callee, scope, 'read');
    if (list && list !== callee) {
      if (list.kind === 'argument_list') this.#all(list.children, scope, 'pass');
      else this.visit(list, scope, 'pass');
    }
  }

  /** Adds the reference through a callee; false when it has no name: `handlers[key]()`. */
  #callee(
    kind: 'call' | 'decorator',
    written: Syntax,
    whole: Syntax,
    scope: Scope,
    list: Syntax | null,
  ): boolean {
    const count = kind === 'call' && list ? positional(list) : null;
    // `{*f(x)}` is to the grammar a call of `*f`.
    const callee = unwrapped((written.kind === 'list_splat' ? written.children[0] : null) ?? written);
    if (callee.kind === 'identifier') {
      const name = this.#text.of(callee);
      // The receiver form of what is called on it says it.
      if (name === 'super' && !scope.lookup(name)) return true;
      this.#add(kind, callee, null, 'none', whole, scope, isLocal(name, scope), count);
      return true;
    }
    const [object, name] = callee.children;
    if (callee.kind !== 'attribute' || !object || name?.kind !== 'identifier') return false;
    const receiver = receiverOf(object, this.#text, scope.self);
    const local = receiver.form === 'path' && isLocal(firstName(receiver.text), scope);
    this.#add(kind, name, receiver.text, receiver.form, whole, scope, local, count);
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
    const head = this.#scopes.heads.get(node) ?? scope;
    for (const one of node.children) {
      if (one.kind === 'type' || one.kind === 'type_parameter') this.#type(one, head);
      if (one.kind !== 'parameters') continue;
      for (const { type, value } of writtenParameters(one)) {
        if (type) this.#type(type, head);
        if (value) this.visit(value, scope, 'read');
      }
    }
    const body = bodyOf(node);
    const own = this.#scopes.opened.get(node);
    if (body && own) this.#all(body.children, own, 'read');
  }

  #class(node: Syntax, scope: Scope): void {
    const head = this.#scopes.heads.get(node) ?? scope;
    for (const one of child(node, 'argument_list')?.children ?? []) {
      // Bases are facts of the class itself; what they are given is used here.
      if (one.kind === 'subscript') for (const type of one.children.slice(1)) this.#type(type, head);
      else if (dottedPath(one, this.#text) === null) this.visit(one, head, 'read');
    }
    const parameters = child(node, 'type_parameter');
    if (parameters) this.#type(parameters, head);
    const body = bodyOf(node);
    const own = this.#scopes.opened.get(node);
    if (body && own) this.#all(body.children, own, 'read');
  }

  #lambda(node: Syntax, scope: Scope): void {
    const list = child(node, 'lambda_parameters');
    for (const { value } of writtenParameters(list)) if (value) this.visit(value, scope, 'read');
    const own = this.#scopes.opened.get(node) ?? scope;
    for (const one of node.children) if (one !== list) this.visit(one, own, 'read');
  }

  #comprehension(node: Syntax, scope: Scope): void {
    const own = this.#scopes.opened.get(node) ?? scope;
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
      if (type) this.#type(type, scope);
      if (type && /(^|\.)TypeAlias$/.test(this.#text.of(type))) alias = true;
    }
    const value = assignments[0]?.value;
    if (!value) return;
    if (alias) this.#type(value, scope);
    else this.visit(value, scope, 'read');
  }

  #typeAlias(node: Syntax, scope: Scope): void {
    const [left, value] = node.children;
    if (aliasName(node)) {
      if (value) this.visit(value, this.#scopes.heads.get(node) ?? scope, 'read');
      return;
    }
    let list = left;
    while (list && list.kind !== 'parenthesized_expression' && list.kind !== 'tuple') list = list.children[0];
    const whole = list && { ...list, start: this.#text.text.lastIndexOf('type', list.start) };
    if (list && whole && whole.start >= 0) {
      const name = { ...whole, end: whole.start + 'type'.length };
      this.#add('call', name, null, 'none', whole, scope, isLocal('type', scope), list.children.length);
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
      const path = dottedPath(one, this.#text) ?? '';
      if (node.kind === 'class_pattern' ? at === 0 : path.includes('.')) this.#path('read', one, path, scope);
      // In `with` and `except` the value of an `as` is an expression.
      else if (node.kind === 'as_pattern' && at === 0) this.visit(one, scope, 'read');
    }
  }

  /** A type: every name in it, those in strings too. */
  #type(node: Syntax, scope: Scope): void {
    if (node.kind === 'identifier') {
      this.#name(node, scope, 'type');
      return;
    }
    if (node.kind === 'string') {
      this.#typeInString(node, scope);
      return;
    }
    const path = node.kind === 'attribute' ? dottedPath(node, this.#text) : null;
    if (path !== null) {
      this.#path('type', node, path, scope);
      return;
    }
    if (node.kind === 'call' || node.kind === 'lambda') {
      this.visit(node, scope, 'read');
      return;
    }
    const [generic, ...inside] = node.children;
    const name = generic && dottedPath(generic, this.#text);
    if (generic && name && /(^|\.)Literal$/.test(name)) {
      this.#type(generic, scope);
      return;
    }
    if (generic && name && /(^|\.)Annotated$/.test(name) && inside.length > 0) {
      const [type, ...metadata] = inside.flatMap((one) =>
        one.kind === 'type_parameter' ? one.children : [one],
      );
      this.#type(generic, scope);
      if (type) this.#type(type, scope);
      // The grammar makes types of metadata too; what is inside is a value.
      for (const one of metadata) this.#all(one.kind === 'type' ? one.children : [one], scope, 'read');
      return;
    }
    for (const one of node.children) this.#type(one, scope);
  }

  #typeInString(node: Syntax, scope: Scope): void {
    const literal = this.#text.of(node);
    const [, quote, inside] = /^[ru]?("""|'''|"|')([\s\S]*)\1$/i.exec(literal) ?? [];
    if (quote === undefined || inside === undefined || !dottedName.test(inside)) return;
    const start = node.start + literal.indexOf(quote) + quote.length;
    this.#path(
      'type',
      { kind: 'identifier', start, end: start + inside.length, children: [] },
      inside,
      scope,
    );
  }

  /** A dotted path whose last name stands at the end of `node`. */
  #path(kind: 'type' | 'read', node: Syntax, path: string, scope: Scope): void {
    const first = firstName(path);
    const known = kind === 'type' ? this.#isTypeName(first, scope) : this.#isProgramName(first, scope);
    if (!known && first !== scope.self) return;
    const dot = path.lastIndexOf('.');
    const name = { ...node, start: node.end - (path.length - dot - 1) };
    const receiver = dot < 0 ? null : path.slice(0, dot);
    const form = receiver === null ? 'none' : first === scope.self ? 'this' : 'path';
    this.#add(kind, name, receiver, form, node, scope, form !== 'this' && isLocal(first, scope));
  }

  #add(
    kind: ReferenceKind,
    name: Syntax,
    receiver: string | null,
    form: Reference['receiver_form'],
    whole: Syntax,
    scope: Scope,
    local: boolean,
    count: number | null = null,
  ): void {
    const text = this.#text;
    const simple = text.of(name);
    if (simple === '') return;
    const line = text.line(name.start);
    this.found.push({
      kind,
      name: simple,
      receiver: receiver === null ? null : receiver.slice(0, 120),
      receiver_form: form,
      from: scope.owner,
      line,
      column: text.column(name.start, line),
      expression: text.folded(whole.start, whole.end, 120),
      local,
      arguments: count,
    });
  }
}

function isLocal(name: string, scope: Scope): boolean {
  const found = scope.lookup(name);
  return found?.scope.holdsLocals === true && found.binding !== 'import';
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
