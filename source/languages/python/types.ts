import type { TypeFact } from '../../facts.js';
import { isBuiltin } from './builtins.js';
import {
  assignmentsOf,
  calleeOf,
  child,
  dottedPath,
  firstName,
  lastName,
  looksLikeClass,
  unwrapped,
} from './expressions.js';
import { isLocal } from './found-references.js';
import { bodyOf } from './names.js';
import { type WrittenParameter, writtenParameters } from './parameters.js';
import type { Scope, Scopes } from './scopes.js';
import { compound } from './statements.js';
import { endOf, type Syntax, startOf } from './syntax.js';
import type { SourceText } from './text.js';

/**
 * What annotations and calls tell of the types of names, in the order of the text; `classes` are the names of the
 * file's own classes.
 */
export function typesOf(
  root: Syntax,
  text: SourceText,
  scopes: Scopes,
  classes: ReadonlySet<string>,
): TypeFact[] {
  const reader = new TypeReader(text, scopes, classes);
  for (const one of root.children) reader.visit(one, scopes.module);
  return reader.found;
}

/** Kinds of node that hold or are statements which tell types. */
const holders = new Set([
  ...compound,
  'decorated_definition',
  'function_definition',
  'class_definition',
  'assignment',
  'with_item',
]);

class TypeReader {
  readonly found: TypeFact[] = [];
  /** `:=` can stand anywhere; without one, only statements need a visit. */
  readonly #walrus: boolean;
  /** Annotated parameters of the innermost function, by name. */
  #parameters: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly text: SourceText,
    private readonly scopes: Scopes,
    private readonly classes: ReadonlySet<string>,
  ) {
    this.#walrus = text.text.includes(':=');
  }

  visit(node: Syntax, outer: Scope): void {
    const scope = this.scopes.opened.get(node) ?? outer;
    switch (node.kind) {
      case 'function_definition':
        this.#function(node, scope);
        return;
      case 'assignment':
        this.#assignment(node, scope);
        return;
      case 'named_expression':
        this.#constructed(node.children[0], node.children[1] ?? null, scope);
        break;
      case 'with_item':
      case 'except_clause':
        this.#as(node, scope);
        break;
    }
    for (const one of node.children) if (this.#walrus || holders.has(one.kind)) this.visit(one, scope);
  }

  #function(node: Syntax, scope: Scope): void {
    const outer = this.#parameters;
    const parameters = writtenParameters(child(node, 'parameters'));
    for (const one of parameters) this.#parameter(one, scope);
    this.#parameters = new Map(
      parameters.flatMap((one) =>
        one.type && !one.rest ? [[this.text.of(one.target), this.text.of(one.type)]] : [],
      ),
    );
    const body = bodyOf(node);
    if (body) this.visit(body, scope);
    this.#parameters = outer;
  }

  #parameter({ target, type, value, rest }: WrittenParameter, scope: Scope): void {
    if (target.kind !== 'identifier' || rest) return;
    const name = this.text.of(target);
    if (type) this.#add(name, this.text.of(type), 'parameter', scope, target);
    else {
      const made = this.#made(value, scope);
      if (made?.source === 'constructor') this.#add(name, made.callee, 'default', scope, target);
    }
  }

  #assignment(node: Syntax, scope: Scope): void {
    const assignments = assignmentsOf(node);
    for (const { target, type, value } of assignments) {
      if (type) this.#annotated(target, this.text.of(type), scope);
      else this.#constructed(target, value, scope);
    }
    const value = assignments[0]?.value;
    if (value) this.visit(value, scope);
  }

  #annotated(target: Syntax, type: string, scope: Scope): void {
    const name = dottedPath(target, this.text);
    if (name === null) return;
    // What a class body annotates is an attribute of its instances.
    const attribute = scope.kind === 'class' ? `self.${name}` : name;
    this.#add(attribute, type, 'annotation', scope, target);
  }

  #constructed(target: Syntax | undefined, value: Syntax | null, scope: Scope): void {
    const name = target && dottedPath(target, this.text);
    if (!name || !value) return;
    const attribute = scope.kind === 'class' ? `self.${name}` : name;
    const made = this.#made(value, scope);
    if (made) this.#add(attribute, made.callee, made.source, scope, target);
    const plain = unwrapped(value);
    const type = plain.kind === 'identifier' ? this.#parameters.get(this.text.of(plain)) : undefined;
    // `self.db = db` hands the parameter's annotation on.
    if (type !== undefined && name.includes('.')) this.#add(name, type, 'parameter', scope, target);
  }

  /** `with Database() as db`, and `except Failure as failure`, whose class is what is caught. */
  #as(node: Syntax, scope: Scope): void {
    const pattern = child(node, 'as_pattern');
    const [value, target] = pattern?.children ?? [];
    const [leaf, ...others] = target?.children ?? [];
    const name = leaf && dottedPath(leaf, this.text);
    if (!value || !leaf || !name || others.length > 0) return;
    const made = this.#made(value, scope);
    const caught = node.kind === 'except_clause' ? dottedPath(value, this.text) : null;
    if (made) this.#add(name, made.callee, made.source, scope, leaf);
    else if (caught !== null) this.#add(name, caught, 'annotation', scope, leaf, node);
  }

  /** The callee of a call, but of Python's own, and whether that makes an instance of it. */
  #made(value: Syntax | null, scope: Scope): { callee: string; source: 'constructor' | 'return' } | null {
    const callee = calleeOf(value, this.text);
    if (callee === null || (!scope.lookup(firstName(callee)) && isBuiltin(callee))) return null;
    const isClass =
      callee === scope.self ||
      callee === `${scope.self}.__class__` ||
      looksLikeClass(lastName(callee)) ||
      this.classes.has(callee);
    return { callee, source: isClass ? 'constructor' : 'return' };
  }

  #add(
    target: string,
    type: string,
    source: TypeFact['source'],
    scope: Scope,
    at: Syntax,
    block?: Syntax,
  ): void {
    // A whole annotation in a string is what the string says.
    const written = /^(['"])([^'"\\]*)\1$/.exec(type)?.[2] ?? type;
    const root = firstName(type);
    const isCallee = source === 'constructor' || source === 'default' || source === 'return';
    this.found.push({
      target,
      type: written,
      source,
      local: isCallee && root !== scope.self && isLocal(root, scope),
      from: scope.owner,
      block: block && this.text.span(startOf(block), endOf(block)),
      line: this.text.line(at.start),
    });
  }
}
