import { BINDING_FLAGS } from '../../ir/index.js';
import { type Lowering, NONE, type NodeId } from '../../lower/index.js';

/** `mod name { … }`, and `mod name;`, which is another file. */
export function moduleOf(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const name = to.part(node, 'name');
  const body = to.part(node, 'body');
  const attributes = to.preceding(tree.start(node)).map(({ text }) => text);
  if (body !== NONE) {
    to.inModule(name, node, () => to.visitChildren(body));
    return;
  }
  const local = tree.textOf(name);
  const path = attributes.map((one) => /^path\s*=\s*"([^"]*)"/.exec(one)?.[1]).find(Boolean);
  // A module in a module of the file lies in a folder of that name.
  const module = to.namespace.replaceAll('.', '/') + (path ?? local);
  to.import({ node, module, names: [{ imported: '*', local }], flags: BINDING_FLAGS.module });
}

/** `use a::{b, c as d, e::*, self};`, `extern crate a as b;` */
export function importsOf(to: Lowering, node: NodeId): void {
  to.preceding(to.tree.start(node));
  const argument = to.part(node, 'argument');
  if (argument !== NONE) uses(to, argument, '');
  else leaf(to, node, textOf(to, to.part(node, 'name')), textOf(to, to.part(node, 'alias')));
}

function uses(to: Lowering, node: NodeId, front: string): void {
  const { tree } = to;
  const path = () => joined(front, textOf(to, to.part(node, 'path')));
  switch (tree.kind(node)) {
    case 'use_list':
      for (const one of tree.children(node)) uses(to, one, front);
      return;
    case 'scoped_use_list':
      uses(to, to.part(node, 'list'), path());
      return;
    case 'use_as_clause':
      leaf(to, node, path(), textOf(to, to.part(node, 'alias')));
      return;
    case 'use_wildcard': {
      const module = joined(front, textOf(to, tree.first(node)));
      to.import({ node, module, names: [{ imported: '*', local: null }], flags: BINDING_FLAGS.star });
      return;
    }
    default:
      leaf(to, node, joined(front, textOf(to, node)), '');
  }
}

/** One name. @param path All of it; behind `::self` nothing more. */
function leaf(to: Lowering, node: NodeId, path: string, alias: string): void {
  const full = path.replace(/::self$/, '');
  const cut = full.lastIndexOf('::');
  const name = full.slice(cut < 0 ? 0 : cut + 2);
  // A trait that is imported for its methods alone has no name.
  const local = alias === '_' ? null : alias || name;
  if (cut <= 0) to.import({ node, module: full, names: [{ imported: '*', local }] });
  else to.import({ node, module: full.slice(0, cut), names: [{ imported: name, local }] });
}

function textOf(to: Lowering, node: NodeId): string {
  return to.tree.textOf(node).replace(/\s/g, '');
}

function joined(front: string, back: string): string {
  return front === '' || back === '' ? front + back : `${front}::${back}`;
}
