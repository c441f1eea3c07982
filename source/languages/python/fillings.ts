import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** Something that is put into a container; key null where that says nothing of where. */
export interface Filling {
  readonly object: Syntax;
  readonly key: Syntax | null;
  readonly value: Syntax;
}

/** Literals with one item after the other. */
export const sequences = new Set(['expression_list', 'tuple', 'list']);

/** What a call or an augmented assignment puts into a container: `xs.append(f)`, `d.update({'a': f})`, `xs += [f]`. */
export function fillingsOf(node: Syntax, text: SourceText): Filling[] {
  const [target, added] = node.children;
  if (!target || !added) return [];
  if (node.kind === 'augmented_assignment') return itemsOf(target, added);
  const [object, name] = target.kind === 'attribute' ? target.children : [];
  if (!object || !name || added.kind !== 'argument_list') return [];
  const [first, second] = added.children;
  switch (text.of(name)) {
    case 'append':
    case 'appendleft':
    case 'add':
      return first ? [{ object, key: null, value: first }] : [];
    case 'insert':
      return second ? [{ object, key: null, value: second }] : [];
    case 'setdefault':
      return first && second ? [{ object, key: first, value: second }] : [];
    case 'extend':
      return first ? itemsOf(object, first) : [];
    case 'update':
      return first?.kind === 'dictionary' ? first.children.flatMap((pair) => entryOf(object, pair)) : [];
    default:
      return [];
  }
}

function itemsOf(object: Syntax, list: Syntax): Filling[] {
  return sequences.has(list.kind) ? list.children.map((value) => ({ object, key: null, value })) : [];
}

function entryOf(object: Syntax, { kind, children: [key, value] }: Syntax): Filling[] {
  return kind === 'pair' && key && value ? [{ object, key, value }] : [];
}
