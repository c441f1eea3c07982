import { BINDING_FLAGS, SYMBOL_FLAGS } from '../ir/index.js';
import { argumentsOf } from './expressions.js';
import type {
  AssignmentRule,
  CaseRule,
  FunctionRule,
  LocalRule,
  LoopRule,
  Lowering,
  MadeParameter,
  MembersRule,
  NewExpression,
  NodeRule,
  ParameterRule,
  ReturnRule,
  TypeDeclarationRule,
  VariableRule,
} from './rules.js';
import { NONE, type NodeId } from './syntax-tree.js';
import { lastName } from './types.js';

/** A rule that is more than a word or a function. */
export type DeclarationRule = Exclude<NodeRule, string | ((...given: never) => void)>;

/** Does what a rule says of a statement or declaration. */
export function lowerDeclaration(to: Lowering, node: NodeId, rule: DeclarationRule): void {
  if (rule.does === 'function') functionAt(to, node, rule);
  else if (rule.does === 'type') typeAt(to, node, rule);
  else if (rule.does === 'variables') lowerVariables(to, node, rule);
  else if (rule.does === 'locals') localsAt(to, node, rule);
  else if (rule.does === 'loop') loopAt(to, node, rule);
  else if (rule.does === 'assign') assignAt(to, node, rule);
  else if (rule.does === 'members') membersAt(to, node, rule);
  else if (rule.does === 'case') caseAt(to, node, rule);
  else returnsAt(to, node, rule);
}

function functionAt(to: Lowering, node: NodeId, rule: FunctionRule): void {
  if (to.inPlace) {
    const type = to.functionType(node, rule.parameters ?? '', rule.result ?? '');
    to.bind('member', to.part(node, rule.name), { type });
    return;
  }
  const body = to.part(node, rule.body);
  const modifiers = to.part(node, to.rules.modifiers?.part);
  const around = to.owner === null ? undefined : to.definitions[to.owner];
  const isAbstract = body === NONE && around?.subkind === 'interface';
  const definition = to.define({
    kind: rule.kind === 'function' && to.isMember ? 'method' : rule.kind,
    name: to.part(node, rule.name),
    ...(rule.found === undefined ? {} : { found: rule.found }),
    modifiers,
    start: to.tree.start(node),
    end: to.tree.end(node),
    headEnd: body === NONE ? to.tree.end(node) : to.tree.start(body),
    isDeclaration: body === NONE,
    flags: isAbstract ? SYMBOL_FLAGS.abstract : 0,
  });
  decorate(to, definition, modifiers);
  to.callable(definition, node, rule);
}

/** What is in a function that was defined: see {@link Lowering.callable}. */
export function lowerCallable(
  to: Lowering,
  definition: number,
  node: NodeId,
  rule: FunctionRule,
  first?: () => void,
): void {
  to.inside(definition, 'function', node, () => {
    first?.();
    to.typeParameters(to.part(node, rule.typeParameters), definition, node);
    to.parameters(to.part(node, rule.parameters), definition);
    const result = to.part(node, rule.result);
    const made = to.definitions[definition];
    if (made && result !== NONE)
      made.return_type = to.text.folded(to.tree.start(result), to.tree.end(result), 300);
    const type = to.results(result);
    to.setSymbol(definition, 'type', to.rules.documented?.(to, node, type) ?? type);
    for (const part of rule.others ?? []) to.visit(to.part(node, part));
    const around = to.values;
    to.values = null;
    to.body(to.part(node, rule.body));
    to.values = around;
  });
}

function typeAt(to: Lowering, node: NodeId, rule: TypeDeclarationRule): void {
  const { tree } = to;
  const body = to.part(node, rule.body);
  const modifiers = to.part(node, to.rules.modifiers?.part);
  const definition = to.define({
    kind: rule.kind,
    ...(rule.subkind ? { subkind: rule.subkind } : {}),
    ...(rule.found === undefined ? {} : { found: rule.found }),
    name: to.part(node, rule.name),
    modifiers,
    start: tree.start(node),
    end: tree.end(node),
    headEnd: body === NONE ? tree.end(node) : tree.start(body),
  });
  decorate(to, definition, modifiers);
  const around = to.scope;
  to.inside(definition, 'type', node, () => {
    // The head of a type sees its type parameters, but none of its members.
    to.head = around;
    to.typeParameters(to.part(node, rule.typeParameters), definition, node);
    for (const { part, of = '.', relation } of rule.bases ?? [])
      for (const one of to.parts(to.part(node, of), part))
        for (const base of typesIn(to, one)) to.addBase(definition, to.type(base), base, relation);
    rule.inHead?.(definition);
    to.head = null;
    rule.beforeBody?.();
    if (rule.components) componentsAt(to, node, rule.components, body);
    to.body(body);
  });
}

