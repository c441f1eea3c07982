import type { OpenGraph } from '../host/index.js';

/** The graphs that a server has open: one per root, opened at the first call, closed at the end. */
export class OpenGraphs {
  readonly #open: (root: string, existing: boolean) => Promise<OpenGraph>;
  readonly #graphs = new Map<string, Promise<OpenGraph>>();

  /** @param open opens the graph of a root; `existing`: only if it is there */
  constructor(open: (root: string, existing: boolean) => Promise<OpenGraph>) {
    this.#open = open;
  }

  /** The graph of a root, by its real path; `existing`: nothing is made for it. What failed to open is tried again by the next call. */
  of(root: string, existing: boolean): Promise<OpenGraph> {
    const known = this.#graphs.get(root);
    if (known) return known;
    const opening = this.#open(root, existing);
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
