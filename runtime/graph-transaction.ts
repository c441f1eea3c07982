import { ROOT_ID } from './builtin.js';
import type { SpawnTarget } from './context.js';
import type { Dispatch } from './dispatch.js';
import { instanceOf, walkResult } from './instance.js';
import type { GraphParts, Session } from './parts.js';
import type { NodeRef } from './refs.js';
import { type RunOptions, RunScope, type WalkResult } from './run.js';
import type { Transaction } from './transaction.js';
import { newWalk } from './walk-context.js';
import type { InputOf, WalkerInstance, WalkerType } from './walker.js';

/** A transaction outside a walk, in which walkers can be spawned: all their changes are its own. */
export class GraphTransaction {
  readonly #session: Session;
  readonly #parts: GraphParts;
  readonly #dispatch: Dispatch;

  constructor(session: Session, parts: GraphParts, dispatch: Dispatch) {
    this.#session = session;
    this.#parts = parts;
    this.#dispatch = dispatch;
  }

  /** Path expressions, look-ups and changes. */
  get graph(): Transaction {
    return this.#session.tx;
  }

  /** The root node: every graph has it. */
  async root(): Promise<NodeRef> {
    return (await this.graph.node(ROOT_ID)) as NodeRef;
  }

  /** Runs a walker inside this transaction. Throws what the walker throws; what it changed until then stays. */
  async spawn<W extends WalkerType>(
    walker: W | WalkerInstance<W>,
    target: SpawnTarget,
    input?: InputOf<W>,
    options: RunOptions = {},
  ): Promise<WalkResult<W>> {
    const instance = instanceOf(walker, input);
    const scope = new RunScope(this.#parts.limits, options, this.#parts.clock);
    const walk = newWalk(instance, this.#session, scope, this.#parts, this.#dispatch);
    await walk.run(target);
    return walkResult(instance, walk, scope, 0);
  }
}
