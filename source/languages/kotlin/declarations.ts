import { SYMBOL_FLAGS } from '../../ir/index.js';
import {
  bindInHead,
  constructionAbove,
  delegation,
  type Lowering,
  NONE,
  type NodeId,
} from '../../lower/index.js';
import { bindNames, valueIn } from './expressions.js';
import { lastIdentifier, parameter, userType } from './types.js';

/** The types in the head of a class. */
export function basesOf(to: Lowering, node: NodeId): NodeId[] {
  const { tree } = to;
  return tree.children(to.part(node, ':delegation_specifiers')).flatMap((one) => {
    const inner = tree.first(one);
    const type = to.typeRule(inner) === undefined ? to.part(inner, '*type') : inner;
    return type === NONE ? [] : [type];
  });
}

/** A class, interface, enum or object, with what its head declares. */
export function typeAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const name = to.part(node, 'name');
  const [start, end] = [tree.start(node), tree.end(node)];
  const words = tree.text.slice(start, tree.start(name));
  const isInterface = /\binterface\s+$/.test(words);
  const isEnum = /\benum\b/.test(words);
  const kind = isInterface ? 'interface' : isEnum ? 'enum' : 'class';
  const body = to.part(node, isEnum ? ':enum_class_body' : ':class_body');
  const modifiers = to.part(node, ':modifiers');
  const definition = to.define({
    kind,
    ...(kind === 'class' ? {} : { subkind: kind }),
    name,
    modifiers,
    start,
    end,
    headEnd: body === NONE ? end : tree.start(body),
    flags: to.part(node, ':primary_constructor') === NONE ? 0 : SYMBOL_FLAGS.called,
  });
  if (modifiers !== NONE) to.ownedBy(definition, () => to.visitChildren(modifiers));
  const around = to.scope;
  to.inside(definition, 'type', node, () => {
    to.head = around;
    to.typeParameters(to.part(node, ':type_parameters'), definition, node);
    const bases = basesOf(to, node).map((one) => {
      const [type, list] = [to.type(one), tree.next(one)];
      const isCall = tree.kind(list) === 'value_arguments';
      to.addBase(definition, type, one, isCall || isInterface ? 'extends' : 'implements');
      return { one, type, list: isCall ? list : NONE };
    });
    to.head = null;
    const list = to.part(to.part(node, ':primary_constructor'), ':class_parameters');
    for (const one of tree.children(list)) fieldOf(to, one, definition);
    for (const { one, type, list } of bases)
      if (list !== NONE) constructionAbove(to, one, lastIdentifier(to, one), type, list);
    for (const one of tree.children(to.part(node, ':delegation_specifiers')))
      to.expression(to.part(to.part(one, ':explicit_delegation'), '#1'));
    to.body(body);
  });
}

/** A parameter of a class: with `val` or `var` a field of it. */
function fieldOf(to: Lowering, node: NodeId, definition: number): void {
  const { tree } = to;
  const made = parameter(to, node);
  if (!made) return;
  const modifiers = to.part(node, ':modifiers');
  const from = modifiers === NONE ? tree.start(node) : tree.end(modifiers);
  const isField = /\bva[lr]\s+$/.test(tree.text.slice(from, tree.start(made.name)));
  bindInHead(to, made, definition, isField);
  if (!isField) return;
  const field = to.define({
    kind: 'field',
    name: made.name,
    modifiers,
    start: tree.start(node),
    end: tree.end(node),
  });
  to.setSymbol(field, 'type', made.type);
}

/** The receiver of an extension and the name behind it, which the grammar takes for a part of the type. */
function extended(to: Lowering, node: NodeId, name: NodeId, before: NodeId) {
  const { tree } = to;
  const receiver = tree
    .children(node)
    .find((one) => to.typeRule(one) !== undefined && tree.start(one) < tree.start(before));
  if (receiver === undefined) return { receiver: NONE, name, count: Infinity };
  if (tree.textOf(name) !== '') return { receiver, name, count: Infinity };
  const names = tree.children(receiver).filter((one) => tree.kind(one) === 'identifier');
  return { receiver, name: names[names.length - 1] ?? NONE, count: names.length - 1 };
}

/** Runs among the members of an extended type, or where there is none as it is. */
function inReceiver(to: Lowering, node: NodeId, found: ReturnType<typeof extended>, run: () => void): void {
  const { receiver, count } = found;
  if (receiver === NONE) {
    run();
    return;
  }
  to.inExtension(
    node,
    () => {
      to.typeParameters(to.part(node, ':type_parameters'), null, node);
      const inner = to.tree.kind(receiver) === 'user_type' ? receiver : to.part(receiver, ':user_type');
      const names = to.tree.children(inner).filter((one) => to.tree.kind(one) === 'identifier');
      const name = to.tree.textOf(names[Math.min(count, names.length) - 1] ?? NONE);
      const type = inner === receiver ? userType(to, receiver, count) : to.type(receiver);
      return { type, base: -1, name, ...(to.isBound(name, 'type') && { found: '*' }) };
    },
    run,
  );
}

