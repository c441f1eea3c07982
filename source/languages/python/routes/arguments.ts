import { stringValue } from '../docstring.js';
import { child, unwrapped } from '../expressions.js';
import type { Syntax } from '../syntax.js';
import type { SourceText } from '../text.js';

/** The arguments of a call: those by position, and the values of those by name. */
export interface Given {
  readonly all: readonly Syntax[];
  readonly passed: readonly Syntax[];
  readonly named: ReadonlyMap<string, Syntax>;
}

/** The arguments of a call. */
export function givenTo(call: Syntax, text: SourceText): Given {
  const all = child(call, 'argument_list')?.children ?? [];
  const passed: Syntax[] = [];
  const named = new Map<string, Syntax>();
  for (const one of all) {
    const [name, value] = one.children;
    if (one.kind !== 'keyword_argument') passed.push(unwrapped(one));
    else if (name && value) named.set(text.of(name), unwrapped(value));
  }
  return { all, passed, named };
}

/** The text that an expression is; null where it is not written as one. */
export function textOf(node: Syntax | undefined, text: SourceText): string | null {
  if (node?.kind === 'concatenated_string') {
    const parts = node.children.map((one) => textOf(one, text));
    return parts.every((one) => one !== null) ? parts.join('') : null;
  }
  return node?.kind === 'string' ? stringValue(text.of(node)) : null;
}

/** A path as it stands in a registration. */
export interface WrittenPath {
  readonly text: string;
  /** Whether it begins with what is written elsewhere: nothing can be put in front of it. */
  readonly isOpen: boolean;
}

/** The path that an argument is; of what is no plain text what is written. */
export function pathOf(node: Syntax, text: SourceText): WrittenPath {
  const plain = textOf(node, text);
  if (plain !== null) return { text: plain, isOpen: false };
  const inside = /^(?:[rR]?[fF]|[fF][rR])("""|'''|"|')([\s\S]*)\1$/.exec(text.of(node))?.[2];
  return { text: inside ?? `{${text.of(node)}}`, isOpen: inside === undefined || inside.startsWith('{') };
}

/** The texts of a list, tuple or set; null where one of them is no text. */
export function textsOf(node: Syntax | undefined, text: SourceText): string[] | null {
  if (!node || !['list', 'tuple', 'set'].includes(node.kind)) return null;
  const texts = node.children.map((one) => textOf(one, text));
  return texts.every((one) => one !== null) ? texts : null;
}
