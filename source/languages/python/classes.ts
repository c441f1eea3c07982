import type { Base, Definition } from '../../facts.js';
import { docstringOf } from './docstring.js';
import { child, decoratorOf, dottedPath, lastName } from './expressions.js';
import { decoratorTexts } from './functions.js';
import { bodyOf } from './names.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** What a `class` says of itself. */
export type ClassHead = Pick<Definition, 'signature' | 'docstring' | 'decorators' | 'is_abstract' | 'bases'>;

/** Reads the head of a `class_definition`. */
export function classHead(node: Syntax, decorators: readonly Syntax[], text: SourceText): ClassHead {
  const list = child(node, 'argument_list');
  const parameters = child(node, 'type_parameter');
  const bases = basesOf(list, text);
  const end = list?.end ?? parameters?.end ?? child(node, 'identifier')?.end ?? node.end;
  const body = bodyOf(node);
  return {
    signature: text.signature(node.start, end),
    docstring: docstringOf(body, text),
    decorators: decoratorTexts(decorators, text),
    is_abstract:
      bases.some((one) => lastName(one.name) === 'ABC') ||
      hasAbstractMeta(list, text) ||
      hasAbstract(body, text),
    bases,
  };
}

/** The positional arguments of a class without their type arguments: `Generic[T]` is `Generic`. */
function basesOf(list: Syntax | undefined, text: SourceText): Base[] {
  const bases: Base[] = [];
  for (const one of list?.children ?? []) {
    if (one.kind === 'keyword_argument' || one.kind.endsWith('_splat') || one.kind === 'ERROR') continue;
    const generic = one.kind === 'subscript' ? one.children[0] : one;
    if (!generic) continue;
    const name = dottedPath(generic, text) ?? text.folded(generic.start, generic.end, 120);
    bases.push({ name, relation: 'extends', line: text.line(one.start) });
  }
  return bases;
}

function hasAbstractMeta(list: Syntax | undefined, text: SourceText): boolean {
  return (list?.children ?? []).some((one) => {
    const [name, value] = one.children;
    if (one.kind !== 'keyword_argument' || !name || !value || text.of(name) !== 'metaclass') return false;
    return lastName(dottedPath(value, text) ?? '') === 'ABCMeta';
  });
}

function hasAbstract(body: Syntax | undefined, text: SourceText): boolean {
  return (body?.children ?? []).some(
    (one) =>
      one.kind === 'decorated_definition' &&
      one.children.some((each) => {
        const callee = each.kind === 'decorator' ? decoratorOf(each)?.callee : undefined;
        return (
          callee !== undefined && /(^|\.)abstract(class|static)?(method|property)$/.test(text.of(callee))
        );
      }),
  );
}
