import { LIMITS } from '../../schema/index.js';
import type { LayerChanges } from '../layer.js';
import { HotGraph } from './hot-graph.js';

/** What was written since a version was pinned: ids of nodes whose record or adjacency was; null: too many to tell. */
export interface Later {
  ids: Set<string> | null;
}

/**
 * The one {@link HotGraph} of a layer, and what versions need to read from it: it shows the newest version; one that was
 * pinned before knows what was written since, and reads that from its snapshot. So a commit copies nothing, and nothing
 * is left to fold in when a version is let go.
 */
export class HotLayer {
  readonly #pinned = new Set<Later>();
  #graph: HotGraph | null = null;
  /** What the commit writes that is being written: of that nobody can say whether a read shows it; null: none is. */
  #writing: Later | null = null;
  #writes = 0;
  #wasUsed = false;
  #idle: NodeJS.Timeout | null = null;

  /** @param budget Bytes that adjacency may take. */
  constructor(private readonly budget: number = LIMITS.hotGraph.max) {}

  /** What is in memory now; what is taken into it must be of the newest version. */
  get graph(): HotGraph {
    this.#wasUsed = true;
    this.#idle ??= setInterval(() => this.#look(), LIMITS.hotIdle.max).unref();
    if (this.#graph?.isWorn) this.#graph = null;
    this.#graph ??= new HotGraph(this.budget);
    return this.#graph;
  }

  /** Which nodes a version may show otherwise than the newest; null: none. @param later What was written since; null: it is the newest. */
  older(later: Later | null): ((id: string) => boolean) | null {
    const written = later ?? this.#writing;
    if (written === null || written.ids?.size === 0) return null;
    const { ids } = written;
    return ids === null ? () => true : (id) => ids.has(id);
  }

  /** Counts commits: what was asked for before one and comes after it may be taken in no more. */
  get writes(): number {
    return this.#writes;
  }

  /** Begins to keep what is written from now on. */
  pin(): Later {
    const writing = this.#writing;
    const later: Later = { ids: writing?.ids === null ? null : new Set(writing?.ids) };
    this.#pinned.add(later);
    return later;
  }

  unpin(later: Later): void {
    this.#pinned.delete(later);
  }

  /** A commit is about to write records or adjacency of these nodes; {@link HotLayer.written} when it is over. */
  write(ids: ReadonlySet<string> | null): void {
    const few = ids !== null && ids.size <= MOST_WRITTEN ? ids : null;
    this.#writes += 1;
    this.#writing = { ids: few === null ? null : new Set(few) };
    if (few === null) this.drop();
    else for (const id of few) this.#graph?.forget(id);
    for (const later of this.#pinned) note(later, few);
  }

  /** @param nodes What it wrote; null where it failed. */
  written(nodes: LayerChanges['nodes'] | null): void {
    this.#writes += 1;
    this.#writing = null;
    this.#graph?.indexes.follow(nodes);
  }

  /** The indexes of the store were made anew. */
  reindexed(): void {
    this.#writes += 1;
    this.#graph?.indexes.clear();
  }

  /** Frees what is in memory. */
  drop(): void {
    this.#graph = null;
    if (this.#idle) clearInterval(this.#idle);
    this.#idle = null;
  }

  #look(): void {
    if (!this.#wasUsed) this.drop();
    this.#wasUsed = false;
  }
}

/** A commit that writes at more nodes, as those of a whole index do, is not followed: everything is dropped. */
const MOST_WRITTEN = 8192;

function note(later: Later, written: ReadonlySet<string> | null): void {
  if (later.ids === null) return;
  if (written === null || later.ids.size + written.size > MOST_WRITTEN) later.ids = null;
  else for (const id of written) later.ids.add(id);
}
