import { SYMBOL_FLAGS } from '../../ir/index.js';
import { callOf, type Lowering, type NewDefinition, NONE, type NodeId } from '../../lower/index.js';
import { valueAt } from './expressions.js';
import { parameters } from './parameters.js';
import { typeNodes, writtenType } from './types.js';

/** What is known of a file while it is lowered. */
interface DartFile {
  /** Annotations of what is declared next. */
  annotations: NodeId[];
  /** Of each getter or setter its definition: one of the other kind is the same property. */
  readonly accessors: Map<string, number>;
}

/** A file of which nothing is known yet. */
export function newFile(): DartFile {
  return { annotations: [], accessors: new Map() };
}

function fileOf(to: Lowering): DartFile {
  return to.own as DartFile;
}

/** `@name(…)` in front of a declaration. */
export function annotation(to: Lowering, node: NodeId): void {
  fileOf(to).annotations.push(node);
}

/** What a declaration is made of besides its name. */
interface Declared extends Pick<NewDefinition, 'kind' | 'subkind' | 'name' | 'called' | 'found' | 'access'> {
  /** Its head, and its body; none where it has none. */
  readonly node: NodeId;
  readonly body: NodeId;
  readonly flags?: number;
  readonly isConstant?: boolean;
  readonly before?: string;
  readonly headEnd?: number;
  /** Annotations that stand in it. */
  readonly inside?: readonly NodeId[];
}

/** Defines something with the annotations in front of it. @returns the definition. */
function declare(to: Lowering, given: Declared): number {
  const { tree, text } = to;
  const { node, body, inside = [], ...rest } = given;
  const file = fileOf(to);
  const annotations = [...file.annotations, ...inside];
  file.annotations = [];
  const [first = node] = annotations;
  const headStart = inside.length > 0 ? behind(to, inside[inside.length - 1] ?? node) : tree.start(node);
  const definition = to.define({
    ...rest,
    start: Math.min(tree.start(first), tree.start(node)),
    end: tree.end(body === NONE ? node : body),
    headStart,
    headEnd: given.headEnd ?? (body === NONE ? tree.end(node) : tree.start(body)),
    isDeclaration: !TYPES.has(given.kind) && ((given.flags ?? 0) & SYMBOL_FLAGS.abstract) !== 0,
    decorators: annotations.map((one) => text.folded(tree.start(one) + 1, tree.end(one), 300)),
  });
  to.ownedBy(definition, () => {
    for (const one of annotations) decoration(to, one);
  });
  return definition;
}

/** What is defined where it is declared, also where it is abstract. */
const TYPES: ReadonlySet<string> = new Set(['class', 'interface']);

/** Where the next thing behind a node begins. */
function behind(to: Lowering, node: NodeId): number {
  const end = to.tree.end(node);
  return end + (/^\s*/.exec(to.tree.text.slice(end, end + 200))?.[0].length ?? 0);
}

/** What an annotation uses. */
function decoration(to: Lowering, node: NodeId): void {
  const name = to.part(node, 'name');
  to.visitChildren(to.part(node, ':arguments'));
  if (to.tree.kind(name) !== 'identifier') return;
  const expression = to.addExpression({ kind: 'name', name: to.tree.textOf(name), at: to.tree.start(name) });
  to.refer({ kind: 'decorator', name, whole: node, expression });
}

/** The body behind a head; none where it has none. */
function bodyBehind(to: Lowering, node: NodeId): NodeId {
  const next = to.tree.next(node);
  return to.tree.kind(next) === 'function_body' ? next : NONE;
}

/** What is run, and what it gives where nothing says so. */
function runBody(to: Lowering, definition: number, body: NodeId): void {
  const inner = to.tree.first(body);
  if (inner === NONE) return;
  const around = to.values;
  to.values = null;
  if (to.tree.kind(inner) === 'block') to.visitChildren(inner);
  else {
    const value = valueAt(to, inner);
    if (value >= 0 && to.symbol(definition, 'type') < 0) to.addReturn(value);
  }
  to.values = around;
}