/** Defines the fields that the head of a type declares, and the methods that give them. */
function componentsAt(
  to: Lowering,
  node: NodeId,
  { part, accessors }: NonNullable<TypeDeclarationRule['components']>,
  body: NodeId,
): void {
  const { tree, text } = to;
  const written = new Set<string>();
  for (const one of tree.children(body)) {
    const rule = to.nodeRule(one);
    if (typeof rule !== 'object' || rule.does !== 'function') continue;
    if (tree.children(to.part(one, rule.parameters)).length === 0)
      written.add(tree.textOf(to.part(one, rule.name)));
  }
  for (const one of tree.children(to.part(node, part))) {
    const rule = to.rules.parameters[tree.kind(one)];
    if (!rule || typeof rule === 'function') continue;
    const of = to.part(one, rule.type);
    const base = to.type(of);
    const type = rule.variadic ? to.addType({ kind: 'list', base, at: tree.start(one) }) : base;
    const shown = text.folded(tree.start(of), tree.end(of), 300);
    for (const name of to.parts(one, rule.names)) {
      const place = { name, start: tree.start(one), end: tree.end(one) };
      const access = { exported: true, visibility: 'public' } as const;
      const field = to.define({ ...place, kind: 'field', isConstant: true });
      const made = [field];
      if (accessors && !written.has(tree.textOf(name)))
        made.push(to.define({ ...place, kind: 'method', access, isDeclaration: true }));
      for (const definition of made) to.setSymbol(definition, 'type', type);
      const [first, second] = made.map((definition) => to.definitions[definition]);
      if (first) first.value_type = shown;
      if (second) second.return_type = shown;
    }
  }
}

/** The types that a node is or that stand in it. */
function typesIn(to: Lowering, node: NodeId): NodeId[] {
  if (to.typeRule(node) !== undefined) return [node];
  return to.tree.children(node).flatMap((one) => typesIn(to, one));
}

/** Defines a type without a name. */
export function lowerAnonymous(
  to: Lowering,
  type: number,
  name: NodeId,
  whole: NodeId,
  body: NodeId,
  of?: string,
): void {
  const { tree } = to;
  const definition = to.define({
    kind: 'class',
    name,
    called: `anonymous-${tree.textOf(name)}`,
    start: tree.start(of === undefined ? whole : name),
    end: tree.end(whole),
    headEnd: tree.start(body),
    access: { exported: false, visibility: 'private' },
  });
  to.addBase(definition, type, name, 'extends', of);
  to.inside(definition, 'type', body, () => to.body(body));
}