/** `fun f(…)`; with a type in front of its name an extension of that type. */
export function functionAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const list = to.part(node, ':function_value_parameters');
  const found = extended(to, node, to.part(node, 'name'), list);
  const body = to.part(node, ':function_body');
  const modifiers = to.part(node, ':modifiers');
  const around = to.owner === null ? undefined : to.definitions[to.owner];
  inReceiver(to, node, found, () => {
    const definition = to.define({
      kind: to.isMember ? 'method' : 'function',
      name: found.name,
      modifiers,
      start: tree.start(node),
      end: tree.end(node),
      headEnd: body === NONE ? tree.end(node) : tree.start(body),
      isDeclaration: body === NONE,
      flags: body === NONE && around?.subkind === 'interface' ? SYMBOL_FLAGS.abstract : 0,
    });
    if (modifiers !== NONE) to.ownedBy(definition, () => to.visitChildren(modifiers));
    to.inside(definition, 'function', node, () => {
      if (found.receiver === NONE) to.typeParameters(to.part(node, ':type_parameters'), definition, node);
      to.parameters(list, definition);
      const result = tree
        .children(node)
        .find((one) => to.typeRule(one) !== undefined && tree.start(one) >= tree.end(list));
      bodyOf(to, definition, result ?? NONE, body);
    });
  });
}

/** What a function gives, and what it does: a block, or an expression whose value it gives. */
function bodyOf(to: Lowering, definition: number, result: NodeId, body: NodeId): void {
  const { tree } = to;
  const one = to.definitions[definition];
  if (one && result !== NONE) one.return_type = to.text.folded(tree.start(result), tree.end(result), 300);
  to.setSymbol(definition, 'type', to.type(result));
  const inner = tree.first(body);
  if (inner === NONE) return;
  const around = to.values;
  to.values = null;
  if (tree.kind(inner) === 'block') to.body(inner);
  else {
    const value = to.expression(inner);
    if (result === NONE && value >= 0) to.addReturn(value);
  }
  to.values = around;
}

/** `constructor(…) : this(…)` */
export function constructorAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const list = to.part(node, ':function_value_parameters');
  const body = to.part(node, ':block');
  const definition = to.define({
    ...{ kind: 'constructor', called: 'constructor', name: list, modifiers: to.part(node, ':modifiers') },
    ...{ start: tree.start(node), end: tree.end(node) },
    headEnd: body === NONE ? tree.end(node) : tree.start(body),
  });
  to.inside(definition, 'function', node, () => {
    to.parameters(list, definition);
    const call = to.part(node, ':constructor_delegation_call');
    const word = tree.textOf(call).startsWith('this') ? 'this' : 'super';
    if (call !== NONE) delegation(to, call, word, word, to.part(call, ':value_arguments'));
    to.body(body);
  });
}

/** `val a: T = …`, `var a by …`: a field, a variable or a local. */
export function propertyAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [variable, several] = [
    to.part(node, ':variable_declaration'),
    to.part(node, ':multi_variable_declaration'),
  ];
  const delegate = tree.first(to.part(node, ':property_delegate'));
  const last = tree.children(node).filter((one) => to.isExpression(one) && one !== variable);
  const given = delegate === NONE ? (last[last.length - 1] ?? NONE) : delegate;
  if (to.inFunction) {
    const type = to.type(to.part(variable, '*type'));
    bindNames(to, variable === NONE ? several : variable, to.expression(given), tree.end(node), type);
    return;
  }
  const getter = to.part(node, ':getter');
  const found = extended(to, node, tree.first(variable), variable);
  inReceiver(to, node, found, () => {
    const isConstant = /\bval\b/.test(tree.text.slice(tree.start(node), tree.start(found.name)));
    const definition = to.define({
      kind: to.isMember ? 'field' : 'variable',
      name: found.name,
      modifiers: to.part(node, ':modifiers'),
      start: tree.start(node),
      end: tree.end(node),
      headEnd: given !== NONE ? tree.start(given) : getter === NONE ? tree.end(node) : tree.start(getter),
      isConstant,
    });
    to.ownedBy(definition, () => {
      const written = to.part(variable, '*type');
      to.setSymbol(definition, 'type', to.type(written));
      const one = to.definitions[definition];
      if (one && written !== NONE)
        one.value_type = to.text.folded(tree.start(written), tree.end(written), 300);
      let value = to.expression(given);
      for (const accessor of [getter, to.part(node, ':setter')]) {
        const inner = tree.first(to.part(accessor, ':function_body'));
        if (inner === NONE) continue;
        const made = to.inScope('function', accessor, () => {
          if (accessor !== getter) to.bind('parameter', to.part(accessor, ':identifier'), {});
          return valueIn(to, inner);
        });
        if (accessor === getter && value < 0) value = made;
      }
      to.setSymbol(definition, 'value', value);
    });
  });
}

/** `typealias A = B` */
export function alias(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [start, end] = [tree.start(node), tree.end(node)];
  const name = to.part(node, 'type');
  const modifiers = to.part(node, ':modifiers');
  const definition = to.define({ kind: 'type', name, modifiers, start, end, flags: SYMBOL_FLAGS.alias });
  to.inside(definition, 'function', node, () => {
    to.typeParameters(to.part(node, ':type_parameters'), definition, node);
    to.setSymbol(definition, 'type', to.type(to.part(node, '*type')));
  });
}
