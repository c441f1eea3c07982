import type { FlowFact, ValueFact } from '../../flow-facts.js';
import { assignmentsOf, child, dottedPath, eachTarget, firstName, unwrapped } from './expressions.js';
import { type Branches, FlowList, nowhere, type Source } from './flow-list.js';
import { bodyOf } from './names.js';
import { narrowingsOf } from './narrowing.js';
import { eachParameterName, writtenParameters } from './parameters.js';
import { comprehensions, type Scope, type Scopes } from './scopes.js';
import { branching } from './statements.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';
import { mayBeFollowed, type ValueReader } from './values.js';

/** Something that is put into a container; key null where that says nothing of where. */
interface Filling {
  readonly object: Syntax;
  readonly key: Syntax | null;
  readonly value: Syntax;
}

/** Literals with one item after the other. */
const sequences = new Set(['expression_list', 'tuple', 'list']);

/** What a call or an augmented assignment puts into a container: `xs.append(f)`, `d.update({'a': f})`, `xs += [f]`. */
function fillingsOf(node: Syntax, text: SourceText): Filling[] {
  const [target, added] = node.children;
  if (!target || !added) return [];
  if (node.kind === 'augmented_assignment') return itemsOf(target, added);
  const [object, name] = target.kind === 'attribute' ? target.children : [];
  if (!object || !name || added.kind !== 'argument_list') return [];
  const [first, second] = added.children;
  switch (text.of(name)) {
    case 'append':
    case 'appendleft':
    case 'add':
      return first ? [{ object, key: null, value: first }] : [];
    case 'insert':
      return second ? [{ object, key: null, value: second }] : [];
    case 'setdefault':
      return first && second ? [{ object, key: first, value: second }] : [];
    case 'extend':
      return first ? itemsOf(object, first) : [];
    case 'update':
      return first?.kind === 'dictionary' ? first.children.flatMap((pair) => entryOf(object, pair)) : [];
    default:
      return [];
  }
}

function itemsOf(object: Syntax, list: Syntax): Filling[] {
  return sequences.has(list.kind) ? list.children.map((value) => ({ object, key: null, value })) : [];
}

function entryOf(object: Syntax, { kind, children: [key, value] }: Syntax): Filling[] {
  return kind === 'pair' && key && value ? [{ object, key, value }] : [];
}

/**
 * Where values go, in source order: into names, attributes and items, out of functions, into parameters by default.
 * `values` learns on the way which locals can be followed, and is complete when this returns.
 */
export function flowsOf(root: Syntax, text: SourceText, scopes: Scopes, values: ValueReader): FlowFact[] {
  const flows = new FlowList(text, scopes, values);
  const reader = new FlowReader(text, scopes, values, flows);
  for (const one of root.children) reader.visit(one, scopes.module, nowhere);
  return flows.facts();
}

const loops = new Set(['for_statement', 'while_statement']);

class FlowReader {
  /** Most files yield and walk nowhere in expressions: then those need no visit. */
  readonly #deep: boolean;

  constructor(
    private readonly text: SourceText,
    private readonly scopes: Scopes,
    private readonly values: ValueReader,
    private readonly flows: FlowList,
  ) {
    this.#deep = text.text.includes(':=');
  }

  visit(node: Syntax, outer: Scope, branches: Branches): void {
    const scope = this.scopes.opened.get(node) ?? outer;
    switch (node.kind) {
      case 'function_definition':
        this.#function(node, outer);
        return;
      case 'class_definition': {
        const body = bodyOf(node);
        if (body) this.#all(body.children, scope, nowhere);
        return;
      }
      case 'lambda':
        this.#lambda(node, outer, scope);
        break;
      case 'assignment':
        this.#assignment(node, scope, branches);
        break;
      case 'augmented_assignment':
        if (!this.#filled(node, scope, branches)) this.#lost(node.children[0], scope, branches);
        break;
      case 'delete_statement':
        for (const one of node.children) this.#lost(one, scope, branches);
        break;
      case 'except_clause':
        this.#caught(node, scope, branches);
        break;
      case 'case_clause':
        for (const one of capturesOf(node)) this.#lost(one, scope, branchOf(node, branches));
        break;
      case 'named_expression':
        this.#given(node.children[0], node.children[1], scope, branches);
        break;
      case 'for_statement':
        this.#looped(node, scope, { ...branches, loop: branches.loop ?? node });
        break;
      case 'for_in_clause':
        this.#looped(node, scope, branches);
        break;
      case 'with_item':
        this.#with(node, scope, branches);
        break;
      case 'if_statement':
      case 'elif_clause':
      case 'assert_statement':
      case 'boolean_operator':
      case 'conditional_expression':
        this.#narrowed(node, scope, branches);
        break;
      case 'return_statement':
      case 'yield':
        this.#out(node, scope, branches);
        break;
      case 'call':
        this.#filled(node, scope, branches);
        break;
    }
    this.#inside(node, scope, branches);
  }

  #all(nodes: readonly Syntax[], scope: Scope, branches: Branches): void {
    for (const one of nodes) this.visit(one, scope, branches);
  }

