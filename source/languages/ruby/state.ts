import { SYMBOL_FLAGS } from '../../ir/index.js';
import { AssignedNames, type Lowering, NONE, type NodeId, type Scope } from '../../lower/index.js';
import { type Doc, NO_DOC } from './docs.js';

/** Files of tests, by their folders or names. */
export const TEST_FILES = /(?:^|\/)(?:test|spec|features)\/|_(?:test|spec)\.rb$|(?:^|\/)test_[^/]*\.rb$/;

/** What is known of a Ruby file while it is lowered. */
export interface RubyFile {
  readonly locals: AssignedNames;
  /** The class or module around the place. */
  type: RubyType | null;
  /** The method around the place: its name. */
  method: string | null;
  /** What code is run on: what is around it, an instance of the type around it, or something that is not known. */
  self: Self;
  /** Blocks that are run on something else than what is around them. */
  readonly others: Map<NodeId, Self>;
  /** What the comment above the method around the place says. */
  doc: Doc;
  /** Of code that others see as members of the type itself: `class << self`, `def self.x`. */
  isStatic: boolean;
}

/** What code is run on: see {@link RubyFile}. */
export type Self = 'around' | 'instance' | 'other';

/** What is known of a class or module while it is lowered. */
export interface RubyType {
  readonly definition: number;
  readonly scope: Scope;
  /** Who sees the methods that are defined from here on. */
  access: 'public' | 'protected' | 'private';
  /** The last definitions of its methods, those of the class itself behind a dot. */
  readonly methods: Map<string, number>;
  /** What is assigned to instance variables, by their names, those of the class itself behind a dot. */
  readonly fields: Map<string, { readonly definition: number; readonly values: number[] }>;
  /** Mixins, in the order of the text: the last one counts first. */
  readonly mixins: { readonly type: number; readonly node: NodeId }[];
}

/** What is known of a file: made when it is asked for first. */
export function fileOf(to: Lowering): RubyFile {
  const known = to.own as RubyFile | undefined;
  if (known) return known;
  const made: RubyFile = {
    locals: new AssignedNames(to, (name) => ownerOf(to, name)),
    type: null,
    method: null,
    self: 'around',
    others: new Map(),
    isStatic: false,
    doc: NO_DOC,
  };
  to.own = made;
  return made;
}

/** The scope that has a local, of the method around the place: blocks see what is around them, methods and types do not. */
function ownerOf({ scopes }: Lowering, name: string): Scope | null {
  for (let scope: Scope | null = scopes.current; scope; scope = scope.parent) {
    const code = scope.names?.get(name);
    if (code !== undefined) return scope;
    if (scope.symbol >= 0) return null;
  }
  return null;
}

/** Whether a bare name is a local of the place. */
export function isLocal(to: Lowering, name: string): boolean {
  return ownerOf(to, name) !== null && to.scopes.find(name)?.known !== 'symbol';
}

/** Who sees what nothing says otherwise of. */
export const PUBLIC = { exported: true, visibility: 'public' } as const;

/** Says who sees methods that are defined already, by their names. */
export function restrict(
  to: Lowering,
  type: RubyType,
  visibility: 'public' | 'protected' | 'private',
  names: readonly string[],
  isStatic: boolean,
): void {
  for (const name of names) {
    const index = type.methods.get(isStatic ? `.${name}` : name);
    const one = index === undefined ? undefined : to.definitions[index];
    if (index === undefined || !one) continue;
    one.visibility = visibility;
    to.setExported(index, visibility === 'public');
  }
}

/** The instance variable that a name is of the type around, with what is assigned to it; null outside of types. */
export function fieldOf(to: Lowering, node: NodeId): { readonly values: number[] } | null {
  const file = fileOf(to);
  const { type } = file;
  if (!type || file.self === 'other') return null;
  const name = to.tree.textOf(node);
  const isShared = name.startsWith('@@');
  const isStatic = !isShared && file.self !== 'instance' && (file.isStatic || file.method === null);
  const key = isStatic ? `.${name}` : name;
  const known = type.fields.get(key);
  if (known) return known;
  const start = to.tree.start(node);
  const definition = to.scopes.within(type.scope, () =>
    to.ownedBy(type.definition, () =>
      to.define({
        kind: isShared ? 'variable' : 'field',
        name: node,
        ...{
          start,
          end: to.tree.end(node),
          docstring: null,
          access: { exported: false, visibility: 'private' },
        },
        flags: SYMBOL_FLAGS.assigned | (isStatic ? SYMBOL_FLAGS.static : 0),
      }),
    ),
  );
  const made = { definition, values: [] };
  type.fields.set(key, made);
  return made;
}

/** Gives each instance variable what all methods assign to it. */
export function closeFields(to: Lowering, { fields }: RubyType, at: number): void {
  for (const { definition, values } of fields.values()) {
    const [only = -1] = values;
    const value = values.length < 2 ? only : to.addExpression({ kind: 'either', parts: values, at });
    to.setSymbol(definition, 'value', value);
  }
}

/** A name that is written as a symbol or a text: `:name`, `'name'`; empty for anything else. */
export function writtenName(to: Lowering, node: NodeId): string {
  const text = to.tree.textOf(node);
  return /^:?(["']?)([A-Za-z_]\w*[?!=]?)\1$/.exec(text)?.[2] ?? '';
}

/** The node of the arguments of a call; the block is none of them. */
export function argumentsIn(to: Lowering, call: NodeId): NodeId[] {
  const list = to.part(call, 'arguments');
  return list === NONE ? [] : to.tree.children(list);
}

/** Whether a node names a constant. */
export function isConstant(to: Lowering, node: NodeId): boolean {
  const kind = to.tree.kind(node);
  return kind === 'constant' || kind === 'scope_resolution';
}

/** The row of the type that a constant names, of which the use is noted elsewhere. */
export function typeRow(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  if (tree.kind(node) !== 'scope_resolution')
    return to.addType({ kind: 'name', name: tree.textOf(node), at });
  const name = tree.textOf(to.part(node, 'name'));
  const of = to.part(node, 'scope');
  // `::A` is in no type.
  if (of === NONE) return to.addType({ kind: 'name', name, scope: 0, at });
  return isConstant(to, of)
    ? to.addType({ kind: 'name', name, base: typeRow(to, of), at })
    : to.addType({ kind: 'unknown', at });
}

/** The row of the type that a type is as a value. */
export function valueType(to: Lowering, type: number, at: number): number {
  const base = to.addType({ kind: 'package', name: 'ruby', at });
  return to.addType({ kind: 'name', name: 'Class', base, parts: [type], at });
}

/** The object itself. */
export function selfRow(to: Lowering, at: number): number {
  const { self } = fileOf(to);
  if (self === 'other') return to.unknown;
  const type = self === 'instance' ? to.addType({ kind: 'this', at }) : -1;
  return to.addExpression({ kind: 'this', type, at });
}
