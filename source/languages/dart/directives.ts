import { BINDING_FLAGS } from '../../ir/index.js';
import { type Lowering, NONE, type NodeId } from '../../lower/index.js';

/** What a file says that is a part of another one: see `source/link/libraries.ts`. */
export const PART = 'part';

/** The first node of a type in a node, however deep. */
function inside(to: Lowering, node: NodeId, kind: string): NodeId {
  for (let one = node + 1; one < to.tree.next(node); one += 1) if (to.tree.kind(one) === kind) return one;
  return NONE;
}

function uriOf(to: Lowering, node: NodeId): string {
  const written = to.tree.textOf(inside(to, node, 'string_literal'));
  return written.replace(/^r?(['"])(.*)\1$/s, '$2');
}

/** `import 'x' as p show A hide B;`, `export 'x' show A;`: of several uris under conditions the first. */
export function directive(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const isExport = tree.kind(tree.first(node)) === 'library_export';
  const holder = isExport ? tree.first(node) : to.part(tree.first(node), ':import_specification');
  const prefix = isExport ? NONE : to.part(holder, ':identifier');
  const shown: string[] = [];
  const hidden: string[] = [];
  let isShowing = false;
  for (const one of tree.children(holder)) {
    if (tree.kind(one) !== 'combinator') continue;
    const isShow = tree.textOf(one).startsWith('show');
    isShowing ||= isShow;
    for (const name of tree.children(one)) (isShow ? shown : hidden).push(tree.textOf(name));
  }
  const local = prefix === NONE ? null : tree.textOf(prefix);
  const left = hidden.map((imported) => ({ imported, local: null }));
  const isStar = local !== null || !isShowing;
  to.import({
    node,
    module: uriOf(to, holder),
    kind: isExport ? 'reexport' : 'import',
    names: isStar
      ? [{ imported: '*', local }, ...(local === null ? left : [])]
      : shown.map((imported) => ({ imported, local: isExport ? null : imported })),
    flags: isStar && local === null ? BINDING_FLAGS.star : 0,
    isBound: isExport,
  });
}

/** `part 'x.dart';`: names of it are names here. */
export function part(to: Lowering, node: NodeId): void {
  to.import({ node, module: uriOf(to, node), names: [] });
}

/** `part of 'x.dart';`, `part of a.b;` */
export function partOf(to: Lowering, node: NodeId): void {
  to.setPackage(PART);
  to.documentFile(node);
}
