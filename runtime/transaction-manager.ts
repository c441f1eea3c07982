import { CodewalkError, type Layer, type NodeDraft } from '../schema/index.js';
import {
  type ChangeBlobs,
  type EdgeAddress,
  inTurns,
  type LayerChanges,
  type LayerStore,
  type Pause,
  type StoredEdge,
  type StoredNode,
} from '../storage/index.js';
import { type BlobWrites, clearBlobs, layersOfBlobs } from './blob-writes.js';
import type { Catalog } from './catalog.js';
import { layersOf, type ReadSet, type WriteSet, writeSet } from './conflict.js';
import type { CommitOptions } from './context.js';
import { toStoredNode } from './element.js';
import { isNodeDraft } from './live-nodes.js';
import type { Overlay } from './overlay.js';
import { Pace } from './pace.js';
import type { PinnedVersion } from './pinned.js';
import type { NodeRef } from './refs.js';
import type { Transaction } from './transaction.js';
import { LAYERS, type View } from './view.js';

/** One after the other, in the order in which they asked. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Waits for the caller's turn, which lasts until what is answered is called. Whoever has waited for `patience`
   * milliseconds goes on beside the others: whose turn it is may itself be waiting for them.
   */
  async take(patience: number): Promise<() => void> {
    const before = this.#last;
    let done: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.#last = Promise.all([before, mine]);
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    await Promise.race([before, enough]);
    clearTimeout(timer);
    return done;
  }
}

/** What one commit does to each layer; layers that it does not touch are absent. */
type LayerCommits = Partial<Record<Layer, LayerChanges>>;

/** What a commit is planned from. Nothing of it changes meanwhile. */
interface Planned {
  readonly overlay: Overlay;
  readonly blobs: BlobWrites;
  readonly view: View;
  readonly layers: Readonly<Record<Layer, LayerStore>>;
  readonly pause: Pause;
}

/** A graph as a transactions knows it: compared by identity. */
export interface ManagedGraph {
  /** The durable one is the transactions's. */
  readonly layers: Readonly<Record<Layer, LayerStore>>;
  readonly catalog: Catalog;
}

/** One run's transaction as a transactions keeps track of it. */
export interface Running {
  readonly graph: ManagedGraph;
  readonly tx: Transaction;
  readonly version: PinnedVersion;
  readonly blobs: BlobWrites;
  /** Null for a run that only reads. */
  readonly reads: ReadSet | null;
  /** The last commit of the transactions that it sees. */
  since: number;
  /** Whether its commits wait until they are on disk. */
  readonly sync: boolean;
  /** Whether something of it was committed: then it cannot begin again. */
  committed: boolean;
}

/** A layer that a commit is being written to. */
interface Writing {
  readonly layer: Layer;
  readonly by: Running;
}

/** A commit, as runs that began before it must know of it. */
interface Entry {
  readonly number: number;
  readonly by: Running;
  readonly changed: ReadonlySet<Layer>;
  /** What it had read. */
  readonly reads: ReadSet | null;
  /** For runs of the same graph. */
  readonly written: WriteSet;
  /** For runs of other graphs: they have the durable layer in common and nothing else. */
  readonly shared: WriteSet;
}

/**
 * Keeps the order of what is committed to one durable layer, from all graphs over it: one in an ordinary checkout, one
 * per worktree where a repository has several (ruling X-34). Runs may overlap; commits come one after another, a run
 * keeps reading the version it began with, and what a commit of another graph wrote to the durable layer is a conflict
 * as if it were of its own.
 */
