import type { Arguments, ValueFact } from '../../flow-facts.js';
import { isBuiltin } from './builtins.js';
import type { Definitions } from './definitions.js';
import { stringValue } from './docstring.js';
import { dottedPath, firstName, unwrapped } from './expressions.js';
import { comprehensions, type Scope, type Scopes } from './scopes.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** Items of a literal that are followed, and parts of an expression inside each other: more are data, not program. */
const MOST_ITEMS = 100;
const DEEPEST = 12;

/** Expressions of which something may be known; the names that are assigned nothing else are not followed. */
const followed = new Set([
  ...comprehensions,
  'identifier',
  'attribute',
  'call',
  'subscript',
  'await',
  'list',
  'tuple',
  'set',
  'expression_list',
  'dictionary',
  'conditional_expression',
  'boolean_operator',
  'named_expression',
  'lambda',
]);

/** Whether an expression is of a kind that can be followed. */
export function mayBeFollowed(node: Syntax): boolean {
  const inner = unwrapped(node);
  return followed.has(inner.kind);
}

/** Reads expressions as values to be followed. */
export class ValueReader {
  /** Names of functions and comprehensions to which something is assigned that may be followed. */
  readonly #live = new Map<Scope, Set<string>>();

  /** `importsAll`: the file imports `*` from somewhere, so that unknown names may come from there. */
  constructor(
    private readonly text: SourceText,
    private readonly definitions: Definitions,
    private readonly scopes: Scopes,
    private readonly importsAll: boolean,
  ) {}

  /** Says that a flow leads to a name of a scope. */
  enliven(scope: Scope, name: string): void {
    const known = this.#live.get(scope);
    if (known) known.add(name);
    else this.#live.set(scope, new Set([name]));
  }

  /** Says that nothing known flows to a name after all. */
  forget(scope: Scope, name: string): void {
    this.#live.get(scope)?.delete(name);
  }

  /** Whether a first name can be followed: an import, a definition, a parameter of one, a local with a flow. */
  isLive(name: string, scope: Scope): boolean {
    const found = scope.lookup(name);
    if (!found) return this.importsAll && !isBuiltin(name);
    const { binding, scope: bound } = found;
    if (binding === 'definition' || binding === 'import') return true;
    if (binding === 'parameter' && bound.kind === 'function') return true;
    return this.#live.get(bound)?.has(name) ?? false;
  }

  /** What an expression gives; null when nothing is known of it. */
  value(node: Syntax, scope: Scope, depth = 0): ValueFact | null {
    if (depth > DEEPEST) return null;
    const read = (one: Syntax | undefined) => (one ? this.value(one, scope, depth + 1) : null);
    const [first, second] = node.children;
    switch (node.kind) {
      case 'identifier':
        return this.isLive(this.text.of(node), scope) ? this.text.of(node) : null;
      case 'attribute':
        return this.#attribute(node, scope, depth);
      case 'call':
        return this.#call(node, scope, depth);
      case 'subscript':
        return this.#subscript(node, scope, depth);
      case 'parenthesized_expression':
        return read(first);
      case 'named_expression':
        return read(second);
      case 'await': {
        const inner = read(first);
        return inner === null ? null : { await: inner };
      }
      case 'list':
      case 'tuple':
      case 'set':
      case 'expression_list':
        return this.#list(node.children, scope, depth);
      case 'dictionary':
        return this.#dictionary(node, scope, depth);
      case 'conditional_expression':
        return either([first, node.children[2]].map((one) => one && this.alternative(one, scope, depth)));
      case 'boolean_operator':
        return either(node.children.map((one) => this.alternative(one, scope, depth)));
      case 'lambda': {
        const definition = this.definitions.owners.get(node);
        return definition === undefined ? null : { definition };
      }
      case 'list_comprehension':
      case 'set_comprehension':
      case 'generator_expression': {
        const item = first && this.value(first, this.scopes.opened.get(node) ?? scope, depth + 1);
        return item ? { list: [item] } : null;
      }
      default:
        return null;
    }
  }

  /** As {@link value}; `None` is known to be no function. */
  alternative(node: Syntax, scope: Scope, depth = 0): ValueFact | null {
    if (node.kind === 'none') return { literal: null };
    return this.value(node, scope, depth + 1);
  }

  /** A string or whole number as a value; null for anything else. */
  literal(node: Syntax): ValueFact | null {
    if (node.kind === 'integer' && /^\d{1,9}$/.test(this.text.of(node)))
      return { literal: Number(this.text.of(node)) };
    const text = node.kind === 'string' ? stringValue(this.text.of(node)) : null;
    return text !== null && text.length <= 60 ? { literal: text } : null;
  }

