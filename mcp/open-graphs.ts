import type { Absent, OpenGraph } from '../host/index.js';

/** The graphs that a server has open: one per root, opened at the first call, closed at the end. */
export class OpenGraphs {
  readonly #open: (root: string, absent: Absent) => Promise<OpenGraph>;
  readonly #isThere: (root: string) => boolean;
  readonly #graphs = new Map<string, Promise<OpenGraph>>();

  /** @param open opens the graph of a root @param isThere whether it has one */
  constructor(
    open: (root: string, absent: Absent) => Promise<OpenGraph>,
    isThere: (root: string) => boolean,
  ) {
    this.#open = open;
    this.#isThere = isThere;
  }

  /**
   * The graph of a root, by its real path. What failed to open is tried again by the next call. An empty one in the
   * place of one that is not there is that call's alone: what the next call records must reach the disk.
   */
  of(root: string, absent: Absent): Promise<OpenGraph> {
    const known = this.#graphs.get(root);
    if (known) return known;
    if (absent === 'empty' && !this.#isThere(root)) return this.#open(root, absent);
    const opening = this.#open(root, absent);
    this.#graphs.set(root, opening);
    opening.catch(() => this.#graphs.delete(root));
    return opening;
  }

  /** Closes all of them; those that never opened have nothing to close. */
  async close(): Promise<void> {
    const opening = [...this.#graphs.values()];
    this.#graphs.clear();
    await Promise.allSettled(opening.map(async (graph) => (await graph).close()));
  }
}