export class TransactionManager {
  /** Those of runs that lost a conflict. */
  readonly turns = new Turns();
  /** Of work that goes in steps, and of large commits. */
  readonly pace = new Pace(() => this.#readers);
  readonly #graphs = new Set<ManagedGraph>();
  readonly #running = new Set<Running>();
  #log: Entry[] = [];
  /** How many of the runs only read. */
  #readers = 0;
  /** Commits so far: what tells versions apart, for a graph's own revision does not count those of others. */
  #number = 0;
  /** The layer that a commit is being written to now, and whose commit it is. */
  #writing: Writing | null = null;
  #writer: Running | null = null;
  #commits: Promise<unknown> = Promise.resolve();
  /** While a commit of both layers is half done, no run may begin. */
  #settling: Promise<unknown> | null = null;

  /** Takes in a graph over the transactions's durable layer. */
  join(graph: ManagedGraph): void {
    this.#graphs.add(graph);
  }

  /** Lets a graph go, of which nothing is committed any more when this is over. */
  async leave(graph: ManagedGraph): Promise<void> {
    const last = this.#commits;
    await last.catch(() => undefined);
    this.#graphs.delete(graph);
  }

  /** The number of the last commit. */
  get number(): number {
    return this.#number;
  }

  /** What a run must wait for before it begins; null: nothing. */
  get settling(): Promise<unknown> | null {
    return this.#settling;
  }

  begin(run: Running): void {
    this.#running.add(run);
    if (!run.reads) this.#readers++;
    this.#holdStill(run);
  }

  /** Lets go of a run. What it was committing is written, or has failed, when this is over. */
  async end(run: Running): Promise<void> {
    run.tx.close();
    this.#running.delete(run);
    if (!run.reads) this.#readers--;
    this.pace.readerEnded();
    this.#trimLog();
    // A run that was given up may have a commit half written: the caller hears of it when that is over.
    if (this.#writer === run) await this.#commits;
    await run.version.release();
  }

  /**
   * Commits what a run changed and moves it on to the newest version.
   *
   * @throws CodewalkError `CONFLICT` when another run has changed what it had read; `STORE_CLOSED`.
   */
  async commit(run: Running, { forget = false }: CommitOptions = {}): Promise<void> {
    const { tx, blobs, reads, version } = run;
    if (!tx.changes?.isEmpty || layersOfBlobs(blobs).length > 0) {
      const done = this.#commits.then(() => this.#write(run));
      this.#commits = done.catch(() => undefined);
      await done;
      run.committed = true;
    }
    if (!this.#running.has(run)) return;
    for (const [id, { after }] of tx.changes?.nodes ?? []) if (!after) tx.view.drop(id);
    tx.changes?.clear();
    const hasUnits = blobs.units.size > 0;
    clearBlobs(blobs);
    tx.view.forgetReads();
    if (forget || hasUnits) tx.view.forgetNodes();
    reads?.forget();
    const seen = run.since;
    run.since = this.#number;
    const released = version.release();
    this.#holdStill(run);
    await released;
    const others = this.#log.filter(({ number, by }) => number > seen && by !== run);
    for (const entry of others) await tx.view.refresh(writtenFor(run, entry).nodes);
  }

  /**
   * Fills the code graph of a run that has changed nothing, to which nothing was ever committed, and moves the run on to
   * it: see `LayerStore.fillFrom`. Not while another run may write to it, which would know nothing of it.
   */
  async fill(run: Running, folder: string, change: ChangeBlobs): Promise<boolean> {
    const { derived } = run.graph.layers;
    const filling = this.#commits.then(async () => {
      const isAlone = [...this.#running].every((one) => one === run || !one.reads || one.graph !== run.graph);
      if (!isAlone || !this.#graphs.has(run.graph) || !derived.fillFrom) return false;
      try {
        return await derived.fillFrom(folder, change, () => this.#hold({ layer: 'derived', by: run }));
      } finally {
        this.#writing = null;
      }
    });
    this.#commits = filling.catch(() => undefined);
    if (!(await filling)) return false;
    this.#number++;
    run.committed = true;
    await this.commit(run, { forget: true });
    return true;
  }

  /** A version that is pinned while a commit is being written needs a snapshot at once. */
  #holdStill(run: Running): void {
    if (this.#writing && sees(run, this.#writing)) run.version.keep(this.#writing.layer);
  }

  /** One commit: checks for conflicts, lets other runs keep their version, writes. */
  async #write(run: Running): Promise<void> {
    const { graph, tx, blobs } = run;
    const { layers } = graph;
    const overlay = tx.changes;
    if (!overlay) return;
    if (!this.#running.has(run))
      throw new CodewalkError('STORE_CLOSED', 'the run was given up: it commits nothing any more');
    // The durable layer may still be open for others.
    if (!this.#graphs.has(graph)) throw new CodewalkError('STORE_CLOSED', 'the graph is closed');
    const stored = new Set(LAYERS.flatMap((layer) => layers[layer].edgeTypes()));
    const newTypes = [...overlay.edgeTypes].filter((type) => !stored.has(type));
    const changed = layersOf(overlay, layersOfBlobs(blobs));
    if (this.#isInConflict(run, overlay, newTypes, changed))
      throw new CodewalkError('CONFLICT', 'another writer changed what this run had read', {
        suggestion: 'Run it again.',
      });
    this.#writer = run;
    try {
      const { pause } = this.pace;
      const commits = await planCommits({ overlay, blobs, view: tx.view, layers, pause });
      const isOfBoth = commits.derived !== undefined && commits.durable !== undefined;
      // Whoever would begin waits for a commit of both layers, so that one gives way to nobody.
      const writing = this.#writeLayers(run, commits, isOfBoth ? undefined : pause);
      if (isOfBoth) this.#settling = writing.catch(() => undefined);
      await writing;
    } finally {
      this.#settling = null;
      this.#writing = null;
      this.#writer = null;
    }
    this.#number++;
    this.#note(run, overlay, newTypes, changed);
  }

  /**
   * Whether a commit since the run began wrote what it had read. Of two that have no layer in common, as an index and
   * the record of an event, either can be taken to have come first, unless each had read what the other wrote.
   */
  #isInConflict(
    run: Running,
    overlay: Overlay,
    newTypes: readonly string[],
    changed: ReadonlySet<Layer>,
  ): boolean {
    const { reads, since, graph, blobs } = run;
    const met = this.#log.filter(
      (entry) => entry.number > since && reads?.meets(writtenFor(run, entry)) === true,
    );
    if (met.length === 0) return false;
    if (met.some((entry) => [...entry.changed].some((layer) => changed.has(layer)))) return true;
    const written = writeSet(overlay, blobs, graph.catalog, newTypes);
    return met.some((entry) => entry.reads?.meets(written) !== false);
  }

  async #writeLayers(by: Running, commits: LayerCommits, pause: Pause | undefined): Promise<void> {
    // Durable first: what a crash between the two leaves behind can be rebuilt.
    for (const layer of ['durable', 'derived'] as const) {
      const changes = commits[layer];
      const beforeWrite = () => this.#hold({ layer, by });
      const options = { sync: by.sync, beforeWrite, ...(pause ? { pause } : {}) };
      if (changes) await by.graph.layers[layer].commit(changes, options);
    }
  }

  /** A layer is about to change: whoever reads it keeps what it reads. */
  #hold(writing: Writing): void {
    for (const run of this.#running)
      if (run !== writing.by && sees(run, writing)) run.version.keep(writing.layer);
    this.#writing = writing;
  }

  /** Notes what was written where a run that may commit has to hear of it. */
  #note(by: Running, overlay: Overlay, newTypes: readonly string[], changed: ReadonlySet<Layer>): void {
    const watching = [...this.#running].filter((run) => run !== by && run.reads);
    if (watching.length === 0) return;
    const { catalog } = by.graph;
    const { blobs } = by;
    const setOf = (layer: Layer | null, wanted: boolean) =>
      wanted ? writeSet(overlay, blobs, catalog, newTypes, layer) : NOTHING;
    this.#log.push({
      number: this.#number,
      by,
      changed,
      reads: by.reads?.kept() ?? null,
      written: setOf(
        null,
        watching.some(({ graph }) => graph === by.graph),
      ),
      shared: setOf(
        'durable',
        watching.some(({ graph }) => graph !== by.graph),
      ),
    });
  }

  /** Forgets commits that every running writer has seen. */
  #trimLog(): void {
    if (this.#log.length === 0) return;
    const writers = [...this.#running].filter((run) => run.reads);
    const oldest = Math.min(...writers.map((run) => run.since), this.#number);
    this.#log = this.#log.filter(({ number }) => number > oldest);
  }
}

const NOTHING: WriteSet = { nodes: new Set(), keys: new Set(), owners: new Set() };

/** Whether a run reads the layer that is being written. */
function sees(run: Running, { layer, by }: Writing): boolean {
  return layer === 'durable' || run.graph === by.graph;
}

function writtenFor(run: Running, { by, written, shared }: Entry): WriteSet {
  return run.graph === by.graph ? written : shared;
}

/**
 * Turns a run's changes into one commit per layer: a node goes to its archetype's layer, an edge's records to
 * its own type's. New edges of creation types get their numbers here, in the order they were connected.
 */
async function planCommits({ overlay, blobs, view, layers, pause }: Planned): Promise<LayerCommits> {
  const nodes: Record<Layer, LayerChanges['nodes'][number][]> = { derived: [], durable: [] };
  const edges: Record<Layer, StoredEdge[]> = { derived: [], durable: [] };
  const removedEdges: Record<Layer, EdgeAddress[]> = { derived: [], durable: [] };
  await inTurns(overlay.nodes, pause, ([id, { before, after }]) => {
    const layer = after?.archetype.layer ?? before?.layer;
    if (!layer) return;
    // A node whose new archetype lives in the other layer leaves its old one.
    const moved = before && before.layer !== layer;
    if (moved) nodes[before.layer].push({ id, before: before.record, after: undefined });
    nodes[layer].push({
      id,
      before: moved ? undefined : before?.record,
      after: after && recordOf(id, after),
    });
  });
  await inTurns(overlay.edges, pause, (edge) => {
    const { layer, order } = edge.archetype;
    if (order === 'creation' && !edge.stored) edge.number(layers[layer].nextSeq());
    edges[layer].push(edge.record());
  });
  for (const { address, layer } of overlay.removed.values()) removedEdges[layer].push(address);
  const typeOf = (id: string) => view.typeOf(id);
  const commits: LayerCommits = {};
  for (const layer of LAYERS) {
    const written = [...blobs[layer]].map(([name, value]) => ({ name, value }));
    const units = layer === 'derived' ? [...blobs.units.values()] : [];
    const changes = [nodes[layer], edges[layer], removedEdges[layer], written, units];
    if (changes.every(({ length }) => length === 0)) continue;
    commits[layer] = {
      nodes: nodes[layer],
      edges: edges[layer],
      removedEdges: removedEdges[layer],
      typeOf,
      blobs: written,
      units,
    };
  }
  return commits;
}

function recordOf(id: string, node: NodeRef | NodeDraft): StoredNode {
  if (!isNodeDraft(node)) return toStoredNode(node);
  return { id, type: node.archetype.name, props: node.props };
}