function asyncFlags(to: Lowering, body: NodeId): number {
  const words = /^(?:(async|sync)(\*?))?/.exec(
    to.tree.text.slice(to.tree.start(body), to.tree.start(body) + 12),
  );
  if (body === NONE || !words?.[1]) return 0;
  return (words[1] === 'async' ? SYMBOL_FLAGS.async : 0) | (words[2] ? SYMBOL_FLAGS.generator : 0);
}

/** What a declaration is in its class: static, abstract. */
function memberFlags(to: Lowering, node: NodeId, signature: NodeId, body: NodeId): number {
  const words = to.tree.text.slice(to.tree.start(node), to.tree.start(signature));
  const isOpen = to.isMember && body === NONE && !/\bexternal\b/.test(words);
  return (/\bstatic\b/.test(words) ? SYMBOL_FLAGS.static : 0) | (isOpen ? SYMBOL_FLAGS.abstract : 0);
}

/** A function, method, operator, accessor or constructor. @param node What holds the signature, or the signature itself. */
export function signatureAt(to: Lowering, node: NodeId, signature: NodeId): void {
  const kind = to.tree.kind(signature);
  const body = bodyBehind(to, node);
  if (kind === 'getter_signature' || kind === 'setter_signature') accessor(to, node, signature, body);
  else if (kind.endsWith('constructor_signature')) constructorAt(to, node, signature, body);
  else functionAt(to, node, signature, body);
}

/** A function in a function. */
export function localFunction(to: Lowering, node: NodeId): void {
  const inner = to.tree.first(node);
  const signature = to.part(inner, 'parameters');
  functionAt(to, signature, signature, to.part(inner, 'body'));
}

