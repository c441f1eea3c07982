import type { BlobWrites } from './blob-writes.js';
import type { CommitOptions, StepsContext } from './context.js';
import type { GraphMemory } from './memory.js';
import type { Resources } from './resource.js';
import type { Limits } from './run.js';
import type { IdSource, Transaction } from './transaction.js';
import type { ManagedGraph, TransactionManager } from './transaction-manager.js';
import type { Arrival } from './walker.js';

/** What a graph is made of. Whatever could differ between two runs (clocks, ids) is passed in. */
export interface GraphParts extends ManagedGraph {
  /** Orders its commits: its own, or one that it shares with others over the same durable layer. */
  readonly transactions: TransactionManager;
  /** Abilities of locations, in their order. */
  readonly arrivals: readonly Arrival[];
  /** The absolute path of the project; null for a graph in memory. */
  readonly projectRoot: string | null;
  /** What walkers may use beside the graph. Default: nothing. */
  readonly resources?: Resources;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds from any point, for durations. */
  readonly clock: () => number;
  readonly ids: IdSource;
  /** Round trips to the stores so far. */
  readonly roundTrips: () => number;
  readonly limits: Limits;
  /** Lets go of the stores when the graph is closed. */
  readonly release: () => Promise<void>;
}

/** One transaction in the making. */
export interface Session {
  readonly tx: Transaction;
  /** Commits what was changed so far and moves on to the newest version; null where only the end commits. */
  readonly commit: ((options?: CommitOptions) => Promise<void>) | null;
  /** See `StepsContext.fillFrom`; null where only the end commits. */
  readonly fillFrom: StepsContext['fillFrom'] | null;
  /** Whether it has committed something. */
  readonly hasCommitted: () => boolean;
  /** Lives as long as the graph is open. */
  readonly memory: GraphMemory;
  /** Bytes that go with the next commit. */
  readonly blobs: BlobWrites;
  /** The transactions's last commit that it reads; null where it may write. */
  readonly version: number | null;
  /** The revision of the derived layer that it reads; null where it may write. */
  readonly codeRevision: number | null;
}
