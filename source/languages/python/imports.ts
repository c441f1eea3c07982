import { BINDING_FLAGS } from '../../ir/index.js';
import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { dottedPath, stateOf } from './state.js';
import { stringValue } from './text.js';

/** `import a.b`, `import a.b as c` */
export function importAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  for (const one of tree.children(node)) {
    const isAliased = tree.kind(one) === 'aliased_import';
    const path = isAliased ? to.part(one, 'name') : one;
    const alias = isAliased ? to.part(one, 'alias') : NONE;
    if (tree.kind(path) !== 'dotted_name') continue;
    const module = dottedPath(to, path) ?? '';
    // `import a.b` binds `a`; `import a.b as c` binds the module itself.
    const local = alias === NONE ? (module.split('.')[0] ?? module) : tree.textOf(alias);
    if (alias !== NONE && local === module) pass(to, local);
    imported(to, node, module, [{ imported: '*', local }]);
  }
}

/** `from a import b, c as d`, `from a import *` */
export function importFrom(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const isFuture = tree.kind(node) === 'future_import_statement';
  const [first, ...rest] = tree.children(node);
  if (first === undefined) return;
  const names: { imported: string; local: string | null }[] = [];
  for (const one of isFuture ? [first, ...rest] : rest) {
    const kind = tree.kind(one);
    if (kind === 'wildcard_import') names.push({ imported: '*', local: null });
    else if (kind === 'dotted_name') names.push({ imported: tree.textOf(one), local: tree.textOf(one) });
    else if (kind === 'aliased_import') {
      const [name, local] = [tree.textOf(to.part(one, 'name')), tree.textOf(to.part(one, 'alias'))];
      if (name === '' || local === '') continue;
      if (name === local) pass(to, local);
      names.push({ imported: name, local });
    }
  }
  imported(to, node, isFuture ? '__future__' : tree.textOf(first).replace(/\s+/g, ''), names);
}

function pass(to: Lowering, name: string): void {
  if (to.scopes.current.kind === 'file') stateOf(to).redundant.add(name);
}

function imported(
  to: Lowering,
  node: NodeId,
  module: string,
  names: readonly { imported: string; local: string | null }[],
): void {
  const flags = names.some(({ local }) => local === null) ? BINDING_FLAGS.star : 0;
  to.import({ node, module, names, flags, typeOnly: stateOf(to).isTypeOnly });
}

/** Calls that load a module by a name. */
const LOADERS = /^(?:importlib\.import_module|import_module|__import__|importlib\.__import__)$/;

/** `importlib.import_module('a.b')` */
export function dynamicImport(to: Lowering, call: NodeId): void {
  const { tree } = to;
  const { assigned, isLoading } = stateOf(to);
  const target = assigned?.call === call ? assigned.target : NONE;
  if (!isLoading || !LOADERS.test(dottedPath(to, to.part(call, 'function')) ?? '')) return;
  const first = tree.first(to.part(call, 'arguments'));
  const module = tree.kind(first) === 'string' ? stringValue(tree.textOf(first)) : null;
  const local = tree.kind(target) === 'identifier' ? tree.textOf(target) : null;
  if (module)
    to.import({
      node: call,
      module,
      names: [{ imported: '*', local }],
      kind: 'dynamic',
      typeOnly: stateOf(to).isTypeOnly,
      isBound: true,
    });
}
