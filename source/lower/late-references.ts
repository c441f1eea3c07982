import type { Reference } from '../facts.js';
import { EXPRESSION_KINDS, type ExpressionKind, TYPE_KINDS, type UnitBuilder } from '../ir/index.js';
import type { FlowRules, NewReference, Piece } from './rules.js';
import type { FoundName, Scope, Scopes } from './scopes.js';
import type { SourceText } from './source-text.js';
import { NONE, type NodeId, type SyntaxTree } from './syntax-tree.js';

/** What the references of a file are decided by. */
export interface LateFile {
  readonly tree: SyntaxTree;
  readonly text: SourceText;
  readonly unit: UnitBuilder;
  readonly scopes: Scopes;
  readonly rules: FlowRules;
  /** Whether an import brings names that are not listed. */
  hasStar(): boolean;
  isInside(node: NodeId): boolean;
}

/** A reference and its place in the text. */
export interface Placed {
  readonly reference: Reference;
  readonly given: NewReference;
  readonly at: number;
}

/** The most characters of an expression. */
export const EXPRESSION = 120;

/**
 * The uses of names of a language whose names belong to all of their scope. Which of them are references is decided when all
 * scopes are known: locals and names of the language are none, unless something is called.
 */
export class LateReferences {
  /** Uses of names whose meaning is not known yet. */
  readonly #uses: NewReference[] = [];

  constructor(private readonly file: LateFile) {}

  add(given: NewReference, from: number | null): void {
    const { tree, scopes } = this.file;
    // Where the grammar misses a name it makes up an empty one.
    if (startOf(tree, given.name) === endOf(tree, given.name)) return;
    given.from = from;
    given.scope = scopes.current;
    this.#uses.push(given);
  }

  /** The references in the order of the text. */
  take(): Placed[] {
    const found: Placed[] = [];
    for (const given of this.#uses) {
      const reference = this.#reference(given);
      if (reference) found.push({ reference, given, at: startOf(this.file.tree, given.name) });
    }
    return found.sort((a, b) => a.at - b.at);
  }

  /** Whether a name that was found is bound in a function as what no definition or import is. */
  static isLocal(found: FoundName | null): boolean {
    if (found === null || found.known === 'symbol' || found.known === 'import') return false;
    return found.scope.kind !== 'file' && found.scope.kind !== 'type';
  }

  #reference(given: NewReference): Reference | null {
    const { tree, text, scopes } = this.file;
    const { from = null } = given;
    const scope = given.scope ?? scopes.current;
    const { kind, name, whole, receiver = NONE, receiverRow = -1, type = -1 } = given;
    const hasReceiver = receiver !== NONE;
    const root = hasReceiver ? this.#root(receiverRow, type) : null;
    const form = hasReceiver ? this.#form(root, scope, given) : 'none';
    const start = startOf(tree, name);
    const written = tree.text.slice(start, endOf(tree, name));
    const rootName = hasReceiver ? (form === 'path' ? (root?.name ?? null) : null) : written;
    const found = rootName === null ? null : scopes.find(rootName, scope);
    const isLocal = given.local ?? LateReferences.isLocal(found);
    if (!this.#isKept(given, form, rootName, found, isLocal)) return null;
    const line = text.line(start);
    return {
      kind,
      name: given.called ?? written,
      receiver: hasReceiver ? text.bare(startOf(tree, receiver), endOf(tree, receiver), EXPRESSION) : null,
      receiver_form: given.called !== undefined && !hasReceiver ? 'other' : form,
      from,
      line,
      column: text.column(start, line),
      expression: text.folded(startOf(tree, whole), endOf(tree, whole), EXPRESSION),
      local: isLocal,
      arguments: given.arguments ?? null,
      on: undefined,
      callee: undefined,
      types: undefined,
      values: undefined,
    };
  }

  #isKept(
    { kind, always }: NewReference,
    form: Reference['receiver_form'],
    name: string | null,
    found: FoundName | null,
    isLocal: boolean,
  ): boolean {
    if (always || kind === 'call' || kind === 'new' || kind === 'jsx' || kind === 'decorator') return true;
    if (form === 'this' || form === 'super' || form === 'call') return true;
    if (name === null) return false;
    if (found)
      return (
        found.known === 'symbol' ||
        found.known === 'import' ||
        (isLocal && form === 'path' && kind !== 'type')
      );
    return (kind === 'type' || this.file.hasStar()) && !this.file.rules.isBuiltin(name);
  }

  /** What a path of members begins with. */
  #root(row: number, type: number): { readonly kind: ExpressionKind; readonly name: string } | null {
    const { unit } = this.file;
    if (row < 0 && type < 0) return null;
    const table = row < 0 ? 'types' : 'expressions';
    let at = row < 0 ? type : row;
    for (;;) {
      const number = unit.get(table, 'kind', at);
      const kind =
        row < 0
          ? TYPE_KINDS[number] === 'name'
            ? 'name'
            : 'unknown'
          : (EXPRESSION_KINDS[number] ?? 'unknown');
      const base = unit.get(table, 'base', at);
      const isPath = row < 0 ? kind === 'name' && base >= 0 : kind === 'member';
      if (!isPath) return { kind, name: kind === 'name' ? unit.textOf(unit.get(table, 'name', at)) : '' };
      at = base;
    }
  }

  #form(
    root: { readonly kind: ExpressionKind; readonly name: string } | null,
    scope: Scope,
    { receiver = NONE }: NewReference,
  ): Exclude<Reference['receiver_form'], 'none'> {
    if (root === null) return 'other';
    const { kind, name } = root;
    if (kind === 'name') {
      if (typeof receiver === 'number' && this.file.isInside(receiver)) return 'other';
      return this.file.scopes.find(name, scope)?.known === 'receiver' ? 'this' : 'path';
    }
    if (kind === 'this' || kind === 'super') return kind;
    if (LITERALS.has(kind)) return 'literal';
    return kind === 'call' || kind === 'new' ? 'call' : 'other';
  }
}

const LITERALS: ReadonlySet<ExpressionKind> = new Set(['literal', 'constant', 'nothing', 'list', 'map']);

/** Where a part of the text begins. */
export function startOf(tree: SyntaxTree, piece: Piece): number {
  return typeof piece === 'number' ? tree.start(piece) : piece.start;
}

/** Where a part of the text ends. */
export function endOf(tree: SyntaxTree, piece: Piece): number {
  return typeof piece === 'number' ? tree.end(piece) : piece.end;
}