function functionAt(to: Lowering, node: NodeId, signature: NodeId, body: NodeId, name?: NodeId): void {
  const { tree } = to;
  const isOperator = tree.kind(signature) === 'operator_signature';
  const list = to.part(signature, ':formal_parameter_list');
  const operator = isOperator
    ? /\boperator\s*(\[\]=?|[^\s\w(]+)/.exec(tree.textOf(signature))?.[1]
    : undefined;
  const definition = declare(to, {
    kind: to.isMember ? 'method' : 'function',
    name: name ?? (isOperator ? list : to.part(signature, 'name')),
    ...(isOperator ? { called: `operator${operator ?? ''}`, found: `operator${operator ?? ''}` } : {}),
    ...{ node, body, flags: memberFlags(to, node, signature, body) | asyncFlags(to, body) },
  });
  const [result = NONE] = typeNodes(to, signature).filter((one) => tree.start(one) === tree.start(signature));
  to.inside(definition, 'function', body === NONE ? node : body, () => {
    to.typeParameters(to.part(signature, ':type_parameters'), definition);
    parameters(to, list, definition);
    const one = to.definitions[definition];
    if (one) one.return_type = writtenType(to, result);
    to.setSymbol(definition, 'type', to.type(result));
    runBody(to, definition, body);
  });
}

/** `T get a …`, `set a(T v) …`: both are one property. */
function accessor(to: Lowering, node: NodeId, signature: NodeId, body: NodeId): void {
  const { accessors } = fileOf(to);
  const name = to.part(signature, 'name');
  const key = `${to.owner} ${to.scope} ${to.tree.textOf(name)}`;
  const isSetter = to.tree.kind(signature) === 'setter_signature';
  let definition = accessors.get(key) ?? -1;
  const isNew = definition < 0;
  if (isNew) {
    const flags = memberFlags(to, node, signature, body);
    definition = declare(to, { kind: to.isMember ? 'field' : 'variable', name, node, body, flags });
    accessors.set(key, definition);
  } else fileOf(to).annotations = [];
  const [written = NONE] = typeNodes(to, signature);
  to.ownedBy(definition, () =>
    to.inScope('function', body === NONE ? node : body, () => {
      if (isSetter) {
        parameters(to, to.part(signature, ':formal_parameter_list'), null);
        const [taken] = typeNodes(to, to.tree.first(to.part(signature, ':formal_parameter_list')));
        if (isNew && taken !== undefined) to.setSymbol(definition, 'type', to.type(taken));
      } else {
        to.setSymbol(definition, 'type', to.type(written));
        const one = to.definitions[definition];
        if (one) one.value_type = writtenType(to, written);
      }
      const inner = to.tree.first(body);
      to.returned(() => {
        if (to.tree.kind(inner) === 'block') to.visitChildren(inner);
        else {
          const value = valueAt(to, inner);
          if (!isSetter && written === NONE) to.setSymbol(definition, 'value', value);
        }
      });
    }),
  );
}

/** `Foo(…) : …`, `Foo.named(…)`, `factory Foo.named(…) = Bar;` */
function constructorAt(to: Lowering, node: NodeId, signature: NodeId, body: NodeId): void {
  const { tree } = to;
  const names = tree.children(signature).filter((one) => tree.kind(one) === 'identifier');
  const [first = NONE, named = NONE] = names;
  const around = to.owner === null ? '' : (to.definitions[to.owner]?.name ?? '');
  if (named === NONE && tree.textOf(first) !== around) {
    // A method that does not say what it gives looks like a constructor.
    functionAt(to, node, signature, body, first);
    return;
  }
  const definition = declare(to, {
    ...{ kind: 'constructor', name: named === NONE ? first : named, node, body, flags: asyncFlags(to, body) },
    ...(named === NONE ? { called: 'new' } : {}),
    headEnd: tree.end(signature),
  });
  to.setSymbol(definition, 'type', to.addType({ kind: 'this', at: tree.start(node) }));
  to.inside(definition, 'function', node, () => {
    parameters(to, to.part(signature, ':formal_parameter_list'), definition);
    for (const holder of [node, signature]) {
      for (const entry of tree.children(to.part(holder, ':initializers'))) initializer(to, entry);
      delegation(to, to.part(holder, ':redirection'));
    }
    redirected(to, signature);
    runBody(to, definition, body);
  });
}

/** `a = b`, `super.named(…)` or an assertion in the list of a constructor. */
function initializer(to: Lowering, entry: NodeId): void {
  const { tree } = to;
  const inner = tree.first(entry);
  if (tree.kind(inner) !== 'field_initializer') {
    if (tree.kind(inner) === 'super') delegation(to, entry);
    else to.visitChildren(entry);
    return;
  }
  const all = tree.children(inner);
  const at = all.findIndex((one) => tree.kind(one) === 'identifier');
  const name = all[at] ?? NONE;
  const base = to.addExpression({ kind: 'this', at: tree.start(inner) });
  const expression = to.addExpression({
    kind: 'member',
    name: tree.textOf(name),
    base,
    at: tree.start(name),
  });
  to.refer({ kind: 'write', name, whole: inner, expression });
  const value = valueAt(to, all[at + 1] ?? NONE);
  to.addExpression({ kind: 'binary', name: '=', parts: [expression, value], at: tree.start(inner) });
}

/** `super(…)`, `this.named(…)` */
function delegation(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const of = tree.first(node);
  if (of === NONE) return;
  const at = tree.start(of);
  const receiverRow = to.addExpression({ kind: tree.kind(of) === 'super' ? 'super' : 'this', at });
  const name = to.part(node, ':identifier');
  const given = to.part(node, ':arguments');
  if (name === NONE) {
    callOf(to, node, { base: receiverRow, name: of, receiver: NONE, given });
    return;
  }
  const base = to.addExpression({
    kind: 'member',
    name: tree.textOf(name),
    base: receiverRow,
    at,
    nameNode: name,
  });
  callOf(to, node, { base, name, receiver: of, receiverRow, given });
}

/** `= Bar.named`: what a factory leads to. */
function redirected(to: Lowering, signature: NodeId): void {
  if (to.tree.kind(signature) !== 'redirecting_factory_constructor_signature') return;
  const [target] = typeNodes(to, signature);
  if (target !== undefined) to.type(target);
}

/** Fields of a class, or variables of the file. @param typed Where the type begins. */
export function variablesAt(to: Lowering, node: NodeId, list: NodeId, typed: NodeId, start: number): void {
  const { tree } = to;
  const ones = tree.children(list);
  const words = tree.text.slice(start, tree.start(typed === NONE ? list : typed));
  const isConst = /\bconst\b/.test(words);
  const kind = to.isMember ? 'field' : isConst ? 'constant' : 'variable';
  const annotations = fileOf(to).annotations;
  let type = -1;
  for (const [index, one] of ones.entries()) {
    const inner = tree.kind(one) === 'identifier' ? one : tree.first(one);
    const value = tree.kind(one) === 'identifier' ? NONE : (tree.children(one)[1] ?? NONE);
    const isLong = value !== NONE && to.text.line(tree.start(value)) !== to.text.line(tree.end(one));
    if (index > 0) fileOf(to).annotations = [];
    else fileOf(to).annotations = annotations;
    const definition = declare(to, {
      ...{ kind, name: inner, node: ones.length === 1 ? node : one, body: NONE },
      ...(ones.length === 1 && node !== list
        ? {}
        : { before: `${to.text.folded(start, tree.start(list), 300)} ` }),
      ...(isLong ? { headEnd: tree.end(inner) } : {}),
      flags: /\bstatic\b/.test(words) ? SYMBOL_FLAGS.static : 0,
      isConstant: isConst || /\bfinal\b/.test(words),
    });
    to.ownedBy(definition, () => {
      if (index === 0) type = to.type(typed);
      to.setSymbol(definition, 'type', type);
      const made = to.definitions[definition];
      if (made) made.value_type = writtenType(to, typed);
      to.setSymbol(definition, 'value', valueAt(to, value));
    });
  }
}

/** A class, mixin, enum or extension type. */
export function classAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const kind = tree.kind(node);
  const applied = to.part(node, ':mixin_application_class');
  const holder = applied === NONE ? node : applied;
  const name = to.part(holder, 'name') === NONE ? to.part(holder, ':identifier') : to.part(holder, 'name');
  const body = to.part(node, 'body') === NONE ? to.part(node, ':class_body') : to.part(node, 'body');
  const head = tree.text.slice(tree.start(node), tree.start(name));
  const isMixin = /\bmixin\b/.test(head);
  const isInterface = /\babstract\s+interface\b/.test(head);
  const isEnum = kind === 'enum_declaration';
  const subkind = isEnum
    ? 'enum'
    : isInterface
      ? 'interface'
      : isMixin && kind === 'mixin_declaration'
        ? 'trait'
        : null;
  const isAbstract = /\b(?:abstract|sealed)\b/.test(head);
  const definition = declare(to, {
    kind: isEnum ? 'enum' : isInterface ? 'interface' : 'class',
    ...(subkind === null ? {} : { subkind }),
    ...{
      name,
      node,
      body: NONE,
      inside: tree.children(node).filter((one) => tree.kind(one) === 'annotation'),
    },
    headEnd: body === NONE ? tree.end(node) : tree.start(body),
    flags: (isMixin ? SYMBOL_FLAGS.mixin : 0) | (isAbstract ? SYMBOL_FLAGS.abstract : 0),
  });
  const around = to.scope;
  to.inside(definition, 'type', node, () => {
    to.head = around;
    const list = to.part(node, ':type_parameters');
    to.typeParameters(list === NONE ? to.part(applied, ':type_parameters') : list, definition);
    bases(to, definition, node, holder, applied);
    to.head = null;
    const representation = to.part(node, 'representation');
    if (representation !== NONE) {
      const field = declare(to, {
        kind: 'field',
        name: to.part(representation, 'name'),
        node: representation,
        body: NONE,
      });
      to.setSymbol(field, 'type', to.type(to.part(representation, 'type')));
    }
    to.visitChildren(body);
  });
}

