import { BINDING_FLAGS } from '../../ir/index.js';
import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { withoutRoot } from './types.js';

/** `import a.b`, `import a.{b, c => d, _}, e.*`: names are bound to what the path leads to where it stands. */
export function importAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  let path: NodeId[] = [];
  let end = tree.start(node);
  const children = tree.children(node);
  for (const [index, one] of children.entries()) {
    // Several imports stand in one row.
    if (tree.text.slice(end, tree.start(one)).includes(',') && path.length > 0) {
      importOne(to, node, path, NONE);
      path = [];
    }
    end = tree.end(one);
    if (tree.kind(one) === 'identifier' || tree.kind(one) === 'operator_identifier') path.push(one);
    else {
      importOne(to, node, path, one);
      path = [];
    }
    if (index === children.length - 1 && path.length > 0) importOne(to, node, path, NONE);
  }
}

/** One import. @param selector What stands behind the path: names in braces, a name for another one, all. */
function importOne(to: Lowering, node: NodeId, path: readonly NodeId[], selector: NodeId): void {
  const { tree } = to;
  const names = withoutRoot(to, [...path]);
  const selected: { readonly imported: NodeId; readonly local: string }[] = [];
  let isStar = false;
  const select = (one: NodeId) => {
    const kind = tree.kind(one);
    if (kind === 'namespace_selectors') for (const each of tree.children(one)) select(each);
    else if (kind === 'namespace_wildcard') isStar = true;
    else if (/renamed_identifier$/.test(kind))
      selected.push({ imported: to.part(one, 'name'), local: tree.textOf(to.part(one, 'alias')) });
    else if (kind === 'identifier') selected.push({ imported: one, local: tree.textOf(one) });
  };
  if (selector === NONE) {
    const last = names.pop();
    if (last !== undefined) selected.push({ imported: last, local: tree.textOf(last) });
  } else select(selector);
  const module = names.map((name) => tree.textOf(name)).join('.');
  let base = -1;
  for (const name of names) base = member(to, base, name);
  const from = tree.end(node);
  const kept = selected.filter(({ local }) => local !== '_');
  if (kept.length > 0) {
    const facts = kept.map(({ imported, local }) => ({ imported: tree.textOf(imported), local }));
    const row = to.import({ node, module, names: facts, isBound: true });
    for (const { imported, local } of kept)
      to.scopes.bind('import', local, { import: row, value: member(to, base, imported), from });
  }
  if (!isStar) return;
  const row = to.import({ node, module, names: [{ imported: '*', local: null }], isBound: true });
  to.scopes.bind('import', '', { import: row, value: base, from, flags: BINDING_FLAGS.star });
}

function member(to: Lowering, base: number, name: NodeId): number {
  const at = to.tree.start(name);
  const text = to.tree.textOf(name);
  if (text === 'this' && base < 0) return to.addExpression({ kind: 'this', at });
  return base < 0
    ? to.addExpression({ kind: 'name', name: text, at })
    : to.addExpression({ kind: 'member', name: text, base, at });
}
