import type { Lowering, NewReference, NodeId, Scope } from '../../lower/index.js';
import { isInTestFolder } from '../test-folder.js';
import { TEST_FILES } from './test-path.js';

/** A node and the scope that its names are looked up in. */
export interface SeenNode {
  readonly node: NodeId;
  /** What it is given to: a target, or the number of the definition that it decorates. */
  readonly target: NodeId;
  readonly scope: Scope;
}

/** What may tell of routes, in the order of the text. */
export interface SeenNodes {
  /** Values that are assigned, and types that are written for targets. */
  readonly assigned: SeenNode[];
  readonly typed: SeenNode[];
  /** Calls that decorate. */
  readonly decorations: SeenNode[];
  readonly calls: SeenNode[];
}

/** What registers a route, as text: nearly no file has it, and it costs the least to ask. */
const ROUTES =
  /\.(?:route|api_route|websocket|get|post|put|patch|delete|head|options|trace|add_url_rule|add_api_route)\s*\(|\bdjango\b/;

/** What is remembered while one file is lowered. */
export interface State {
  /** Names that the body of a class binds, and attributes that its methods defined so far. */
  readonly members: Map<number, Set<string>>;
  /** Names that variables of the open lists of statements define, of one scope. */
  known: readonly Set<string>[];
  /** Classes of the module. */
  readonly classes: Set<string>;
  /** Functions that are lambdas, by their node. */
  readonly lambdas: Map<NodeId, number>;
  /** What variables hold that were last assigned a name that is put together. */
  readonly patterns: Map<Scope, Map<string, string | null>>;
  /** Null for a file that registers no routes: a test's own application is part of the test. */
  readonly seen: SeenNodes | null;
  /** Whether what is read is only for type checkers. */
  isTypeOnly: boolean;
  /** Whether modules may be loaded by a call. */
  readonly isLoading: boolean;
  /** The call that is assigned right now, and to what. */
  assigned: { readonly call: NodeId; readonly target: NodeId } | null;
  /** Names that the module imports as themselves, `import x as x`: by PEP 484 they are passed on. */
  readonly redundant: Set<string>;
}

/** The state of the file that is lowered. */
export function stateOf(to: Lowering): State {
  if (to.own) return to.own as State;
  const isRouting = !TEST_FILES.test(to.path) && !isInTestFolder(to.path) && ROUTES.test(to.tree.text);
  const made: State = {
    seen: isRouting ? { assigned: [], typed: [], decorations: [], calls: [] } : null,
    members: new Map(),
    known: [new Set()],
    classes: new Set(),
    lambdas: new Map(),
    patterns: new Map(),
    isTypeOnly: false,
    isLoading: /import_module|__import__/.test(to.tree.text),
    assigned: null,
    redundant: new Set(),
  };
  to.own = made;
  return made;
}

/** A use of a name: all have one shape, since there are many. */
export function useOf(
  kind: NewReference['kind'],
  name: NodeId,
  whole: NodeId,
  receiver: NodeId,
  receiverRow: number,
  expression: number,
  type = -1,
  called?: string,
): NewReference {
  return {
    kind,
    name,
    called,
    whole,
    receiver,
    receiverRow,
    arguments: null,
    expression,
    type,
    from: null,
    scope: null,
  };
}

/** What stands inside parentheses, however many. */
export function unwrapped({ tree }: Lowering, node: NodeId): NodeId {
  let inner = node;
  while (tree.kind(inner) === 'parenthesized_expression' && tree.first(inner) >= 0) inner = tree.first(inner);
  return inner;
}

/** `a.b.c` as written without white space; null when the expression is anything else than a dotted path. */
export function dottedPath(to: Lowering, node: NodeId): string | null {
  const { tree } = to;
  const kind = tree.kind(node);
  if (kind === 'identifier') return tree.textOf(node);
  if (kind === 'dotted_name') return tree.textOf(node).replace(/\s+/g, '');
  if (kind !== 'attribute') return null;
  const name = to.part(node, 'attribute');
  const head = tree.kind(name) === 'identifier' ? dottedPath(to, to.part(node, 'object')) : null;
  return head === null ? null : `${head}.${tree.textOf(name)}`;
}

/** The last name of a dotted path. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** A name in capitals, as constants are written. */
export function isUpperCase(name: string): boolean {
  return /^_*[A-Z][A-Z0-9_]*$/.test(name);
}

/** A name with a capital, as classes are written: `Foo`, `_Foo`. */
export function looksLikeClass(name: string): boolean {
  return /^_*[A-Z]/.test(name) && !isUpperCase(name);
}

/** Target patterns that hold targets. */
const PATTERNS: ReadonlySet<string> = new Set(
  (
    'pattern_list tuple_pattern list_pattern list_splat_pattern dictionary_splat_pattern parenthesized_expression ' +
    'expression_list as_pattern_target tuple list list_splat'
  ).split(' '),
);

/** Every name, attribute and subscript that a target binds: `x, (self.y, *z)` is three. */
export function targetsOf(to: Lowering, target: NodeId): NodeId[] {
  if (target < 0) return [];
  if (!PATTERNS.has(to.tree.kind(target))) return [target];
  return to.tree.children(target).flatMap((one) => targetsOf(to, one));
}
