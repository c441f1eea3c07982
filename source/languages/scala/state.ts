import type { Lowering, NodeId } from '../../lower/index.js';

/** What hooks remember while a file is lowered. */
export interface State {
  /** The package that the file is of so far. */
  inPackage: string;
  /** The package object that is all of its file. */
  packageObject: NodeId | null;
  /** How many `_` of the innermost expression that is a function by them were met. */
  placeholders: number;
  /** Chains of members and calls that were looked at for what {@link turned} holds. */
  readonly straight: Set<NodeId>;
  /** What the grammar gives type arguments as a whole, `a op f[T]`, of which the last part has them. */
  readonly turned: Set<NodeId>;
}

/** The state at the beginning of a file. */
export function newState(): State {
  return { inPackage: '', packageObject: null, placeholders: 0, straight: new Set(), turned: new Set() };
}

/** The state of the file that is lowered. */
export function stateOf(to: Lowering): State {
  return to.own as State;
}