/** What a type derives from: a mixin that is named later goes before those in front of it. */
function bases(to: Lowering, definition: number, node: NodeId, holder: NodeId, applied: NodeId): void {
  const { tree } = to;
  const inHead = (one: NodeId) => typeNodes(to, one);
  const superclass = to.part(node, ':superclass');
  const application = to.part(applied, ':mixin_application');
  const parts = [holder, superclass, application];
  const mixed = parts.flatMap((one) => inHead(to.part(one, ':mixins')));
  const extended = [...inHead(superclass), ...inHead(application)];
  if (tree.kind(node) === 'mixin_declaration') extended.push(...inHead(node));
  const implemented = [node, applied, application].flatMap((one) => inHead(to.part(one, ':interfaces')));
  const add = (one: NodeId, relation: 'extends' | 'implements') =>
    to.addBase(definition, to.type(one), one, relation);
  for (const one of mixed.reverse()) add(one, 'extends');
  for (const one of extended) add(one, 'extends');
  for (const one of implemented) add(one, 'implements');
}

/** `a(1)`, `b.named(2)`: a constant of an enum. */
export function enumConstant(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const inside = tree.children(node).filter((one) => tree.kind(one) === 'annotation');
  const definition = declare(to, {
    ...{ kind: 'constant', name: to.part(node, 'name'), node, body: NONE, inside },
    ...{ flags: SYMBOL_FLAGS.static, isConstant: true },
  });
  to.ownedBy(definition, () => {
    to.setSymbol(definition, 'type', to.addType({ kind: 'this', at: tree.start(node) }));
    to.visit(to.part(node, ':argument_part'));
    to.visit(to.part(node, ':arguments'));
  });
}