  /** What a call hands over; null when nothing of it can be followed. Literals are keys to what the function holds. */
  passed(list: Syntax | undefined, scope: Scope, depth = 0, withLiterals = false): Arguments | null {
    if (list?.kind !== 'argument_list') return null;
    const read = (one: Syntax) =>
      this.value(one, scope, depth + 1) ?? (withLiterals ? this.literal(one) : null);
    const passed: (ValueFact | null)[] = [];
    const named: [string, ValueFact][] = [];
    let isSpread = false;
    for (const one of list.children) {
      const [name, value] = one.children;
      if (one.kind === 'list_splat') isSpread = true;
      else if (one.kind === 'keyword_argument') {
        const given = value ? read(value) : null;
        if (name && given !== null) named.push([this.text.of(name), given]);
      } else if (one.kind !== 'dictionary_splat' && !isSpread) passed.push(read(one));
    }
    while (passed.length > 0 && passed[passed.length - 1] === null) passed.pop();
    if (passed.length === 0 && named.length === 0) return null;
    return named.length === 0 ? { passed } : { passed, named: Object.fromEntries(named) };
  }

  #attribute(node: Syntax, scope: Scope, depth: number): ValueFact | null {
    const path = dottedPath(node, this.text);
    if (path !== null) return this.isLive(firstName(path), scope) ? path : null;
    const [object, name] = node.children;
    const of = object && this.value(object, scope, depth + 1);
    return of && name ? { of, member: this.text.of(name) } : null;
  }

  #call(node: Syntax, scope: Scope, depth: number): ValueFact | null {
    const [callee, list] = node.children;
    if (!callee) return null;
    if (
      callee.kind === 'identifier' &&
      !scope.lookup(this.text.of(callee)) &&
      !this.isLive(this.text.of(callee), scope)
    )
      return this.#builtin(this.text.of(callee), list, scope, depth);
    const call = this.value(callee, scope, depth + 1);
    return call === null ? null : { call, ...this.passed(list, scope, depth) };
  }

  /** Python's own functions that hand their argument on. */
  #builtin(name: string, list: Syntax | undefined, scope: Scope, depth: number): ValueFact | null {
    if (list?.kind !== 'argument_list') return null;
    const [first, second] = list.children;
    if (!first && /^(?:list|set)$/.test(name)) return { list: [] };
    if (name === 'dict' && (!first || first.kind === 'keyword_argument'))
      return this.#entries(list, scope, depth);
    const of = first && first.kind !== 'keyword_argument' ? this.value(first, scope, depth + 1) : null;
    if (/^(?:list|tuple|set|frozenset|iter|sorted|reversed|dict)$/.test(name)) return of;
    if (of === null) return null;
    if (name === 'next') return { of, key: null };
    const member = name === 'getattr' && second?.kind === 'string' ? stringValue(this.text.of(second)) : null;
    return member === null ? null : { of, member };
  }

  /** `dict(a=f)`. */
  #entries(list: Syntax, scope: Scope, depth: number): ValueFact {
    const named = Object.entries(this.passed(list, scope, depth)?.named ?? {});
    return { dict: named.map(([name, value]) => [{ literal: name }, value]) };
  }

  #subscript(node: Syntax, scope: Scope, depth: number): ValueFact | null {
    const [object, index, ...more] = node.children;
    const of = object && this.value(object, scope, depth + 1);
    if (!of || !index) return null;
    if (index.kind === 'slice') return this.#slice(index, of);
    if (more.length > 0) return { of, key: { either: [] } };
    return { of, key: this.literal(index) ?? this.value(index, scope, depth + 1) ?? { either: [] } };
  }

  /** `[1:]`, `[1:3]`; any other takes some of the items. */
  #slice(slice: Syntax, of: ValueFact): ValueFact | null {
    const [first, second, third] = slice.children;
    const [from, to] = [first, second].map((one) => one && this.literal(one));
    // Which side of the colon a lone number stands on is not told.
    if (!from || !to || third) return null;
    const [start, end] = [from, to].map((one) =>
      typeof one === 'object' && 'literal' in one ? one.literal : '',
    );
    return typeof start === 'number' && typeof end === 'number' ? { of, from: start, to: end } : null;
  }

  #list(items: readonly Syntax[], scope: Scope, depth: number): ValueFact | null {
    if (items.length > MOST_ITEMS) return null;
    const list = items.map((one) => this.alternative(one, scope, depth));
    return items.length === 0 || list.some((one) => one !== null) ? { list } : null;
  }

  #dictionary(node: Syntax, scope: Scope, depth: number): ValueFact | null {
    if (node.children.length > MOST_ITEMS) return null;
    const dict = node.children.flatMap((pair): [ValueFact | null, ValueFact | null][] => {
      const [key, value] = pair.children;
      if (pair.kind !== 'pair' || !key || !value) return [];
      return [
        [this.literal(key) ?? this.value(key, scope, depth + 1), this.alternative(value, scope, depth)],
      ];
    });
    return node.children.length === 0 || dict.some(([, value]) => value !== null) ? { dict } : null;
  }
}

function either(values: readonly (ValueFact | null | undefined)[]): ValueFact | null {
  const either = values.map((one) => one ?? null);
  return either.some((one) => one !== null && !isNothing(one)) ? { either } : null;
}

/** Whether a value is `None`. */
export function isNothing(value: ValueFact): boolean {
  return typeof value === 'object' && 'literal' in value && value.literal === null;
}
