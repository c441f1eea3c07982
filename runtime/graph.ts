import { CodewalkError, type Layer, LIMITS } from '../schema/index.js';
import { ROOT_ID } from './builtin.js';
import { type BlobWrites, planCommits } from './commit.js';
import { ReadSet, type WriteSet, writeSet } from './conflict.js';
import type { CommitOptions, SpawnTarget } from './context.js';
import { checkDeclared } from './declared.js';
import { Digests } from './digest.js';
import { Dispatch } from './dispatch.js';
import { GraphTransaction } from './graph-transaction.js';
import { inTime } from './in-time.js';
import { copyOf, instanceOf, walkResult } from './instance.js';
import { GraphMemory } from './memory.js';
import type { GraphParts, Session } from './parts.js';
import { PinnedVersion } from './pinned.js';
import { limitText, type RunOptions, type RunResult, RunScope } from './run.js';
import { Transaction } from './transaction.js';
import { Turns } from './turns.js';
import { LAYERS, View } from './view.js';
import type { Walk } from './walk.js';
import { newWalk } from './walk-context.js';
import type { InputOf, OutputOf, WalkerInstance, WalkerType } from './walker.js';

/** One run's transaction as the graph keeps track of it. */
interface Running {
  readonly tx: Transaction;
  readonly version: PinnedVersion;
  readonly blobs: Map<string, Uint8Array | undefined>;
  readonly reads: ReadSet | null;
  /** The revision that it reads. */
  since: number;
  /** Whether something of it was committed: then it cannot begin again. */
  committed: boolean;
}

/**
 * A graph: two layers seen as one, and the only place where walkers run and transactions commit. Runs may
 * overlap; commits come one after another, and a run keeps reading the version it began with.
 */
export class Graph {
  readonly #parts: GraphParts;
  readonly #dispatch: Dispatch;
  readonly #running = new Set<Running>();
  readonly #turns = new Turns();
  readonly #memory = new GraphMemory();
  readonly #digests = new Digests();
  #log: { revision: number; by: Running; written: WriteSet }[] = [];
  /** The layer that a commit is being written to now, and whose commit it is. */
  #writing: Layer | null = null;
  #writer: Running | null = null;
  #commits: Promise<unknown> = Promise.resolve();
  /** While a commit of both layers is half done, no run may begin. */
  #settling: Promise<unknown> | null = null;
  #closed = false;

  constructor(parts: GraphParts) {
    this.#parts = parts;
    this.#dispatch = new Dispatch(parts.arrivals);
  }

  /** Counts the commits of both layers. */
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
    const fields = 'instanceOf' in walker && type.access === 'write' ? copyOf(walker.state) : null;
    const before = this.#parts.roundTrips();
    const { limits, clock } = this.#parts;
    const started = clock();
    let mayReplay = () => type.access === 'write';
    return this.#replayed(
      () => mayReplay(),
      async (attempt) => {
        const instance = instanceOf(walker, input);
        if (fields && attempt > 1) Object.assign(instance.state as object, copyOf(fields));
        const scope = new RunScope(limits, options, clock, started);
        const { walk, output } = await this.#transact(writable, this.#plain(writable), async (session) => {
          const owned = type.access === 'steps' ? session : { ...session, commit: null };
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
    return this.#transact(false, this.#plain(false), ({ tx }) => body(tx));
  }

  /** Changes outside a walk: one atomic batch, or nothing when `body` throws. After a conflict `body` runs again. */
  async write<T>(body: (tx: GraphTransaction) => Promise<T>): Promise<T> {
    const make = (view: View, blobs: Running['blobs']) =>
      new GraphTransaction(view, this.#parts, this.#dispatch, { blobs, memory: this.#memory });
    return this.#replayed(
      () => true,
      () => this.#transact(true, make, ({ tx }) => body(tx)),
    );
  }

  /** Bytes that the layers take on disk. */
  async sizeOnDisk(): Promise<Record<Layer, number>> {
    const { derived, durable } = this.#parts.layers;
    return { derived: await derived.sizeOnDisk(), durable: await durable.sizeOnDisk() };
  }

