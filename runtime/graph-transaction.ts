import { ROOT_ID } from './builtin.js';
import type { SpawnTarget } from './context.js';
import type { Dispatch } from './dispatch.js';
import { inTime } from './in-time.js';
import { instanceOf, walkResult } from './instance.js';
import type { GraphParts, Session } from './parts.js';
import type { NodeRef } from './refs.js';
import { type RunOptions, RunScope, type WalkResult } from './run.js';
import { Transaction } from './transaction.js';
import type { View } from './view.js';
import { newWalk } from './walk-context.js';
import type { InputOf, WalkerInstance, WalkerType } from './walker.js';

/**
 * A transaction outside a walk: what a reading one offers, changes, and walkers spawned in it, all of whose changes
 * are its own.
 */
export class GraphTransaction extends Transaction {
  readonly #parts: GraphParts;
  readonly #dispatch: Dispatch;
  readonly #beside: Pick<Session, 'blobs' | 'memory'>;

  /** @param beside bytes that go with its commit, and the graph's memory: for walkers that are spawned in it. */
  constructor(view: View, parts: GraphParts, dispatch: Dispatch, beside: Pick<Session, 'blobs' | 'memory'>) {
    super(view, parts.catalog, parts.ids, true);
    this.#parts = parts;
    this.#dispatch = dispatch;
    this.#beside = beside;
  }

  /** The root node: every graph has it. */
  async root(): Promise<NodeRef> {
    return (await this.node(ROOT_ID)) as NodeRef;
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
    const session = {
      tx: this,
      commit: null,
      fillFrom: null,
      hasCommitted: () => false,
      version: null,
      codeRevision: null,
      ...this.#beside,
    };
    const walk = newWalk(instance, session, scope, this.#parts, this.#dispatch);
    await inTime(scope, instance.instanceOf.name, () => walk.run(target));
    return walkResult(instance, walk, scope, 0);
  }
}
