import type { Definition, ExportFact, ImportFact, ReferenceKind, TypeFact } from '../../facts.js';
import type { FoundFlow, Given } from './flows.js';
import { keyOf } from './literals.js';
import type { Place } from './place.js';
import { memberOf, type Receiver, spellingOf } from './receivers.js';
import type { Scope } from './scopes.js';
import type { SyntaxNode, SyntaxSource } from './syntax.js';

/** A fact and where it stands in the text, for the final order. */
export interface Placed<Fact> {
  fact: Fact;
  offset: number;
}

/** A use of a name before it is known what the name is bound to. */
export interface FoundUse {
  kind: ReferenceKind;
  name: string;
  /** Where the name stands. */
  offset: number;
  receiver: Receiver | null;
  /** What is called, where it has no name of its own: `handlers[key]` of `handlers[key]()`. */
  callee?: SyntaxNode;
  /** What the name is a property of, where it stands as a key. */
  given?: Given;
  /** Whether the receiver is visited itself: its names stand on lines above the member's. */
  isApart?: boolean;
  /** The whole expression. */
  node: SyntaxNode;
  arguments: number | null;
  definition: number | null;
  scope: Scope;
}

/** A type that is told of a name, and where the name is used that tells it. */
export interface FoundType extends Placed<TypeFact> {
  scope: Scope;
}

/** A call that is a test when the name it calls comes from a test framework. */
export interface FoundTest {
  /** The name that is called: `it` of `it.only.each(…)`. */
  root: string;
  scope: Scope;
  title: string;
  /** Whether the title is written as a text, and not only a name that might hold one. */
  hasText: boolean;
  suites: readonly string[];
  signature: string;
  /** The function that is run, or its name. */
  callback: SyntaxNode;
  node: SyntaxNode;
}

/** What a visitor does with a node. */
export type Visitor = (node: SyntaxNode, at: Place, found: Findings) => void;

const LEAVES = new Set([
  'identifier',
  'type_identifier',
  'shorthand_property_identifier',
  'shorthand_property_identifier_pattern',
]);
const ROOTS = new Set(['identifier', 'this', 'super']);

/** Deeper than this the walk puts a subtree aside and takes it up again from the top: the stack is finite. */
const DEEPEST = 200;
/** What stands in more scopes, or under a longer path, is left without facts: nobody writes it, and each name asks all. */
const MOST_SCOPES = 256;
const LONGEST_PATH = 2000;
/** Of one name; more are not told apart. */
const MOST_IMPORTS = 64;

/** Everything that a walk over one file has found so far, and the walk itself. */
export class Findings {
  readonly source: SyntaxSource;
  /** Whether any condition of the file tells of what class something is. */
  readonly tellsInstances: boolean;
  /** Their ordinals, and the numbers of their parents, are set when all are known. */
  readonly definitions: Placed<Definition>[] = [];
  readonly uses: FoundUse[] = [];
  readonly imports: Placed<ImportFact>[] = [];
  readonly exports: Placed<ExportFact>[] = [];
  /** Whether a callee is local is set when all names are bound. */
  readonly types: FoundType[] = [];
  readonly tests: FoundTest[] = [];
  /** What values names get; which of them matter is known when all uses are. */
  readonly flows: FoundFlow[] = [];
  /** The definitions that functions and classes are, by their nodes. */
  readonly defined = new Map<SyntaxNode, number>();
  readonly #visitors: ReadonlyMap<string, Visitor>;
  /** Numbers of the first definitions of their qualified names. */
  readonly #named = new Map<string, number>();
  readonly #components = new Set<string>();
  readonly #imported = new Map<string, ImportFact[]>();
  readonly #aside: [SyntaxNode, Place][] = [];
  #depth = 0;

  constructor(source: SyntaxSource, visitors: ReadonlyMap<string, Visitor>) {
    this.source = source;
    this.tellsInstances = source.text.includes('instanceof');
    this.#visitors = visitors;
  }

