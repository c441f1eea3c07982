import type { Definition } from '../../facts.js';
import { stringValue } from './docstring.js';
import { child } from './expressions.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** `__x` is private, `_x` protected, all else public, `__init__` too. */
export function visibilityOf(name: string): Definition['visibility'] {
  if (name.startsWith('__') && !name.endsWith('__')) return 'private';
  return name.startsWith('_') && !name.startsWith('__') ? 'protected' : 'public';
}

/** What `__all__` lists, in order, each name once, with its line; null when it is not written as plain strings. */
export type PublicNames = ReadonlyMap<string, number> | null;

/** Reads `__all__ = […]`, `+= […]`, `.extend([…])` and `.append('…')` at the top of the module. */
export function publicNames(root: Syntax, text: SourceText): PublicNames {
  let names: Map<string, number> | null = null;
  for (const statement of root.children) {
    const change = changeOfAll(statement, text);
    if (!change) continue;
    const listed = literalNames(change.value, text);
    if (change.replaces) names = listed && new Map();
    for (const [name, line] of listed ?? []) if (!names?.has(name)) names?.set(name, line);
  }
  return names;
}

function changeOfAll(statement: Syntax, text: SourceText): { value: Syntax; replaces: boolean } | null {
  const [target, ...rest] = statement.children;
  const value = rest[rest.length - 1];
  if (!target || !value) return null;
  if (statement.kind === 'assignment' || statement.kind === 'augmented_assignment')
    return target.kind === 'identifier' && text.of(target) === '__all__'
      ? { value, replaces: statement.kind === 'assignment' }
      : null;
  if (statement.kind !== 'call') return null;
  const callee = text.of(target);
  return callee === '__all__.extend' || callee === '__all__.append' ? { value, replaces: false } : null;
}

function literalNames(value: Syntax, text: SourceText): [string, number][] | null {
  const list = value.kind === 'argument_list' ? value.children[0] : value;
  if (!list) return null;
  const items = list.kind === 'string' ? [list] : list.children;
  if (!/^(string|list|tuple|expression_list|parenthesized_expression)$/.test(list.kind)) return null;
  const names: [string, number][] = [];
  for (const item of items) {
    const name = item.kind === 'string' ? stringValue(text.of(item)) : null;
    if (name === null) return null;
    names.push([name, text.line(item.start)]);
  }
  return names;
}

/** Whether a condition is `TYPE_CHECKING`, `typing.TYPE_CHECKING`, `t.TYPE_CHECKING`. */
export function isTypeChecking(statement: Syntax, text: SourceText): boolean {
  const [condition] = statement.children;
  return condition !== undefined && /^(\w+\.)?TYPE_CHECKING$/.test(text.of(condition));
}

/** The body of a function or class. */
export function bodyOf(definition: Syntax): Syntax | undefined {
  return child(definition, 'block');
}

/** Characters of an expression that gives a name. */
const LONGEST = 200;

const START = /^[rf]*(["'])(\p{ID_Continue}+)(?:\{|%[sdr]|\1\s*\+)/iu;
const END = /(?:\}|%[sdr]|\+\s*[rf]*["'])(\p{ID_Continue}+)["'](?:\s*%.*|\.format\(.*)?$/isu;

/**
 * A name that is put together, by its constant beginning and end: `visit_*` of `f'visit_{kind}'`, `'visit_' + kind`,
 * `'visit_%s' % kind` and `'visit_{}'.format(kind)`; null for other expressions, and where too little of it is constant.
 */
export function namePattern(node: Syntax, text: SourceText): string | null {
  if (!/^(?:string|binary_operator|call)$/.test(node.kind) || node.end - node.start > LONGEST) return null;
  const written = text.of(node);
  if (node.kind === 'call' && !/^[^(]*\.format\(/.test(written)) return null;
  const [start, end] = [START.exec(written)?.[2] ?? '', END.exec(written)?.[1] ?? ''];
  return [start, end].some((part) => /^(?=.*[^_]).{3}/u.test(part)) ? `${start}*${end}` : null;
}
