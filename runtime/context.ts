import type { EdgeType, Layer, NodeType } from '../schema/index.js';
import type { ChangeBlobs, LayerUnit } from '../storage/index.js';
import type { Slot } from './memory.js';
import type { EdgeExpression, PathExpression } from './path.js';
import type { Hop, Reached } from './reached.js';
import type { EdgeRef, Location, NodeRef } from './refs.js';
import type { Resource } from './resource.js';
import type { Caller } from './run.js';
import type { Sharing } from './stretches.js';
import type { Transaction } from './transaction.js';
import type { Spawn, WalkerInstance, WalkerType } from './walker.js';

/**
 * What a walker may do. `read`: no changes, one consistent version. `write`: one atomic batch at the end or
 * nothing; replayed on a conflict. `steps`: many short transactions, cut by `ctx.commit()`; replayed on a conflict as
 * long as nothing is committed.
 */
export type Access = 'read' | 'write' | 'steps';

/** Where a visit can go. A path of edges queues, per edge, the edge and then its far node. A frontier visits hops. */
export type VisitTarget =
  | readonly Hop[]
  | NodeRef
  | EdgeRef
  | readonly (NodeRef | EdgeRef)[]
  | PathExpression<NodeType, EdgeType>
  | EdgeExpression<EdgeType>;

/** Options of {@link ReadContext.visit}. */
export interface VisitOptions {
  /**
   * Where in the remaining queue: 0 is the front (depth first), negative counts from the end with -1 = append,
   * below the range 0, beyond the end append. Default: append.
   */
  at?: number;
  /** Leaves out what this walk has visited or queued before. In a frontier ability always so. Default false. */
  once?: boolean;
  /** The largest depth: what would be deeper is left out. Default: none. */
  maxDepth?: number;
}

/** How far long work has come. */
export interface Progress {
  /** What is being done: a word or two. */
  readonly phase: string;
  readonly done: number;
  /** Null while it is not known. */
  readonly total: number | null;
  /** What is being worked on now: a path, a name. */
  readonly item?: string;
}

/** Where a spawn begins: a location, or several (an edge adds its target). Of a walk by frontiers ids, too. */
export type SpawnTarget = NodeRef | EdgeRef | string | readonly (NodeRef | EdgeRef | string)[];

type Reading = Pick<
  Transaction,
  | 'node'
  | 'nodes'
  | 'nodesOf'
  | 'find'
  | 'findIds'
  | 'lookUp'
  | 'end'
  | 'storedNodes'
  | 'storedEdges'
  | 'entries'
  | 'entryEdges'
  | 'counts'
  | 'blobs'
  | 'blobsUnder'
>;
type Writing = Pick<
  Transaction,
  'create' | 'createAll' | 'putAll' | 'connect' | 'connectAll' | 'linkAll' | 'disconnect' | 'del' | 'set'
>;

/** What an ability of a reading walker can do. All of it binds to this walk. */
export interface ReadContext<State = unknown, Report = unknown> extends Reading {
  /** The walker's fields: its input and its state; kept when the instance is spawned again. */
  readonly state: State;
  /** The location that the running ability is at. */
  readonly here: Location;
  /** How many visits led here from where the walk began; in a frontier ability the sum of the costs of its hops. */
  readonly depth: number;
  /** What the walk has visited and queued so far, with distances and ways. */
  readonly reached: Reached;
  /** Who asked for this run. */
  readonly caller: Caller;
  /** See `RunOptions.requestId`; null: it has none. */
  readonly requestId: string | null;
  /** The absolute path of the project this graph is of; null for a graph in memory. */
  readonly projectRoot: string | null;
  /**
   * Tells versions of the graph apart for as long as it is open: the same number, the same graph. Null where this run may
   * change it.
   */
  readonly version: number | null;
  /** As {@link ReadContext.version}, of the code graph alone: what is recorded changes nothing of it. */
  readonly codeRevision: number | null;
  /** What is cached in memory under a slot alongside this graph, for as long as it is open; made when first asked for. */
  cached<T>(slot: Slot<T>): T;
  /** What whoever opened the graph gave under a resource, else what stands for its absence. */
  resource<T>(resource: Resource<T>): T;
  /** Aborts when the caller cancels or the deadline has passed. */
  readonly signal: AbortSignal;
  /** How a walker that works for long shares its thread with other runs. */
  readonly sharing: Sharing;
  /** Milliseconds since 1970, from the graph's clock. */
  now(): number;
  /** Milliseconds that the run has taken so far, with fractions, by a clock that never jumps. */
  elapsed(): number;
  /** A path expression from `origin`; default: from here. */
  q(origin?: string | NodeRef | readonly (string | NodeRef)[]): PathExpression;
  /** Queues locations. True when at least one was queued. */
  visit(target: VisitTarget, options?: VisitOptions): Promise<boolean>;
  /** Appends to the run's reports. */
  report(value: Report): void;
  /** Ends the current ability. */
  skip(): never;
  /** Ends the walk: nothing else of it runs. */
  disengage(): never;
  /** Tells the caller how far the work is. */
  progress(progress: Progress): void;
  /** Runs another walker inside this run, to its end; its reports join this run's. */
  spawn<W extends WalkerType>(
    walker: W | WalkerInstance<W>,
    target: SpawnTarget,
    ...input: Parameters<Spawn<W>>
  ): Promise<ReturnType<Spawn<W>>>;
}

/** What an ability of a writing walker can do besides. */
export interface WriteContext<State = unknown, Report = unknown> extends ReadContext<State, Report>, Writing {
  /**
   * Keeps bytes beside a layer under a name (extracts, marks, indexes), with the next commit; undefined removes.
   * `blobs` shows them at once, `blobsUnder` when they are committed.
   *
   * @param layer Default `derived`.
   */
  putBlob(name: string, value: Uint8Array | undefined, layer?: Layer): void;
  /**
   * Stores all that the code graph holds of one file, with the next commit, in the place of what it held: at a fraction
   * of what its nodes and edges cost one by one. Its nodes can be linked at once; else what is read shows it when it is
   * committed. The drafts must not be changed any more.
   */
  putUnit(unit: LayerUnit): void;
}

/** How a run commits in its midst. */
export interface CommitOptions {
  /**
   * Lets go of every node that the run has seen: one that writes a whole graph would else hold all of it. References
   * from before show no later changes. Default false.
   */
  readonly forget?: boolean;
}

/** What an ability of a walker that works in steps can do besides. */
export interface StepsContext<State = unknown, Report = unknown> extends WriteContext<State, Report> {
  /** Ends one short transaction: commits what was changed so far and goes on at the newest version. */
  commit(options?: CommitOptions): Promise<void>;
  /**
   * Fills the code graph, to which nothing was ever committed, with what the store of another one holds, and goes on with
   * it: their files are shared. To be called before anything is changed.
   *
   * @param folder Of the store.
   * @returns False where that could not be done: then the graph is as it was.
   */
  fillFrom(folder: string, change: ChangeBlobs): Promise<boolean>;
  /**
   * Asked by long work between short stretches of it, at next to no cost: a promise where it is time that those who
   * wait for this thread have their turn, readers of the graph before all others; else undefined.
   */
  pause(): Promise<void> | undefined;
}

/** The context that an access mode gives. */
export type ContextOf<A extends Access, State, Report> = A extends 'steps'
  ? StepsContext<State, Report>
  : A extends 'write'
    ? WriteContext<State, Report>
    : ReadContext<State, Report>;
