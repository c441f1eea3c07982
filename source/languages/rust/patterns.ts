import { type Lowering, NONE, type NodeId } from '../../lower/index.js';

/** Where the names of a pattern are seen from on, and the type that all of it is said to be of. */
export interface PatternPlace {
  readonly type?: number;
  readonly from?: number;
}

/** Binds the names in a pattern to what it takes out of a value. */
export function bindPattern(to: Lowering, node: NodeId, value: number, place: PatternPlace = {}): void {
  if (node === NONE) return;
  const { tree } = to;
  const at = tree.start(node);
  const { type = -1, from = 0 } = place;
  const kind = tree.kind(node);
  // What is known of all of it is known of its parts.
  const whole = () => (type < 0 ? value : to.addExpression({ kind: 'convert', base: value, type, at }));
  switch (kind) {
    case 'identifier':
    case 'shorthand_field_identifier':
      // By all conventions: what begins in upper case is a constant, all else a new name.
      if (/^[A-Z]/.test(tree.textOf(node))) to.expression(node);
      else to.bind('local', node, { type, value, from });
      return;
    case 'mut_pattern':
    case 'ref_pattern':
    case 'reference_pattern':
      bindPattern(to, to.part(node, '#-1'), value, place);
      return;
    case 'captured_pattern':
      bindPattern(to, tree.first(node), value, place);
      bindPattern(to, to.part(node, '#-1'), whole(), { from });
      return;
    case 'or_pattern':
      for (const one of tree.children(node)) bindPattern(to, one, value, place);
      return;
    case 'tuple_pattern':
    case 'slice_pattern':
      partsOf(to, node, whole(), from);
      return;
    case 'tuple_struct_pattern': {
      const path = to.part(node, 'type');
      const row = to.expression(path);
      const parts = tree.children(node).filter((one) => one !== path);
      const isRest = (one: NodeId) => tree.kind(one) === 'remaining_field_pattern';
      const rest = parts.findIndex(isRest);
      const base = whole();
      for (const [index, one] of parts.entries()) {
        if (isRest(one)) continue;
        const isKnown = rest < 0 || index < rest;
        const name = String(index);
        bindPattern(to, one, isKnown ? matched(to, base, row, name, tree.start(one)) : to.unknown, { from });
      }
      return;
    }
    case 'struct_pattern': {
      const row = to.expression(to.part(node, 'type'));
      const base = whole();
      for (const one of tree.children(node)) {
        if (tree.kind(one) !== 'field_pattern') continue;
        const name = to.part(one, 'name');
        const pattern = to.part(one, 'pattern');
        const part = matched(to, base, row, tree.textOf(name), tree.start(one));
        bindPattern(to, pattern === NONE ? name : pattern, part, { from });
      }
      return;
    }
    case 'remaining_field_pattern':
      return;
    default:
      to.expression(node);
  }
}

/** The parts of a tuple or of a list; behind `..` it is not known which. */
function partsOf(to: Lowering, node: NodeId, value: number, from: number): void {
  const { tree } = to;
  const isList = tree.kind(node) === 'slice_pattern';
  let isKnown = true;
  for (const [index, one] of tree.children(node).entries()) {
    if (tree.kind(one) === 'remaining_field_pattern') isKnown = isList;
    const at = tree.start(one);
    const part = isList
      ? to.addExpression({ kind: 'element', base: value, at })
      : to.addExpression({ kind: 'part', base: value, at: index });
    bindPattern(to, one, isKnown ? part : to.unknown, { from });
  }
}

function matched(to: Lowering, base: number, path: number, name: string, at: number): number {
  return to.addExpression({ kind: 'matched', base, parts: [path], name, at });
}