/** What declares variables, constants or fields: symbols, locals or members in place. @returns the definitions. */
export function lowerVariables(to: Lowering, node: NodeId, rule: VariableRule): number[] {
  if (to.inPlace) {
    const written = to.part(node, rule.type);
    const type = to.type(written);
    const names = to.parts(node, rule.names);
    for (const name of names) to.bind('member', name, { type });
    if (names.length === 0 && rule.embedded)
      to.bind('member', lastName(to, written), { type, flags: BINDING_FLAGS.embedded });
    return [];
  }
  if (to.inFunction) {
    localsAt(
      to,
      node,
      {
        does: 'locals',
        ...(rule.declarators ? { declarators: rule.declarators } : {}),
        names: rule.names,
        values: rule.values ?? '',
        ...(rule.type ? { type: rule.type } : {}),
      },
      true,
    );
    return [];
  }
  const { tree } = to;
  // In broken text a field may stand anywhere.
  if (rule.kind === 'field' && (to.owner === null || to.definitions[to.owner]?.form !== 'class')) {
    to.visitChildren(node);
    return [];
  }
  const declarators = rule.declarators === undefined ? [node] : to.parts(node, rule.declarators);
  const names = declarators.flatMap((one) => to.parts(one, rule.names));
  const written = to.part(node, rule.type);
  const isEmbedded = names.length === 0 && rule.embedded === true;
  if (isEmbedded) names.push(lastName(to, written));
  const modifiers = to.part(node, to.rules.modifiers?.part);
  const made = names
    .filter((name) => tree.textOf(name) !== to.rules.blank)
    .map((name, index) => {
      const one = declarators.length > 1 ? (declarators[index] ?? node) : node;
      const value = to.part(declarators[index] ?? NONE, rule.values);
      const isLong = to.text.line(tree.start(value)) !== to.text.line(tree.end(value));
      const before = one === node ? '' : `${to.text.folded(tree.start(node), tree.end(written), 300)} `;
      return to.define({
        kind: rule.kind,
        name,
        modifiers,
        ...(before === '' ? {} : { before }),
        ...(value !== NONE && isLong ? { headEnd: tree.end(name) } : {}),
        start: tree.start(one),
        end: tree.end(one),
        isConstant: rule.kind === 'constant',
        flags: isEmbedded ? SYMBOL_FLAGS.embedded : 0,
      });
    });
  const [first] = made;
  if (first !== undefined) decorate(to, first, modifiers);
  const type = first === undefined ? to.type(written) : to.ownedBy(first, () => to.type(written));
  for (const definition of made) {
    const one = to.definitions[definition];
    if (one && written !== NONE) one.value_type = to.text.folded(tree.start(written), tree.end(written), 300);
    to.setSymbol(definition, 'type', type);
  }
  if (isEmbedded && to.owner !== null) to.addBase(to.owner, type, written, 'extends');
  if (rule.declarators !== undefined) {
    for (const [index, definition] of made.entries()) {
      const value = to.part(declarators[index] ?? NONE, rule.values);
      if (value === NONE) continue;
      to.setSymbol(
        definition,
        'value',
        to.ownedBy(definition, () => to.expression(value)),
      );
    }
    return made;
  }
  const values = to.parts(node, rule.values);
  const rows = values.map((value, index) =>
    to.ownedBy(made[Math.min(index, made.length - 1)] ?? to.owner, () => to.expression(value)),
  );
  const given = spread(to, rows, names.length);
  let at = 0;
  for (const [index, name] of names.entries())
    if (tree.textOf(name) !== to.rules.blank) to.setSymbol(made[at++] ?? -1, 'value', given[index] ?? -1);
    else if (type >= 0 && to.owner === null) to.bindBlank({ type, value: given[index] ?? -1 });
  return made;
}

function localsAt(to: Lowering, node: NodeId, rule: LocalRule, isNew = false): void {
  const { tree } = to;
  const type = to.type(to.part(node, rule.type));
  if (rule.declarators !== undefined) {
    for (const one of to.parts(node, rule.declarators)) {
      const value = to.expression(to.part(one, rule.values));
      to.bind('local', to.part(one, rule.names), { type, value, from: tree.end(one) });
    }
    return;
  }
  const rows = to.parts(node, rule.values).map((one) => to.expression(one));
  const names = to.parts(node, rule.names);
  const values = spread(to, rows, names.length);
  for (const [index, name] of names.entries()) {
    // What the scope already has is assigned.
    if (!to.isName(name)) to.expression(name, 'write');
    else if (isNew || rule.declares || !to.has(tree.textOf(name)))
      to.bind('local', name, { type, value: values[index] ?? -1, from: tree.end(node) });
  }
}

function membersAt(to: Lowering, node: NodeId, { initializers }: MembersRule): void {
  for (const one of to.tree.children(node))
    if (initializers.includes(to.tree.kind(one))) to.inScope('function', one, () => to.visitChildren(one));
    else to.visit(one);
}

