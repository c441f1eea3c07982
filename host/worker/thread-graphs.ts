import { performance } from 'node:perf_hooks';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { GraphEmbed } from '../../walkers/index.js';
import { type MadeBackup, RollingBackups } from '../backups/make-backup.js';
import { settingsFor } from '../config.js';
import { Freshness, indexesByItself } from '../freshness/freshness.js';
import { History } from '../history.js';
import { type Absent, type OpenGraph, openEmbedded } from '../open-graph.js';
import { hasGraph } from '../project-root.js';
import { noteUse, SAME_USE_MS } from '../projects/project-list.js';
import { cookiesOf, homesOf } from '../surroundings.js';
import type { LoadedWalkers } from '../user-walkers.js';

/** What {@link EmbeddingLater} stands on. */
interface EmbeddingLaterOptions {
  readonly graph: OpenGraph;
  /** Whether somebody has configured an endpoint for it. */
  readonly isWanted: () => boolean;
  /** Told when a run begins and when it ends. */
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
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  /** The revision of the last look at its texts. */
  #seen: number | null = null;

  constructor(private readonly options: EmbeddingLaterOptions) {}

  /** To be called after whatever may have changed the graph. */
  look(): void {
    const { graph, delayMs = LIMITS.embeddingDelay.default } = this.options;
    if (graph.revision === this.#seen || this.#running !== null) return;
    this.#wait(delayMs);
  }

  /** Ends what is at work; what was committed is kept. To be called before the graph is closed. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#running;
  }

  #wait(ms: number): void {
    if (this.#closing.signal.aborted) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#running = this.#run(ms).finally(() => {
        this.#running = null;
      });
    }, ms).unref();
  }

  async #run(delayMs: number): Promise<void> {
    const { graph, isWanted, onRun } = this.options;
    this.#seen = graph.revision;
    try {
      if (!isWanted()) return;
    } catch {
      // A configuration that is not valid is told to whoever asks for something.
      return;
    }
    onRun(1);
    try {
      const { signal } = this.#closing;
      const { output } = await graph.spawn(GraphEmbed, null, {}, { signal });
      this.#seen = graph.revision;
      // What others wrote meanwhile may have been looked at too early.
      if (output.embedded + output.removed > 0) this.#wait(delayMs);
    } catch {
      // Who searches is told that embeddings are missing, and whoever makes them by hand is told why.
    } finally {
      onRun(-1);
    }
  }
}

/** The graphs that a thread has open: one per root, opened by the first request that is about it. */
export class ThreadGraphs {
  /** The thread is of one history: its worktrees share what was done in them. */
  readonly #history = new History();
  readonly #graphs = new Map<string, Promise<OpenGraph>>();
  /** When a use of a root was noted last, by the clock. */
  readonly #noted = new Map<string, number>();
  readonly #freshness = new WeakMap<OpenGraph, Freshness>();
  readonly #embedding = new WeakMap<OpenGraph, EmbeddingLater>();

  readonly #backups: RollingBackups;
  readonly #clock: () => number;

  /**
   * @param onIndexing told when an index begins and when it ends.
   * @param clock Milliseconds, never jumping. Default: that of this process.
   * @param loaded archetypes and arrivals of people's own, which every graph of the thread knows.
   */
  constructor(
    private readonly home: string,
    private readonly loaded: Pick<LoadedWalkers, 'archetypes' | 'arrivals'>,
    private readonly onIndexing: (change: 1 | -1) => void,
    clock: () => number = () => performance.now(),
  ) {
    this.#clock = clock;
    this.#backups = new RollingBackups({
      layer: () => this.#history.layer,
      onRun: onIndexing,
      now: Date.now,
    });
  }

  /**
   * The graph of a root, by its real path. What failed to open is tried again by the next request. An empty one in the
   * place of one that is not there is that request's alone: what the next one records must reach the disk.
   *
   * @param absentFor What is done where there is none; asked only then, since it looks at the disk.
   */
  of(root: string, absentFor: () => Absent, force: boolean): Promise<OpenGraph> {
    const known = this.#graphs.get(root);
    if (known) {
      this.#noteUse(root);
      return known;
    }
    const absent = absentFor();
    const opening = openEmbedded(root, {
      ...this.loaded,
      home: this.home,
      history: this.#history,
      force,
      absent,
    });
    if (absent === 'empty' && !hasGraph(root, { home: this.home })) return opening;
    this.#graphs.set(root, opening);
    this.#noted.set(root, this.#clock());
    opening.catch(() => this.#graphs.delete(root));
    return opening;
  }

  /** The graph of a root if it is open or being opened. */
  known(root: string): Promise<OpenGraph> | undefined {
    return this.#graphs.get(root);
  }

  /** Opening notes the first use. */
  #noteUse(root: string): void {
    const now = this.#clock();
    if (now - (this.#noted.get(root) ?? 0) < SAME_USE_MS) return;
    this.#noted.set(root, now);
    noteUse(homesOf(root, { home: this.home }), Date.now());
  }

  /** What keeps a graph up to date with the files of its root, for as long as it is open. */
  freshnessOf(graph: OpenGraph): Freshness {
    const known = this.#freshness.get(graph);
    if (known) return known;
    const { root } = graph;
    const made = new Freshness({
      graph,
      cookies: root === null ? null : cookiesOf(root, { home: this.home }),
      autoIndex: () => root !== null && indexesByItself(root, this.home),
      clock: () => performance.now(),
      onIndexing: this.onIndexing,
    });
    this.#freshness.set(graph, made);
    return made;
  }

  /** To be called after a request about a root: there may be something to embed, or a backup due. */
  async settled(root: string): Promise<void> {
    const graph = await this.#graphs.get(root)?.catch(() => undefined);
    if (!graph) return;
    this.#embeddingOf(graph).look();
    this.#backups.look(homesOf(root, { home: this.home }));
  }

  /** Makes a backup of the thread's history. @throws CodewalkError `PROJECT_NOT_INDEXED`, `STORE_FULL`. */
  async backup(root: string): Promise<MadeBackup> {
    await this.of(root, () => 'refused', true);
    const layer = await this.#history.layer;
    if (layer === null) throw new CodewalkError('STORE_CLOSED', `the graph of ${root} was closed meanwhile`);
    return this.#backups.make(homesOf(root, { home: this.home }), layer);
  }

  #embeddingOf(graph: OpenGraph): EmbeddingLater {
    const known = this.#embedding.get(graph);
    if (known) return known;
    const isWanted = () => settingsFor(graph.root, { home: this.home }).embeddings_url !== '';
    const made = new EmbeddingLater({ graph, isWanted, onRun: this.onIndexing });
    this.#embedding.set(graph, made);
    return made;
  }

  /** The graphs that are open, by their roots. */
  async open(): Promise<OpenGraph[]> {
    const all = await Promise.allSettled(this.#graphs.values());
    return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  /** Closes the graph of a root, if it is open. */
  async release(root: string): Promise<void> {
    const opened = this.#graphs.get(root);
    this.#graphs.delete(root);
    const graph = await opened?.catch(() => undefined);
    if (!graph) return;
    await this.#freshness.get(graph)?.close();
    await this.#embedding.get(graph)?.close();
    await this.#backups.stop();
    await graph.close();
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#graphs.keys()].map((root) => this.release(root)));
  }
}
