import { performance } from 'node:perf_hooks';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { GraphEmbed } from '../../walkers/index.js';
import { type MadeBackup, RollingBackups } from '../backups/make-backup.js';
import { settingsFor } from '../config.js';
import { Freshness, indexesByItself } from '../freshness/freshness.js';
import { History } from '../history.js';
import type { OpenGraphFacts } from '../local/local-host.js';
import { type Absent, type OpenGraph, openEmbedded } from '../open-graph.js';
import { hasGraph } from '../project-root.js';
import { noteUse, SAME_USE_MS } from '../projects/project-list.js';
import { cookiesOf, homesOf } from '../surroundings.js';
import type { LoadedWalkers } from '../user-walkers.js';

/** What {@link EmbeddingLater} stands on. */
interface EmbeddingLaterOptions {
  readonly graph: OpenGraph;
  /** Whether an endpoint is configured for it. */
  readonly isWanted: () => boolean;
  /** Called when a run begins and when it ends. */
  readonly onRun: (change: 1 | -1) => void;
  /** Milliseconds without a change before a run. Default `LIMITS.embeddingDelay`. */
  readonly delayMs?: number;
}

/**
 * Embeds what is new in a graph, in the background, once it has come to rest. Nobody waits for it; where the endpoint fails,
 * the next change tries again.
 */
export class EmbeddingLater {
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  /** The revision of the last look at its texts. */
  #seen: number | null = null;

  constructor(private readonly options: EmbeddingLaterOptions) {}

  /** To be called after whatever may have changed the graph. */
  look(): void {
    if (this.options.graph.revision !== this.#seen && this.#running === null) this.#wait();
  }

  /** Ends what is at work; what was committed is stored. To be called before the graph is closed. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run().finally(() => {
        this.#running = null;
      });
    }, this.options.delayMs ?? LIMITS.embeddingDelay.default).unref();
  }

  async #run(): Promise<void> {
    const { graph, isWanted, onRun } = this.options;
    this.#seen = graph.revision;
    try {
      if (!isWanted()) return;
    } catch {
      // A configuration that is not valid is reported by the next request.
      return;
    }
    onRun(1);
    try {
      const { output } = await graph.spawn(GraphEmbed, null, {}, { signal: this.#closing.signal });
      this.#seen = graph.revision;
      // What others wrote meanwhile may have been looked at too early.
      if (output.embedded + output.removed > 0) this.#wait();
    } catch {
      // A search says that embeddings are missing, and making them by hand says why.
    } finally {
      onRun(-1);
    }
  }
}

/** An open graph, and what follows it for as long as it is open. */
export interface FollowedGraph {
  readonly graph: OpenGraph;
  readonly freshness: Freshness;
  readonly embedding: EmbeddingLater;
}

/** How {@link OpenGraphs} are made. */
interface OpenGraphsOptions {
  readonly home: string;
  /** Archetypes and arrivals of users' own, which every graph knows. */
  readonly loaded: Pick<LoadedWalkers, 'archetypes' | 'arrivals'>;
  /** Called when an index begins and when it ends. */
  readonly onIndexing?: (change: 1 | -1) => void;
  /** Whether files are watched; else every question reads them. Default true. */
  readonly watches?: boolean;
}

/** The graphs of one trace store that a thread has open: one per root, opened by the first request that is about it. */
export class OpenGraphs {
  /** The worktrees of the trace store share what was done in them. */
  readonly #history = new History();
  readonly #graphs = new Map<string, Promise<FollowedGraph>>();
  /** When a use of a root was noted last, by `performance.now()`. */
  readonly #noted = new Map<string, number>();
  readonly #backups: RollingBackups;
  readonly #onIndexing: (change: 1 | -1) => void;

  constructor(private readonly options: OpenGraphsOptions) {
    this.#onIndexing = options.onIndexing ?? (() => undefined);
    this.#backups = new RollingBackups({
      layer: () => this.#history.layer,
      onRun: this.#onIndexing,
      now: Date.now,
    });
  }

  /**
   * The graph of a root, by its real path. What failed to open is tried again by the next request. An empty one in the
   * place of one that is not there is that request's alone: what the next one records must reach the disk.
   *
   * @param absentFor What is done where there is none; asked only then, since it looks at the disk.
   */
  of(root: string, absentFor: () => Absent, force: boolean): Promise<FollowedGraph> {
    const { home } = this.options;
    const known = this.#graphs.get(root);
    if (known) {
      if (performance.now() - (this.#noted.get(root) ?? 0) >= SAME_USE_MS) {
        this.#noted.set(root, performance.now());
        noteUse(homesOf(root, { home }), Date.now());
      }
      return known;
    }
    const absent = absentFor();
    const opening = this.#open(root, absent, force);
    if (absent === 'empty' && !hasGraph(root, { home })) return opening;
    this.#graphs.set(root, opening);
    this.#noted.set(root, performance.now());
    opening.catch(() => this.#graphs.delete(root));
    return opening;
  }

  /** The graph of a root; null where it is not open. */
  async known(root: string): Promise<FollowedGraph | null> {
    return (await this.#graphs.get(root)?.catch(() => null)) ?? null;
  }

  /** To be called after a request about a root: there may be something to embed, or a backup due. */
  async settled(root: string): Promise<void> {
    const opened = await this.known(root);
    if (!opened) return;
    opened.embedding.look();
    this.#backups.look(homesOf(root, { home: this.options.home }));
  }

  /** Makes a backup of the trace store. @throws CodewalkError `PROJECT_NOT_INDEXED`, `STORE_FULL`. */
  async backup(root: string): Promise<MadeBackup> {
    await this.of(root, () => 'refused', true);
    const layer = await this.#history.layer;
    if (layer === null) throw new CodewalkError('STORE_CLOSED', `the graph of ${root} was closed meanwhile`);
    return this.#backups.make(homesOf(root, { home: this.options.home }), layer);
  }

  /** What is known of the open graphs. */
  async status(): Promise<OpenGraphFacts[]> {
    const all = await Promise.all([...this.#graphs.keys()].map((root) => this.known(root)));
    return Promise.all(
      all
        .flatMap((opened) => (opened ? [opened] : []))
        .map(async ({ graph, freshness }) => ({
          root: graph.root ?? '',
          revision: graph.revision,
          bytes: await graph.sizeOnDisk(),
          files: freshness.status,
        })),
    );
  }

  async close(): Promise<void> {
    const roots = [...this.#graphs.keys()];
    const all = await Promise.all(roots.map((root) => this.known(root)));
    this.#graphs.clear();
    const closeOne = async ({ graph, freshness, embedding }: FollowedGraph) => {
      await freshness.close();
      await embedding.close();
      await this.#backups.stop();
      await graph.close();
    };
    await Promise.allSettled(all.map((opened) => opened && closeOne(opened)));
  }

  async #open(root: string, absent: Absent, force: boolean): Promise<FollowedGraph> {
    const { home, loaded, watches = true } = this.options;
    const graph = await openEmbedded(root, { ...loaded, home, history: this.#history, force, absent });
    const onIndexing = this.#onIndexing;
    const freshness = new Freshness({
      graph,
      cookies: watches && graph.root !== null ? cookiesOf(root, { home }) : null,
      autoIndex: () => graph.root !== null && indexesByItself(root, home),
      clock: () => performance.now(),
      onIndexing,
    });
    const isWanted = () => settingsFor(graph.root, { home }).embeddings_url !== '';
    return { graph, freshness, embedding: new EmbeddingLater({ graph, isWanted, onRun: onIndexing }) };
  }
}