function caseAt(to: Lowering, node: NodeId, rule: CaseRule): void {
  const { tree } = to;
  const at = tree.start(node);
  const name = to.part(node, rule.name);
  const body = to.part(node, rule.body);
  const modifiers = to.part(node, to.rules.modifiers?.part);
  const of = to.definitions[to.owner ?? -1]?.name ?? '';
  const definition = to.define({
    kind: 'constant',
    name,
    modifiers,
    start: at,
    end: tree.end(node),
    headEnd: body === NONE ? tree.end(node) : tree.start(body),
    flags: SYMBOL_FLAGS.static,
    access: rule.access,
    isConstant: true,
  });
  decorate(to, definition, modifiers);
  to.ownedBy(definition, () => {
    const type = to.addType({ kind: 'this', at });
    const parts = argumentsOf(to, to.part(node, rule.arguments)).rows;
    to.setSymbol(definition, 'type', type);
    to.setSymbol(definition, 'value', to.addExpression({ kind: 'new', type, parts, at }));
    if (body !== NONE) to.anonymous(type, name, node, body, of);
  });
}

function loopAt(to: Lowering, node: NodeId, rule: LoopRule): void {
  if (rule.body !== undefined) {
    to.inScope('block', node, () => {
      loopAt(to, node, { ...rule, body: undefined });
      to.visit(to.part(node, rule.body));
    });
    return;
  }
  const { tree } = to;
  const type = to.type(to.part(node, rule.type));
  const base = to.expression(to.part(node, rule.over));
  for (const [index, name] of to.parts(node, rule.names).entries()) {
    const kind = rule.gives[index];
    if (kind === undefined || tree.textOf(name) === to.rules.blank) continue;
    if (!to.isName(name)) {
      to.expression(name, 'write');
      continue;
    }
    const value = to.addExpression({ kind, base, at: tree.start(name) });
    to.bind('local', name, { type, value, from: tree.start(name) });
  }
}

function returnsAt(to: Lowering, node: NodeId, rule: ReturnRule): void {
  const value = to.expression(to.part(node, rule.value));
  if (value < 0) return;
  if (to.values) to.values.push(value);
  else if (to.owner !== null && (to.kindOf(value) === 'function' || to.symbol(to.owner, 'type') < 0))
    to.addReturn(value);
}

function assignAt(to: Lowering, node: NodeId, rule: AssignmentRule): void {
  for (const one of to.parts(node, rule.targets)) to.expression(one, 'write');
  for (const one of to.parts(node, rule.values)) to.expression(one);
}

/** Binds a parameter in the head of a type. @param isField Whether it is a field of the type, too: its name means that. */
export function bindInHead(to: Lowering, made: MadeParameter, definition: number, isField: boolean): void {
  const { name, type, written, default: given = NONE, variadic: rest = false } = made;
  const optional = given !== NONE;
  const { variadic, optional: left, field } = BINDING_FLAGS;
  const flags = (rest ? variadic : 0) + (optional ? left : 0) + (isField ? field : 0);
  to.bind('parameter', name, { type, value: to.expression(given), flags });
  to.definitions[definition]?.parameters.push({
    ...{ name: to.tree.textOf(name), type: written, optional, rest },
  });
}

/** The values of several names: each its own, or the parts of one. */
function spread(to: Lowering, rows: readonly number[], count: number): number[] {
  const [only] = rows;
  if (rows.length !== 1 || count === 1 || only === undefined) return [...rows];
  // The second says whether there is a first.
  if (CHECKED.has(to.kindOf(only))) return [only];
  return Array.from({ length: count }, (_, index) =>
    to.addExpression({ kind: 'part', base: only, at: index }),
  );
}

