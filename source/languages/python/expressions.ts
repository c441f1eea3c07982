import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** What stands inside parentheses, however many. */
export function unwrapped(node: Syntax): Syntax {
  let inner = node;
  while (inner.kind === 'parenthesized_expression') {
    const [only] = inner.children;
    if (!only) return inner;
    inner = only;
  }
  return inner;
}

/** `a.b.c` as written without white space; null when the expression is anything else than a dotted path. */
export function dottedPath(node: Syntax, text: SourceText): string | null {
  if (node.kind === 'identifier') return text.of(node);
  if (node.kind === 'dotted_name') return text.of(node).replace(/\s+/g, '');
  if (node.kind !== 'attribute') return null;
  const [object, name] = node.children;
  if (name?.kind !== 'identifier' || !object) return null;
  const head = dottedPath(object, text);
  return head === null ? null : `${head}.${text.of(name)}`;
}

/** The last name of a dotted path. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** The first name of a dotted path. */
export function firstName(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}

/** The first child of a kind. */
export function child(node: Syntax, kind: string): Syntax | undefined {
  return node.children.find((one) => one.kind === kind);
}

/** Target patterns that hold targets. */
const patterns = new Set([
  'pattern_list',
  'tuple_pattern',
  'list_pattern',
  'list_splat_pattern',
  'dictionary_splat_pattern',
  'parenthesized_expression',
  'expression_list',
  'as_pattern_target',
  'tuple',
  'list',
  'list_splat',
]);

/** Calls `found` with every name, attribute and subscript that a target binds: `x, (self.y, *z)` is three. */
export function eachTarget(target: Syntax, found: (leaf: Syntax) => void): void {
  if (patterns.has(target.kind)) for (const one of target.children) eachTarget(one, found);
  else found(target);
}

/** The parts of an `assignment`. */
export interface Assignment {
  target: Syntax;
  /** The annotation. */
  type: Syntax | null;
  value: Syntax | null;
}

/** `a = b = 1` is two: the chain's later assignments are unfolded, the value is the last one's. */
export function assignmentsOf(node: Syntax): Assignment[] {
  const found: Assignment[] = [];
  for (let at: Syntax | null = node; at?.kind === 'assignment'; ) {
    const [target, second, third]: readonly (Syntax | undefined)[] = at.children;
    if (!target) break;
    const type: Syntax | null = second?.kind === 'type' ? second : null;
    at = (type ? third : second) ?? null;
    found.push({ target, type, value: at });
  }
  const value = found[found.length - 1]?.value ?? null;
  if (found.length > 1) for (const one of found) one.value = value;
  return found;
}

/** The expression of a decorator, and its callee when it is called. */
export function decoratorOf(node: Syntax): { expression: Syntax; callee: Syntax } | null {
  const [expression] = node.children;
  if (!expression) return null;
  const callee = expression.kind === 'call' ? expression.children[0] : expression;
  return callee ? { expression, callee } : null;
}

/** The dotted path that a call's callee is, by which a class may be named; null for any other expression. */
export function calleeOf(value: Syntax | null, text: SourceText): string | null {
  if (!value) return null;
  const call = unwrapped(value);
  const [callee] = call.children;
  return call.kind === 'call' && callee ? dottedPath(callee, text) : null;
}

/** A name with a capital, as classes are written: `Foo`, `_Foo`. */
export function looksLikeClass(name: string): boolean {
  return /^_*[A-Z]/.test(name) && !isUpperCase(name);
}

/** A name in capitals, as constants are written. */
export function isUpperCase(name: string): boolean {
  return /^_*[A-Z][A-Z0-9_]*$/.test(name);
}

/**
 * The name that `type X = …` or `type X[T] = …` defines; null for what the grammar takes for one: a statement that
 * begins with a call of `type`, `type(mock).attribute = 1`.
 */
export function aliasName(statement: Syntax): Syntax | null {
  const [left] = statement.children[0]?.children ?? [];
  const name = left?.kind === 'generic_type' ? left.children[0] : left;
  return name?.kind === 'identifier' ? name : null;
}
