import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { dottedPath, useOf } from './state.js';

/** Strings in annotations that are read as types: a dotted name, or one as an argument or alternative. */
const DOTTED_NAME = /^[\p{ID_Start}_][\p{ID_Continue}]*(\.[\p{ID_Start}_][\p{ID_Continue}]*)*$/u;

/** What wraps one type. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'type',
  'parenthesized_expression',
  'constrained_type',
  'splat_type',
]);
const UNIONS: ReadonlySet<string> = new Set(['binary_operator', 'union_type']);

/** A written type: every name in it is one, those in strings, too. @returns its row, -1 for none. */
export function annotation(to: Lowering, node: NodeId): number {
  if (node === NONE) return -1;
  const { tree } = to;
  const kind = tree.kind(node);
  const at = tree.start(node);
  const children = tree.children(node);
  if (kind === 'identifier' || (kind === 'attribute' && dottedPath(to, node) !== null))
    return pathAt(to, node);
  if (kind === 'string') return quoted(to, node);
  if (kind === 'none') return to.addType({ kind: 'literal', name: 'None', at });
  if (kind === 'call' || kind === 'lambda') {
    to.expression(node);
    return to.addType({ kind: 'unknown', at });
  }
  const [generic = NONE, ...inside] = children;
  const name = dottedPath(to, generic);
  if (name !== null && (kind === 'subscript' || kind === 'generic_type')) {
    const given = inside.flatMap((one) => (tree.kind(one) === 'type_parameter' ? tree.children(one) : [one]));
    return genericAt(to, generic, name, given);
  }
  const parts = children.map((one) => annotation(to, one));
  const [only] = parts;
  if (only !== undefined && parts.length === 1 && WRAPPERS.has(kind)) return only;
  return to.addType({ kind: UNIONS.has(kind) ? 'union' : 'tuple', parts, at });
}

function genericAt(to: Lowering, node: NodeId, name: string, given: readonly NodeId[]): number {
  const { tree } = to;
  if (/(^|\.)Literal$/.test(name)) return pathAt(to, node);
  if (!/(^|\.)Annotated$/.test(name) || given.length === 0)
    return pathAt(to, node, () => given.map((one) => annotation(to, one)));
  pathAt(to, node);
  const [type = NONE, ...metadata] = given;
  const row = annotation(to, type);
  // The grammar makes types of metadata too; what is inside is a value.
  for (const one of metadata)
    for (const value of tree.kind(one) === 'type' ? tree.children(one) : [one]) to.expression(value);
  return row;
}

/** A type by its path. @param parts Gives its type arguments. */
function pathAt(to: Lowering, node: NodeId, parts: () => readonly number[] = () => []): number {
  const { tree } = to;
  const isPath = tree.kind(node) === 'attribute';
  const [of, name] = isPath ? [to.part(node, 'object'), to.part(node, 'attribute')] : [NONE, node];
  const base = of === NONE ? -1 : silent(to, of);
  const at = tree.start(node);
  const type = to.addType({ kind: 'name', name: tree.textOf(name), base, parts: parts(), at });
  to.refer(useOf('type', name, node, of, -1, -1, type));
  return type;
}

/** A path as a type that is no use of names. */
function silent(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const isPath = tree.kind(node) === 'attribute';
  const base = isPath ? silent(to, to.part(node, 'object')) : -1;
  const name = tree.textOf(isPath ? to.part(node, 'attribute') : node);
  return to.addType({ kind: 'name', name, base, at: tree.start(node) });
}

/** The type of a base; what it is given is used here. */
export function typeOfBase(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [generic = NONE, ...given] = tree.kind(node) === 'subscript' ? tree.children(node) : [node];
  const parts = given.map((one) => annotation(to, one));
  if (dottedPath(to, generic) === null) return to.addType({ kind: 'unknown', at: tree.start(node) });
  const isPath = tree.kind(generic) === 'attribute';
  const base = isPath ? silent(to, to.part(generic, 'object')) : -1;
  const name = tree.textOf(isPath ? to.part(generic, 'attribute') : generic);
  return to.addType({ kind: 'name', name, base, parts, at: tree.start(node) });
}

function quoted(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const literal = tree.textOf(node);
  const [, quote, inside] = /^[ru]?("""|'''|"|')([\s\S]*)\1$/i.exec(literal) ?? [];
  const start = tree.start(node) + literal.indexOf(quote ?? '') + (quote ?? '').length;
  if (quote === undefined || inside === undefined)
    return to.addType({ kind: 'unknown', at: tree.start(node) });
  if (!DOTTED_NAME.test(inside)) return new QuotedType(to, inside, start).read();
  let at = start;
  let type = -1;
  for (const name of inside.split('.')) {
    type = to.addType({ kind: 'name', name, base: type, at });
    at += name.length + 1;
  }
  const dot = inside.lastIndexOf('.');
  const end = start + inside.length;
  to.refer({
    kind: 'type',
    name: { start: start + dot + 1, end },
    whole: { start, end },
    ...(dot < 0 ? {} : { receiver: { start, end: start + dot } }),
    type,
  });
  return type;
}

/** Type arguments in type arguments that are read. */
const DEEPEST = 16;

/** Alternatives and type arguments in a string: `Foo | None`, `list[pkg.Foo]`. Its names are no uses of these. */
class QuotedType {
  #at = 0;

  constructor(
    private readonly to: Lowering,
    private readonly text: string,
    private readonly start: number,
  ) {}

  /** @returns the row of the type; of one that is unknown where the string is something else. */
  read(): number {
    const row = this.#union(0);
    this.#blank();
    return this.#at === this.text.length ? row : this.to.addType({ kind: 'unknown', at: this.start });
  }

  #union(depth: number): number {
    const at = this.#place();
    const parts = [this.#name(depth)];
    while (this.#take('|')) parts.push(this.#name(depth));
    const [only = -1] = parts;
    return parts.length === 1 ? only : this.to.addType({ kind: 'union', parts, at });
  }

  #name(depth: number): number {
    let base = -1;
    do {
      const at = this.#place();
      const name = /^[\p{ID_Start}_][\p{ID_Continue}]*/u.exec(this.text.slice(this.#at))?.[0] ?? '';
      if (name === '') return this.to.addType({ kind: 'unknown', at });
      this.#at += name.length;
      if (name === 'None' && base < 0) return this.to.addType({ kind: 'literal', name, at });
      const isLast = !/^\s*\./.test(this.text.slice(this.#at));
      const parts = isLast && depth < DEEPEST && this.#take('[') ? this.#arguments(depth + 1) : [];
      base = this.to.addType({ kind: 'name', name, base, parts, at });
    } while (this.#take('.'));
    return base;
  }

  #arguments(depth: number): number[] {
    const parts: number[] = [];
    do {
      if (this.#take('...')) parts.push(this.to.addType({ kind: 'variadic', at: this.#place() }));
      else parts.push(this.#union(depth));
    } while (this.#take(','));
    this.#take(']');
    return parts;
  }

  #take(token: string): boolean {
    this.#blank();
    if (!this.text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #blank(): void {
    while (/\s/.test(this.text[this.#at] ?? '')) this.#at += 1;
  }

  #place(): number {
    this.#blank();
    return this.start + this.#at;
  }
}