/** The types of a list of parameters or results. @param kind What their names are bound as; null: as nothing. */
export function lowerParameters(
  to: Lowering,
  list: NodeId,
  kind: 'parameter' | 'local' | null,
  definition: number | null,
): number[] {
  const rows: number[] = [];
  const patterns: [name: NodeId, value: number][] = [];
  const { tree } = to;
  const facts = definition === null ? undefined : to.definitions[definition]?.parameters;
  // A list of one may stand for itself: `x => x`.
  const isOne = list !== NONE && to.rules.parameters[tree.kind(list)] !== undefined;
  for (const one of isOne ? [list] : tree.children(list)) {
    const rule = to.rules.parameters[tree.kind(one)];
    const pattern = typeof rule === 'object' ? rule.pattern : undefined;
    const made = typeof rule === 'function' ? rule(to, one) : rule && madeBy(to, one, rule);
    if (!made) continue;
    const { type, names, written: typeText } = 'names' in made ? made : { ...made, names: [made.name] };
    const value = made.default ?? NONE;
    const row = value === NONE ? -1 : to.expression(value);
    const rest = made.variadic ?? false;
    const flags = (rest ? BINDING_FLAGS.variadic : 0) + (value === NONE ? 0 : BINDING_FLAGS.optional);
    for (const name of names.length === 0 ? [NONE] : names) {
      rows.push(rest ? to.addType({ kind: 'variadic', base: type, at: tree.start(one) }) : type);
      if (kind === 'parameter' || (kind !== null && name !== NONE))
        to.bind(kind, name, { type, value: row, flags });
      if (kind !== null && name !== NONE && pattern && !to.isName(name)) {
        const at = tree.start(name);
        patterns.push([name, to.addExpression({ kind: 'name', name: tree.textOf(name), at })]);
      }
      facts?.push({ name: tree.textOf(name), type: typeText, optional: value !== NONE, rest });
    }
    if (rest && definition !== null) to.addFlag(definition, SYMBOL_FLAGS.variadic);
    for (const [name, matched] of patterns.splice(0)) pattern?.(to, name, matched);
  }
  return rows;
}

function madeBy(to: Lowering, node: NodeId, rule: ParameterRule) {
  const written = to.part(node, rule.type);
  const stated = to.type(written);
  return {
    names: to.parts(node, rule.names),
    type: to.rules.documented?.(to, node, stated) ?? stated,
    written: written === NONE ? null : to.text.folded(to.tree.start(written), to.tree.end(written), 300),
    default: to.part(node, rule.default),
    variadic: rule.variadic ?? false,
  };
}

/** Binds the type parameters of a list. */
export function lowerTypeParameters(
  to: Lowering,
  list: NodeId,
  definition: number | null,
  whole: NodeId,
): void {
  const { tree } = to;
  const { constraints } = to.rules;
  const clauses = constraints ? tree.children(to.part(whole, constraints.clause)) : [];
  if (list === NONE && clauses.length === 0) return;
  const declared = tree.children(list).flatMap((one) => {
    const rule = to.rules.parameters[tree.kind(one)];
    if (!rule || typeof rule === 'function') return [];
    return [{ node: one, names: to.parts(one, rule.names), type: to.part(one, rule.type) }];
  });
  // A bound may name any of them.
  for (const { names } of declared) for (const name of names) to.note(tree.textOf(name), 'type parameter');
  const further = clauses.map((one) => {
    const name = to.part(one, constraints?.name);
    to.type(name);
    return { name: tree.textOf(name), row: to.type(to.part(one, constraints?.type)) };
  });
  for (const { node, names, type } of declared) {
    const stated = to.type(type);
    const bound = to.rules.documented?.(to, node, stated) ?? stated;
    for (const name of names) {
      const bounds = further.flatMap((one) => (one.name === tree.textOf(name) ? one.row : []));
      if (bound >= 0) bounds.unshift(bound);
      const [only = -1, ...others] = bounds;
      const at = tree.start(name);
      const all = others.length === 0 ? only : to.addType({ kind: 'union', parts: bounds, at });
      to.bind('type parameter', name, { type: all });
    }
  }
  if (list === NONE) return;
  const one = definition === null ? undefined : to.definitions[definition];
  if (one) one.type_parameters = to.text.folded(tree.start(list) + 1, tree.end(list) - 1, 300);
}

/** Lowers the decorators of a definition. */
export function decorate(to: Lowering, definition: number, modifiers: NodeId): void {
  const { kinds, decorators = [] } = to.rules.modifiers ?? {};
  if (modifiers === NONE) return;
  to.ownedBy(definition, () => {
    if (kinds === undefined) to.visitChildren(modifiers);
    else
      for (const one of to.tree.children(modifiers))
        if (decorators.includes(to.tree.kind(one))) to.visitChildren(one);
  });
}

/** Expressions that give a value and whether there is one. */
const CHECKED: ReadonlySet<NewExpression['kind']> = new Set(['convert', 'index', 'received']);