/** `extension E on T { … }`: its members are those of `T`, static ones its own. */
export function extension(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const name = to.part(node, 'name');
  const body = to.part(node, 'body');
  const on = to.part(node, 'class');
  const inExtension = (list: NodeId, run: () => void) =>
    to.inExtension(
      node,
      () => {
        to.typeParameters(list, null);
        const found = tree.kind(on) === 'type_identifier' ? lastName(to, on) : '';
        const called = name === NONE ? found : tree.textOf(name);
        return { type: to.type(on), base: -1, name: called, found: to.isBound(found, 'type') ? '*' : found };
      },
      run,
    );
  const list = to.part(node, ':type_parameters');
  if (name === NONE) {
    inExtension(list, () => to.visitChildren(body));
    return;
  }
  const definition = declare(to, { kind: 'class', name, node, body: NONE, headEnd: tree.start(body) });
  to.inside(definition, 'type', node, () => {
    for (const run of runsOf(to, body))
      if (run.isStatic) for (const one of run.nodes) to.visit(one);
      else
        inExtension(list, () => {
          for (const one of run.nodes) to.visit(one);
        });
  });
}

/** The last name of a type that begins with a node. */
function lastName(to: Lowering, node: NodeId): string {
  const end = to.text.folded(to.tree.start(node), to.tree.end(node), 300);
  const next = to.tree.next(node);
  const isPath = to.tree.kind(next) === 'type_identifier' && to.tree.text.charAt(to.tree.end(node)) === '.';
  return isPath ? to.tree.textOf(next) : end;
}

/** The members of an extension in the order of the text: those that are static apart from the others. */
function runsOf(to: Lowering, body: NodeId): { readonly isStatic: boolean; readonly nodes: NodeId[] }[] {
  const { tree } = to;
  const runs: { isStatic: boolean; nodes: NodeId[] }[] = [];
  let waiting: NodeId[] = [];
  for (const one of tree.children(body)) {
    waiting.push(one);
    if (tree.kind(one) === 'annotation') continue;
    const last = runs[runs.length - 1];
    const isStatic =
      tree.kind(one) === 'function_body'
        ? (last?.isStatic ?? false)
        : /^static\b/.test(tree.textOf(one).slice(0, 8));
    if (last?.isStatic === isStatic) last.nodes.push(...waiting);
    else runs.push({ isStatic, nodes: waiting });
    waiting = [];
  }
  return runs;
}

/** `typedef F = …;`, `typedef R F(A a);` */
export function alias(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const isNew = /=/.test(tree.textOf(node));
  const types = typeNodes(to, node);
  const list = to.part(node, ':formal_parameter_list');
  const name = isNew ? (types[0] ?? NONE) : (types[types.length - 1] ?? NONE);
  if (name === NONE) return;
  const definition = declare(to, { kind: 'type', name, node, body: NONE, flags: SYMBOL_FLAGS.alias });
  to.inside(definition, 'function', node, () => {
    to.typeParameters(to.part(node, ':type_parameters'), definition);
    if (isNew) {
      to.setSymbol(definition, 'type', to.type(types[1] ?? NONE));
      return;
    }
    const [result = NONE] = types.length > 1 ? types : [];
    const parts = tree.children(list).flatMap((one) =>
      typeNodes(to, one)
        .slice(0, 1)
        .map((each) => to.type(each)),
    );
    to.setSymbol(
      definition,
      'type',
      to.addType({ kind: 'function', base: to.type(result), parts, at: tree.start(node) }),
    );
  });
}