  /** Waits for the last commit and closes the stores. Closing twice is fine. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#commits.catch(() => undefined);
    this.#memory.clear();
    await Promise.all(LAYERS.map((layer) => this.#parts.layers[layer].close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #walkAndFinish(type: WalkerType, walk: Walk, target: SpawnTarget | null): Promise<unknown> {
    const { scope, tx, context, instance } = walk;
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
    const output: unknown = await type.finish({ state: instance.state, reports, truncated, context });
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
        endTurn ??= await this.#turns.take(LIMITS.replayTurn.max);
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
    writable: boolean,
    make: (view: View, blobs: Running['blobs']) => X,
    body: (session: Session & { readonly tx: X }) => Promise<T>,
  ): Promise<T> {
    if (this.#closed) throw new CodewalkError('STORE_CLOSED', 'the graph is closed');
    while (this.#settling) await this.#settling;
    const { layers, catalog } = this.#parts;
    const version = new PinnedVersion(layers);
    const reads = writable ? new ReadSet() : null;
    const blobs: Running['blobs'] = new Map();
    const tx = make(new View(version, catalog, reads), blobs);
    const running: Running = { tx, version, blobs, reads, since: this.revision, committed: false };
    this.#running.add(running);
    this.#holdStill(version);
    try {
      const commit = (options?: CommitOptions) => this.#commit(running, options);
      const digests = writable ? null : { of: this.#digests, revision: running.since };
      const hasCommitted = () => running.committed;
      const result = await body({ tx, commit, hasCommitted, blobs, memory: this.#memory, digests });
      if (writable) await this.#commit(running);
      return result;
    } finally {
      tx.close();
      this.#running.delete(running);
      this.#trimLog();
      // A run that was given up may have a commit half written: the caller hears of it when that is over.
      if (this.#writer === running) await this.#commits;
      await version.release();
    }
  }

  async #commit(running: Running, { forget = false }: CommitOptions = {}): Promise<void> {
    const { tx, blobs, reads, version } = running;
    if (!tx.changes?.isEmpty || blobs.size > 0) {
      const done = this.#commits.then(() => this.#write(running, blobs));
      this.#commits = done.catch(() => undefined);
      await done;
      running.committed = true;
    }
    if (!this.#running.has(running)) return;
    for (const [id, { after }] of tx.changes?.nodes ?? []) if (!after) tx.view.drop(id);
    tx.changes?.clear();
    blobs.clear();
    tx.view.forgetReads();
    if (forget) tx.view.forgetNodes();
    reads?.forget();
    const seen = running.since;
    running.since = this.revision;
    const released = version.release();
    this.#holdStill(version);
    await released;
    const others = this.#log.filter(({ revision, by }) => revision > seen && by !== running);
    for (const { written } of others) await tx.view.refresh(written.nodes);
  }

  /** A version that is pinned while a commit is being written needs a snapshot at once. */
  #holdStill(version: PinnedVersion): void {
    if (this.#writing) version.keep(this.#writing);
  }

  /** One commit: checks for conflicts, lets other runs keep their version, writes. */
  async #write(running: Running, blobs: BlobWrites): Promise<void> {
    const { tx, reads, version } = running;
    const { layers, catalog } = this.#parts;
    const overlay = tx.changes;
    if (!overlay) return;
    if (!this.#running.has(running))
      throw new CodewalkError('STORE_CLOSED', 'the run was given up: it commits nothing any more');
    const later = this.#log.filter(({ revision }) => revision > running.since);
    if (reads && later.some(({ written }) => reads.meets(written)))
      throw new CodewalkError('CONFLICT', 'another writer changed what this run had read', {
        suggestion: 'Run it again.',
      });
    const stored = new Set(LAYERS.flatMap((layer) => layers[layer].edgeTypes()));
    const newTypes = [...overlay.edgeTypes].filter((type) => !stored.has(type));
    const commits = planCommits(overlay, blobs, tx.view, layers);
    // Durable first: what a crash between the two leaves behind can be rebuilt.
    const work = async () => {
      for (const layer of ['durable', 'derived'] as const) {
        const changes = commits[layer];
        if (!changes) continue;
        for (const other of this.#running) if (other.version !== version) other.version.keep(layer);
        this.#writing = layer;
        await layers[layer].commit(changes);
      }
    };
    this.#writer = running;
    const writing = work();
    if (commits.derived && commits.durable) this.#settling = writing.catch(() => undefined);
    try {
      await writing;
    } finally {
      this.#settling = null;
      this.#writing = null;
      this.#writer = null;
    }
    this.#digests.written(overlay, this.revision);
    const watched = [...this.#running].some((other) => other !== running && other.reads);
    if (watched) {
      const written = writeSet(overlay, catalog, newTypes);
      this.#log.push({ revision: this.revision, by: running, written });
    }
  }

  /** Forgets commits that every running writer has seen. */
  #trimLog(): void {
    if (this.#log.length === 0) return;
    const oldest = Math.min(
      ...[...this.#running].filter((run) => run.reads).map((run) => run.since),
      this.revision,
    );
    this.#log = this.#log.filter(({ revision }) => revision > oldest);
  }
}

function isConflict(thrown: unknown): boolean {
  return thrown instanceof CodewalkError && thrown.code === 'CONFLICT';
}
