import { kinds, type Lowering, type MadeParameter, NONE, type NodeId } from '../../lower/index.js';

/** What a declarator says: types wrap the name from the inside out. */
export interface Declared {
  /** None of a declarator without a name. */
  readonly name: NodeId;
  /** Where it declares a function that function's declarator. */
  readonly callable: NodeId;
}

/** What declarators are made of, by the way that they wrap. */
const WRAPS: Readonly<Record<string, 'pointer' | 'list' | 'function' | 'inside'>> = {
  ...kinds('pointer_declarator abstract_pointer_declarator', 'pointer'),
  ...kinds('array_declarator abstract_array_declarator', 'list'),
  ...kinds('function_declarator abstract_function_declarator', 'function'),
  ...kinds(
    'parenthesized_declarator abstract_parenthesized_declarator init_declarator attributed_declarator',
    'inside',
  ),
  ...kinds('reference_declarator abstract_reference_declarator', 'inside'),
};

/** The declarator inside of one; none of a name. */
export function innerOf(to: Lowering, node: NodeId): NodeId {
  const { tree } = to;
  if (WRAPS[tree.kind(node)] === undefined) return NONE;
  const named = to.part(node, 'declarator');
  if (named !== NONE) return named;
  return tree.children(node).find((one) => isDeclarator(tree.kind(one))) ?? NONE;
}

const NAMES =
  /^(?:(?:field_|type_|qualified_|namespace_)?identifier|destructor_name|operator_name|operator_cast|template_(?:function|method))$/;

function isDeclarator(kind: string): boolean {
  return WRAPS[kind] !== undefined || NAMES.test(kind);
}

/** The name that a declarator declares. */
export function declaredBy(to: Lowering, declarator: NodeId): Declared {
  let [node, callable] = [declarator, NONE];
  while (WRAPS[to.tree.kind(node)] !== undefined) {
    const wrap = WRAPS[to.tree.kind(node)];
    // What is wrapped between a function and its name is a pointer to one: no function.
    if (wrap === 'function') callable = node;
    else if (wrap !== 'inside') callable = NONE;
    node = innerOf(to, node);
  }
  const isName = NAMES.test(to.tree.kind(node));
  const conversion = conversionIn(to, node);
  if (conversion !== NONE) return { name: node, callable: to.part(conversion, 'declarator') };
  return { name: isName ? node : NONE, callable: isName ? callable : NONE };
}

/** The conversion that a name of C++ declares, `operator bool() const`, `A::operator bool()`: its parameters are a part of it. */
export function conversionIn(to: Lowering, name: NodeId): NodeId {
  let node = name;
  while (to.tree.kind(node) === 'qualified_identifier') node = to.part(node, 'name');
  return to.tree.kind(node) === 'operator_cast' ? node : NONE;
}

/** The type of what a declarator declares as it is written, its name left out. */
export function writtenType(to: Lowering, written: NodeId, declarator: NodeId): string {
  const { tree, text } = to;
  let inner = declarator;
  while (tree.kind(inner) === 'init_declarator') inner = innerOf(to, inner);
  const { name } = declaredBy(to, inner);
  const type = text.folded(tree.start(written), tree.end(written), 200);
  if (name === inner || name === NONE) return type;
  const before = text.folded(tree.start(inner), tree.start(name), 100);
  return `${type} ${before}${text.folded(tree.end(name), tree.end(inner), 100)}`;
}

/**
 * Where what a node declares begins: with the macro in front of it, which the grammar was not shown.
 */
export function startOf(to: Lowering, node: NodeId): number {
  const { tree, text } = to;
  const start = tree.start(node);
  const line = text.lineStart(text.line(start));
  const [, blanks, macro] = /^(\s*)([A-Z][A-Z\d_]{2,}\b[^;{}]*)?$/.exec(text.text.slice(line, start)) ?? [];
  return blanks === undefined || macro === undefined ? start : line + blanks.length;
}

/** The row of the type of what a declarator declares; of a function that of its result. @param type The type in front. */
export function declaredType(to: Lowering, declarator: NodeId, type: number): number {
  const { tree } = to;
  const { callable } = declaredBy(to, declarator);
  let row = type;
  let isFunction = false;
  for (let node = declarator; node !== NONE && node !== callable; node = innerOf(to, node)) {
    const wrap = WRAPS[tree.kind(node)];
    const at = tree.start(node);
    if (wrap === 'pointer') {
      // A pointer to a function is called as one.
      if (!isFunction && row >= 0) row = to.addType({ kind: 'pointer', base: row, at });
    } else if (wrap === 'list') {
      to.expression(to.part(node, 'size'));
      if (row >= 0) row = to.addType({ kind: 'list', base: row, at });
    }
    isFunction = wrap === 'function' || (isFunction && wrap === 'inside');
    if (wrap === 'function') row = to.functionType(node, 'parameters', row);
  }
  return row;
}

/** A parameter: `const char *name[]`, `int (*compare)(void *)`, `int`. */
export function parameterOf(to: Lowering, node: NodeId): MadeParameter | null {
  const { tree, text } = to;
  const [written, declarator] = [to.part(node, 'type'), to.part(node, 'declarator')];
  const { name } = declaredBy(to, declarator);
  const type = declaredType(to, declarator, to.type(written));
  if (declarator === NONE && tree.textOf(written) === 'void') return null;
  const [start, end] = [tree.start(node), name === NONE ? tree.end(node) : tree.start(name)];
  const rest = tree.kind(declarator) === 'array_declarator' ? '[]' : '';
  const value = to.part(node, 'default_value');
  return {
    name,
    // A parameter that is a function is a pointer to it.
    type,
    written: `${text.folded(start, end, 300)}${rest}`,
    ...(value === NONE ? {} : { default: value }),
  };
}
