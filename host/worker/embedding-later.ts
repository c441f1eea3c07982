import { LIMITS } from '../../schema/index.js';
import { GraphEmbed } from '../../walkers/index.js';
import type { OpenGraph } from '../open-graph.js';

/** What {@link EmbeddingLater} stands on. */
export interface EmbeddingLaterOptions {
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
  readonly #options: EmbeddingLaterOptions;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  /** The revision of the last look at its texts. */
  #seen: number | null = null;

  constructor(options: EmbeddingLaterOptions) {
    this.#options = options;
  }

  /** To be called after whatever may have changed the graph. */
  look(): void {
    const { graph, delayMs = LIMITS.embeddingDelay.default } = this.#options;
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
    const { graph, isWanted, onRun } = this.#options;
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