  #inside(node: Syntax, scope: Scope, branches: Branches): void {
    const loop = branches.loop ?? (loops.has(node.kind) ? node : null);
    const isBranching = branching.has(node.kind);
    for (const one of node.children)
      if (this.#deep || visited.has(one.kind))
        this.visit(one, scope, isBranching && one.kind === 'block' ? { branch: one, loop } : branches);
  }

  #function(node: Syntax, outer: Scope): void {
    const own = this.scopes.opened.get(node);
    if (!own) return;
    this.#defaults(child(node, 'parameters'), outer, own);
    const body = bodyOf(node);
    if (body) this.#all(body.children, own, nowhere);
  }

  #lambda(node: Syntax, outer: Scope, own: Scope): void {
    const list = child(node, 'lambda_parameters');
    const body = node.children[node.children.length - 1];
    if (own.kind === 'lambda')
      eachParameterName(list, (name) => {
        // Its parameters are its own, whatever the function around it calls so.
        this.#target(name, { read: () => null, scope: own, branches: nowhere, at: name, block: node });
      });
    if (own.kind !== 'function' || !body || body === list) return;
    this.#defaults(list, outer, own);
    this.flows.add({ ...this.#source(body, own, nowhere), kind: 'return', target: '', bound: null });
  }

  #defaults(list: Syntax | undefined, outer: Scope, own: Scope): void {
    for (const { target, value } of writtenParameters(list)) {
      if (target.kind !== 'identifier' || !value) continue;
      const read = () => this.values.literal(value) ?? this.values.alternative(value, outer);
      const name = this.text.of(target);
      this.flows.add({
        kind: 'default',
        target: name,
        read,
        scope: own,
        bound: own,
        branches: nowhere,
        at: target,
      });
    }
  }

  #assignment(node: Syntax, scope: Scope, branches: Branches): void {
    // An annotation alone assigns nothing.
    for (const { target, value } of assignmentsOf(node))
      if (value) this.#unpack(target, value, scope, branches, value);
  }

  #given(target: Syntax | undefined, value: Syntax | undefined, scope: Scope, branches: Branches): void {
    if (target && value) this.#target(target, this.#source(value, scope, branches));
  }

  #looped({ children: [target, iterable] }: Syntax, scope: Scope, branches: Branches): void {
    if (target && iterable) this.#target(target, itemOf(this.#source(iterable, scope, branches)));
  }

  /** `a, *b = f, g, h` hands on part by part what stands there as parts. */
  #unpack(target: Syntax, value: Syntax, scope: Scope, branches: Branches, whole: Syntax): void {
    const parts = unpacked.has(target.kind) ? target.children : null;
    const values = sequences.has(unwrapped(value).kind) ? unwrapped(value).children : null;
    if (!parts || !values || values.some((one) => one.kind === 'list_splat')) {
      this.#target(target, { ...this.#source(value, scope, branches), at: whole });
      return;
    }
    const star = parts.findIndex((one) => one.kind === 'list_splat_pattern');
    parts.forEach((part, at) => {
      const behind = star >= 0 && at > star ? values.length - parts.length : 0;
      const one = values[at + behind];
      if (at === star) {
        const rest = values.slice(at, values.length - (parts.length - star - 1));
        const read = () => ({ list: rest.map((each) => this.values.value(each, scope)) });
        this.#target(part, { read, scope, branches, at: whole });
      } else if (one) this.#unpack(part, one, scope, branches, whole);
    });
  }

  /** Tells whether something is put into a container, be it something that cannot be followed. */
  #filled(node: Syntax, scope: Scope, branches: Branches): boolean {
    const fillings = fillingsOf(node, this.text);
    for (const { object, key, value } of fillings)
      if (mayBeFollowed(value)) this.#keyed(object, [key], this.#source(value, scope, branches));
    return fillings.length > 0;
  }

  /** Names that hold from there on what cannot be followed, or nothing at all. */
  #lost(target: Syntax | undefined, scope: Scope, branches: Branches): void {
    if (!target) return;
    eachTarget(target, (leaf) => {
      const isName = leaf.kind === 'identifier' || leaf.kind === 'dotted_name';
      // In a pattern a dotted name is looked up, and `del` of an attribute is left to others.
      if (isName && !this.text.of(leaf).includes('.'))
        this.#target(leaf, { read: () => null, scope, branches, at: leaf });
    });
  }

  /** `except Failure as failure` holds an instance of the class, in its block. */
  #caught(node: Syntax, scope: Scope, branches: Branches): void {
    const [caught, target] = child(node, 'as_pattern')?.children ?? node.children;
    if (!caught || !target || target.kind === 'block') return;
    const instance = (one: Syntax): ValueFact | null => {
      const call = this.values.value(one, scope);
      return call === null ? null : { call };
    };
    const read = () => {
      if (caught.kind !== 'tuple') return instance(caught);
      const either = caught.children.map(instance);
      return either.some((one) => one !== null) ? { either } : null;
    };
    this.#target(target, { read, scope, branches: branchOf(node, branches), at: target });
  }

  #with(node: Syntax, scope: Scope, branches: Branches): void {
    const [value, target] = child(node, 'as_pattern')?.children ?? [];
    if (!value || !target) return;
    const source = this.#source(value, scope, branches);
    const read = () => {
      const of = source.read();
      return of === null ? null : { call: { of, member: '__enter__' } };
    };
    this.#target(target, { ...source, read });
  }

  /** What a condition tells of a name is handed to it as an instance that is made there. */
  #narrowed(node: Syntax, scope: Scope, branches: Branches): void {
    for (const { name, classes, block } of narrowingsOf(node, this.text)) {
      const read = () => {
        const made = classes.map((one) => {
          const call = this.values.value(one, scope);
          return call === null ? null : { call };
        });
        return made.length === 1
          ? (made[0] ?? null)
          : made.some((one) => one !== null)
            ? { either: made }
            : null;
      };
      // The whole `if` is over when what was not so has left.
      this.#target(name, { read, scope, branches, at: block ? name : node, block, narrows: true });
    }
  }

  #out(node: Syntax, scope: Scope, branches: Branches): void {
    const [value] = node.children;
    const kind = node.kind === 'yield' ? 'yield' : 'return';
    if (value && mayBeFollowed(value))
      this.flows.add({ ...this.#source(value, scope, branches), kind, target: '', bound: null });
  }

  /** What flows to a target: a name, an attribute, an item, or several of them that take it apart. */
  #target(target: Syntax, source: Source): void {
    if (around.has(target.kind)) for (const one of target.children) this.#target(one, source);
    else if (unpacked.has(target.kind)) {
      const isStarred = target.children.some((one) => one.kind === 'list_splat_pattern');
      target.children.forEach((one, at) => {
        this.#target(one, one.kind === 'list_splat_pattern' ? source : itemOf(source, isStarred ? null : at));
      });
    } else if (target.kind === 'subscript') {
      const keys: (Syntax | null)[] = [];
      let object: Syntax | undefined = target;
      for (; object?.kind === 'subscript'; object = object.children[0])
        keys.unshift(object.children[1] ?? null);
      if (object) this.#keyed(object, keys, source);
    } else {
      const path = dottedPath(target, this.text);
      const bound = path === null ? undefined : source.scope.lookup(firstName(path))?.scope;
      if (path === null || !bound) return;
      this.flows.add({ ...source, target: path, bound });
      if (target.kind === 'identifier') this.values.enliven(bound, path);
    }
  }

  #keyed(object: Syntax, keys: readonly (Syntax | null)[], source: Source): void {
    const path = dottedPath(object, this.text);
    const bound = path === null ? undefined : source.scope.lookup(firstName(path))?.scope;
    if (path !== null && bound) this.flows.add({ ...source, target: path, keys, bound });
  }

  #source(value: Syntax, scope: Scope, branches: Branches): Source {
    const isFollowed = mayBeFollowed(value) || value.kind === 'none';
    const read = () =>
      (isFollowed ? this.values.alternative(value, scope) : null) ??
      (scope.kind === 'module' ? this.values.literal(value) : null);
    return { read, scope, branches, at: value };
  }
}