  /** Walks the whole file. */
  walk(top: Place): void {
    this.visitChildren(this.source.root, top);
    for (let next = this.#aside.pop(); next !== undefined; next = this.#aside.pop()) this.visit(...next);
  }

  /** Hands a node to its type's visitor; what has none is walked through. */
  visit(node: SyntaxNode, at: Place): void {
    if (at.scope.depth > MOST_SCOPES || at.path.length > LONGEST_PATH) return;
    if (this.#depth > DEEPEST) {
      this.#aside.push([node, at]);
      return;
    }
    this.#depth += 1;
    const visitor = this.#visitors.get(node.type);
    if (visitor === undefined) for (const child of node.children) this.visit(child, at);
    else visitor(node, at, this);
    this.#depth -= 1;
  }

  /** Visits every child. */
  visitChildren(node: SyntaxNode, at: Place): void {
    for (const child of node.children) this.visit(child, at);
  }

  /** Visits a node that may be absent. */
  visitMaybe(node: SyntaxNode | null, at: Place): void {
    if (node !== null) this.visit(node, at);
  }

  /** Keeps a definition; its number is good until the file's facts are put in order. */
  define(fact: Definition, offset: number): number {
    const number = this.definitions.push({ fact, offset }) - 1;
    if (!this.#named.has(fact.qualname)) this.#named.set(fact.qualname, number);
    if (fact.is_component && !fact.is_property) this.#components.add(fact.name);
    return number;
  }

  /** The number of the first definition of a qualified name so far; undefined when there is none. */
  definitionOf(qualname: string): number | undefined {
    return this.#named.get(qualname);
  }

  /** Whether a component of this name was defined so far, that is no property of something. */
  hasComponent(name: string): boolean {
    return this.#components.has(name);
  }

  /** The imports so far that bind a name, in the order of the walk. */
  importsOf(local: string): readonly ImportFact[] {
    return this.#imported.get(local) ?? [];
  }

  /**
   * Keeps the use that `node` makes of a name or member, `target`, and visits what stands in the member's receiver.
   */
  use(
    kind: ReferenceKind,
    target: SyntaxNode,
    node: SyntaxNode,
    at: Place,
    count: number | null = null,
  ): void {
    const member = LEAVES.has(target.type) ? null : memberOf(target);
    const inner = member?.inner ?? null;
    const isApart =
      inner !== null &&
      member?.receiver.node === undefined &&
      this.source.line(inner.start) < this.source.line(member?.offset ?? 0);
    this.uses.push({
      kind,
      name: member === null ? target.text : member.name,
      offset: member === null ? target.start : member.offset,
      receiver: member === null ? null : member.receiver,
      isApart,
      node,
      arguments: count,
      definition: at.definition,
      scope: at.scope,
    });
    if (inner === null) return;
    if (isApart) this.visit(inner, at);
    else this.visitReceiver(inner, at);
  }

  /** Keeps the call of what is no name, under a short spelling, and visits what stands in it. */
  useComputed(
    kind: ReferenceKind,
    callee: SyntaxNode,
    node: SyntaxNode,
    at: Place,
    count: number | null,
  ): void {
    const { start: offset } = callee;
    const { definition, scope } = at;
    const name = spellingOf(callee);
    this.uses.push({ kind, name, offset, receiver: null, callee, node, arguments: count, definition, scope });
    this.visit(callee, at);
  }

  /** Keeps that a key of a literal, pattern or element names a property of what is given there. */
  useKey(kind: 'read' | 'write' | 'type', key: SyntaxNode, given: Given, at: Place): void {
    const name = key.type.startsWith('shorthand') ? key.text : keyOf(key);
    if (name === null) return;
    const { start: offset } = key;
    const { definition, scope } = at;
    this.uses.push({
      kind,
      name,
      offset,
      receiver: null,
      given,
      node: key,
      arguments: null,
      definition,
      scope,
    });
  }

  /** What stands in a receiver besides the path that the reference itself shows. */
  visitReceiver(receiver: SyntaxNode, at: Place): void {
    let one: SyntaxNode | null = receiver;
    while (one?.type === 'member_expression' || one?.type === 'non_null_expression') one = one.first;
    if (one !== null && !ROOTS.has(one.type)) this.visit(receiver, at);
  }

  /** Keeps what is told of a name's type. */
  type(target: string, type: string, source: TypeFact['source'], node: SyntaxNode, at: Place): void {
    const { block } = at;
    this.types.push({
      fact: {
        target,
        type,
        source,
        local: false,
        from: at.definition,
        block: block === null || target.startsWith('this.') ? null : this.source.span(block.start, block.end),
        line: this.source.line(node.start),
      },
      offset: node.start,
      scope: at.scope,
    });
  }

  /** Keeps what an import statement or expression binds. */
  import(fact: Omit<ImportFact, 'from' | 'line' | 'column'>, node: SyntaxNode, at: Place): void {
    for (const { local } of fact.names) if (local !== null) at.scope.bind(local, 'import');
    const { module, kind, type_only, names } = fact;
    const line = this.source.line(node.start);
    const column = this.source.columnOf(node.start);
    const from = at.definition;
    const imported = { module, kind, type_only, names, from, line, column };
    this.imports.push({ fact: imported, offset: node.start });
    for (const { local } of names) {
      if (local === null) continue;
      const known = this.#imported.get(local);
      if (!known) this.#imported.set(local, [imported]);
      else if (known.length < MOST_IMPORTS && known.at(-1) !== imported) known.push(imported);
    }
  }

  /** Keeps a name that the file offers to others. */
  export(
    name: string,
    local: string | null,
    module: string | null,
    node: SyntaxNode,
    definition?: number,
  ): void {
    const line = this.source.line(node.start);
    this.exports.push({ fact: { name, local, module, definition, line }, offset: node.start });
  }
}
