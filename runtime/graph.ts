import { CodewalkError, type Layer, LIMITS } from '../schema/index.js';
import { noBlobs } from './blob-writes.js';
import { ROOT_ID } from './builtin.js';
import { ReadSet } from './conflict.js';
import type { CommitOptions, SpawnTarget } from './context.js';
import { checkDeclared } from './declared.js';
import { Dispatch } from './dispatch.js';
import { GraphTransaction } from './graph-transaction.js';
import { inTime } from './in-time.js';
import { copyOf, instanceOf, walkResult } from './instance.js';
import { GraphMemory } from './memory.js';
import type { GraphParts, Session } from './parts.js';
import { PinnedVersion } from './pinned.js';
import { limitText, type RunOptions, type RunResult, RunScope } from './run.js';
import { Transaction } from './transaction.js';
import type { Running } from './transaction-manager.js';
import { View } from './view.js';
import type { Walk } from './walk.js';
import { newWalk } from './walk-context.js';
import type { InputOf, OutputOf, WalkerInstance, WalkerType } from './walker.js';

/**
 * A graph: two layers seen as one, and the only place where walkers run and transactions commit. Runs may
 * overlap; its {@link TransactionManager} orders their commits, and a run keeps reading the version it began with.
 */
export class Graph {
  readonly #parts: GraphParts;
  readonly #dispatch: Dispatch;
  readonly #memory = new GraphMemory();
  #closed = false;

  constructor(parts: GraphParts) {
    this.#parts = parts;
    this.#dispatch = new Dispatch(parts.arrivals);
    parts.transactions.join(parts);
  }

  /** Counts the commits of both layers: those of other graphs to the durable one too. */
  get revision(): number {
    return this.#parts.layers.derived.revision + this.#parts.layers.durable.revision;
  }

  /** The absolute path of the project; null for a graph in memory. */
  get projectRoot(): string | null {
    return this.#parts.projectRoot;
  }

