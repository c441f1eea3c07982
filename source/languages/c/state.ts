import { SYMBOL_FLAGS } from '../../ir/index.js';
import type { Lowering, NewDefinition, NodeId } from '../../lower/index.js';
import type { Declared } from './declarators.js';

/** What a declaration written elsewhere is a member of. */
export interface Receiver {
  /** The row of its type. */
  readonly type: number;
  /** Dotted. */
  readonly owner: string;
  /** The node of the last name. */
  readonly name: NodeId;
}

/** What is remembered while a file is lowered: C has none of what is in it, C++ all. */
export class State {
  /** Of the members that come next. */
  access: 'public' | 'protected' | 'private' = 'public';
  /** Whether what is declared is for this file alone: in a namespace without a name. */
  isHidden = false;
  /** The parameters of the template whose declaration comes next. */
  template: { readonly lists: readonly NodeId[]; readonly start: number } | null = null;
  /** The row of the scope that has the constants of the innermost enum; -1: its own. */
  enumScope = 0;
  /** Whether types in types are theirs. */
  readonly nests: boolean = false;
  /** What a local is made by, where its declarator has arguments. */
  readonly constructs:
    | ((to: Lowering, declarator: NodeId, type: NodeId, declared: Declared) => number | undefined)
    | null = null;

  /** What a name with a path in front of it is a member of; null for a bare name. */
  receiverOf(_to: Lowering, _name: NodeId): Receiver | null {
    return null;
  }

  /** Who sees what is declared at a place. */
  shown(to: Lowering): Pick<NewDefinition, 'access' | 'flags'> {
    const isMember = to.owner !== null && to.definitions[to.owner]?.form === 'class';
    if (isMember) {
      const visibility = this.access;
      return { access: { exported: visibility !== 'private' && !this.isHidden, visibility } };
    }
    if (!this.isHidden) return {};
    return { access: { exported: false, visibility: 'private' }, flags: SYMBOL_FLAGS.static };
  }

  /** Binds the parameters of the template in the scope of what it is in front of. */
  takeParameters(to: Lowering, definition: number): void {
    const { template } = this;
    this.template = null;
    for (const list of template?.lists ?? []) to.typeParameters(list, definition);
  }
}

/** The state of a file. */
export function stateOf(to: Lowering): State {
  return to.own as State;
}
