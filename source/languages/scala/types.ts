import { BINDING_FLAGS } from '../../ir/index.js';
import { type Lowering, NONE, type NodeId, typeOfName } from '../../lower/index.js';

/**
 * `Name[T]`, `a.b.Name`, `A#Name`. What stands before the last name is a path of values and packages.
 * @param use What the use of the name is; null: no reference of its own.
 */
export function namedType(
  to: Lowering,
  node: NodeId,
  given: readonly NodeId[] = [],
  use: Reference = 'type',
): number {
  const { tree } = to;
  const kind = tree.kind(node);
  if (kind === 'generic_type')
    return namedType(to, to.part(node, 'type'), tree.children(to.part(node, 'type_arguments')), use);
  if (kind === 'projected_type')
    return nameRow(
      to,
      to.part(node, 'selector'),
      to.type(to.part(node, 'type')),
      given,
      to.part(node, 'type'),
    );
  const names = withoutRoot(to, namesIn(to, node));
  const last = names.pop() ?? node;
  const base = pathType(to, names);
  return nameRow(to, last, base, given, names[names.length - 1] ?? NONE, use);
}

type Reference = 'type' | 'decorator' | null;

function nameRow(
  to: Lowering,
  name: NodeId,
  base: number,
  given: readonly NodeId[],
  of: NodeId,
  use: Reference = 'type',
): number {
  const text = to.tree.textOf(name);
  if (text === '?' || text === '_') return to.addType({ kind: 'wildcard', at: to.tree.start(name) });
  return typeOfName(to, name, { base, of, parts: given.map((one) => to.type(one)), use });
}

/** What names lead to as a value or a package; -1 for none. */
export function pathType(to: Lowering, names: readonly NodeId[]): number {
  let base = -1;
  const scope = to.head === null ? {} : { scope: to.head };
  for (const name of names) {
    const text = to.tree.textOf(name);
    const at = to.tree.start(name);
    base =
      text === 'this'
        ? to.addType({ kind: 'this', at, ...scope })
        : to.addType({ kind: 'path', name: text, base, at, ...scope });
  }
  return base;
}

/** A path without the word that says that it begins at the root. */
export function withoutRoot(to: Lowering, names: NodeId[]): NodeId[] {
  return to.tree.textOf(names[0] ?? NONE) === '_root_' ? names.slice(1) : names;
}

/** The names of a path, in their order. */
export function namesIn(to: Lowering, node: NodeId): NodeId[] {
  const { tree } = to;
  if (/^(?:type_)?identifier$/.test(tree.kind(node))) return [node];
  return tree.children(node).flatMap((one) => namesIn(to, one));
}

/** Binds the type parameters in a list, whose bounds stand behind their names. */
export function typeParameters(to: Lowering, list: NodeId, definition: number | null): void {
  const { tree } = to;
  if (list === NONE) return;
  const found: { name: NodeId; bounds: NodeId[] }[] = [];
  const read = (node: NodeId) => {
    for (const one of tree.children(node)) {
      const kind = tree.kind(one);
      if (/variant_type_parameter$/.test(kind)) read(one);
      else if (kind === 'identifier') found.push({ name: one, bounds: [] });
      else if (kind !== 'type_parameters') found[found.length - 1]?.bounds.push(one);
    }
  };
  read(list);
  for (const { name } of found) to.note(tree.textOf(name), 'type parameter');
  for (const { name, bounds } of found) {
    let type = -1;
    for (const bound of bounds) {
      const row = to.type(to.part(bound, 'type'));
      if (tree.kind(bound) === 'upper_bound') type = row;
    }
    to.bind('type parameter', name, { type });
  }
  const one = definition === null ? undefined : to.definitions[definition];
  if (one) one.type_parameters = to.text.folded(tree.start(list) + 1, tree.end(list) - 1, 300);
}

/** A list of parameters: the words `implicit` and `using` say that nobody has to give them. */
export function isImplicit(to: Lowering, list: NodeId): boolean {
  return /^\(\s*(?:implicit|using)\b/.test(to.tree.textOf(list).slice(0, 40));
}

/** A parameter as it is bound. */
export interface WrittenParameter {
  readonly name: NodeId;
  readonly type: number;
  readonly value: number;
  readonly flags: number;
}

/** What a parameter says; `definition` records it. Null where it has no name. */
export function parameterAt(to: Lowering, node: NodeId, definition: number | null): WrittenParameter | null {
  const { tree } = to;
  const name = to.part(node, 'name');
  if (name === NONE) {
    to.type(node);
    return null;
  }
  const written = to.part(node, 'type');
  const inner = tree.kind(written) === 'lazy_parameter_type' ? to.part(written, 'type') : written;
  const isRepeated =
    tree.kind(inner) === 'repeated_parameter_type' || /\*\s*$/.test(tree.textOf(inner).slice(-3));
  const type = to.type(written);
  const given = to.part(node, 'default_value');
  const value = given === NONE ? -1 : to.expression(given);
  const facts = definition === null ? undefined : to.definitions[definition]?.parameters;
  const shown = written === NONE ? null : to.text.folded(tree.start(written), tree.end(written), 300);
  facts?.push({ name: tree.textOf(name), type: shown, optional: given !== NONE, rest: isRepeated });
  const flags = (isRepeated ? BINDING_FLAGS.variadic : 0) + (given === NONE ? 0 : BINDING_FLAGS.optional);
  return { name, type, value, flags };
}