  /**
   * Runs a walker from `target`; null: where the walker's `start` says, else from the root.
   *
   * @throws CodewalkError `INVALID_INPUT`, `CANCELLED`, `CONFLICT`, `DEADLINE` (a writing run that hit a limit:
   * nothing was written), or whatever the walker throws.
   */
  async spawn<W extends WalkerType>(
    walker: W | WalkerInstance<W>,
    target: SpawnTarget | null = null,
    input?: InputOf<W>,
    options: RunOptions = {},
  ): Promise<RunResult<W>> {
    const type: WalkerType = 'instanceOf' in walker ? walker.instanceOf : walker;
    const writable = type.access !== 'read';
    const how = { writable, sync: type.sync };
    const fields = 'instanceOf' in walker && type.access === 'write' ? copyOf(walker.state) : null;
    const before = this.#parts.roundTrips();
    const { limits, clock } = this.#parts;
    const started = clock() - (options.elapsedMs ?? 0);
    let mayReplay = () => type.access === 'write';
    return this.#replayed(
      () => mayReplay(),
      async (attempt) => {
        const instance = instanceOf(walker, input);
        if (fields && attempt > 1) Object.assign(instance.state as object, copyOf(fields));
        const scope = new RunScope(limits, options, clock, { started, inSteps: type.access === 'steps' });
        const { walk, output } = await this.#transact(how, this.#plain(writable), async (session) => {
          const owned = type.access === 'steps' ? session : { ...session, commit: null, fillFrom: null };
          if (type.access === 'steps') mayReplay = () => !session.hasCommitted();
          const walk = newWalk(instance, owned, scope, this.#parts, this.#dispatch);
          const work = () => this.#walkAndFinish(type, walk, target);
          return { walk, output: await inTime(scope, type.name, work) };
        });
        return {
          ...walkResult(instance, walk, scope, 0),
          output: output as OutputOf<W>,
          figures: {
            visits: scope.visits,
            roundTrips: this.#parts.roundTrips() - before,
            milliseconds: scope.elapsed,
            replays: attempt - 1,
          },
          revision: this.revision,
        };
      },
    );
  }

  /** Reads outside a walk: one consistent version for the whole of `body`. */
  async read<T>(body: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transact({ writable: false, sync: false }, this.#plain(false), ({ tx }) => body(tx));
  }

  /** Changes outside a walk: one atomic batch, or nothing when `body` throws. After a conflict `body` runs again. */
  async write<T>(body: (tx: GraphTransaction) => Promise<T>): Promise<T> {
    const make = (view: View, blobs: Running['blobs']) =>
      new GraphTransaction(view, this.#parts, this.#dispatch, { blobs, memory: this.#memory });
    return this.#replayed(
      () => true,
      () => this.#transact({ writable: true, sync: false }, make, ({ tx }) => body(tx)),
    );
  }

  /** What was damaged of all that was read of each layer since it was opened, and left out. */
  get damaged(): Readonly<Record<Layer, ReadonlySet<string>>> {
    const { derived, durable } = this.#parts.layers;
    return { derived: derived.damaged, durable: durable.damaged };
  }

  /** Bytes that the layers take on disk. */
  async sizeOnDisk(): Promise<Record<Layer, number>> {
    const { derived, durable } = this.#parts.layers;
    return { derived: await derived.sizeOnDisk(), durable: await durable.sizeOnDisk() };
  }

  /** Waits for the last commit and lets go of the stores. Closing twice is fine. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { transactions, release } = this.#parts;
    await transactions.leave(this.#parts);
    this.#memory.clear();
    await release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #walkAndFinish(type: WalkerType, walk: Walk, target: SpawnTarget | null): Promise<unknown> {
    const { scope, tx, context, instance } = walk;
    scope.options.onAbility?.();
    const from = target ?? (type.start ? await type.start(context) : ((await tx.node(ROOT_ID)) ?? null));
    // A walker that found nowhere to begin has nothing to do; a caller who names an empty list is mistaken.
    const nowhere = target === null && Array.isArray(from) && from.length === 0;
    if (from && !nowhere) await walk.run(from);
    scope.throwIfCancelled();
    if (type.access === 'write' && scope.truncated)
      throw new CodewalkError('DEADLINE', `${type.name} hit its limit of ${limitText(scope.truncated)}`, {
        suggestion: 'Nothing was written. Give it a smaller task or a larger limit.',
      });
    if (!type.finish) return undefined;
    const { reports, truncated } = scope;
    scope.options.onAbility?.();
    const output: unknown = await type.finish({
      state: instance.state,
      reports,
      truncated,
      context,
      distance: (id) => walk.reached.distance(id),
      path: (id) => walk.reached.path(id),
    });
    checkDeclared(type, type.output, output, 'output');
    return output;
  }

  /**
   * Runs what may lose a conflict. The first attempt runs beside all others; whoever lost replays at its turn, in
   * which no other loser commits, so that every writer of a crowd comes through.
   */
  async #replayed<T>(replays: () => boolean, attemptOnce: (attempt: number) => Promise<T>): Promise<T> {
    let endTurn: (() => void) | null = null;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await attemptOnce(attempt);
        } catch (thrown) {
          if (!replays() || !isConflict(thrown) || attempt >= LIMITS.runAttempts.max) throw thrown;
        }
        endTurn ??= await this.#parts.transactions.turns.take(LIMITS.replayTurn.max);
      }
    } finally {
      endTurn?.();
    }
  }

  #plain(writable: boolean): (view: View) => Transaction {
    const { catalog, ids } = this.#parts;
    return (view) => new Transaction(view, catalog, ids, writable);
  }

  async #transact<T, X extends Transaction>(
    { writable, sync }: { readonly writable: boolean; readonly sync: boolean },
    make: (view: View, blobs: Running['blobs']) => X,
    body: (session: Session & { readonly tx: X }) => Promise<T>,
  ): Promise<T> {
    if (this.#closed) throw new CodewalkError('STORE_CLOSED', 'the graph is closed');
    const { layers, catalog, transactions } = this.#parts;
    while (transactions.settling) await transactions.settling;
    const version = new PinnedVersion(layers, !writable);
    const reads = writable ? new ReadSet() : null;
    const blobs = noBlobs();
    const tx = make(new View(version, catalog, reads), blobs);
    const run: Running = {
      graph: this.#parts,
      tx,
      version,
      blobs,
      reads,
      since: transactions.number,
      sync,
      committed: false,
    };
    transactions.begin(run);
    const codeRevision = writable ? null : layers.derived.revision;
    try {
      const commit = (options?: CommitOptions) => transactions.commit(run, options);
      const fillFrom: Session['fillFrom'] = (folder, change) => transactions.fill(run, folder, change);
      const hasCommitted = () => run.committed;
      const result = await body({
        tx,
        commit,
        fillFrom,
        hasCommitted,
        blobs,
        memory: this.#memory,
        version: writable ? null : run.since,
        codeRevision,
      });
      if (writable) await transactions.commit(run);
      return result;
    } finally {
      await transactions.end(run);
    }
  }
}

function isConflict(thrown: unknown): boolean {
  return thrown instanceof CodewalkError && thrown.code === 'CONFLICT';
}