/** Inside of a clause that has a block. */
function branchOf(clause: Syntax, { branch, loop }: Branches): Branches {
  return { branch: child(clause, 'block') ?? branch, loop };
}

/** One item of what is on its way, or all of them. */
function itemOf(source: Source, at: number | null = null): Source {
  const read = () => {
    const of = source.read();
    return of === null ? null : { of, key: at === null ? null : { literal: at } };
  };
  return { ...source, read };
}

/** Targets that take a value apart. */
const unpacked = new Set([
  'pattern_list',
  'tuple_pattern',
  'list_pattern',
  'tuple',
  'list',
  'expression_list',
]);
/** What stands around one target. */
const around = new Set(['parenthesized_expression', 'as_pattern_target', 'list_splat_pattern']);

/** Kinds of node that hold or are statements, and expressions that flows are read from. */
const visited = new Set([
  ...branching,
  ...comprehensions,
  ...(
    'block finally_clause assert_statement delete_statement with_statement with_item match_statement ERROR decorated_definition function_definition ' +
    'class_definition assignment augmented_assignment return_statement yield call lambda for_in_clause ' +
    'argument_list keyword_argument await boolean_operator not_operator conditional_expression parenthesized_expression'
  ).split(' '),
]);

/** The names that the patterns of a `case` capture; a dotted one that is looked up may be among them. */
function capturesOf(node: Syntax): Syntax[] {
  return node.children.flatMap((one) => {
    if (one.kind === 'block') return [];
    const name = captured(one);
    return name ? [name, ...capturesOf(one)] : capturesOf(one);
  });
}

function captured({ kind, children }: Syntax): Syntax | undefined {
  const name =
    kind === 'case_pattern' || kind === 'splat_pattern'
      ? children[0]
      : kind === 'keyword_pattern'
        ? children[1]
        : kind === 'as_pattern'
          ? children[children.length - 1]
          : undefined;
  return name?.kind === 'dotted_name' || name?.kind === 'identifier' ? name : undefined;
}
