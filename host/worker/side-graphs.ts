import type { MessagePort } from 'node:worker_threads';
import type { FollowUp, RunOptions, WalkerType } from '../../runtime/index.js';
import type { FreshState } from '../freshness/fresh-state.js';
import { type OpenGraph, openGraph } from '../open-graph.js';
import type { LoadedWalkers } from '../user-walkers.js';
import { FarStores } from './far-stores.js';
import type { Aside } from './messages.js';

/** The graphs of a thread beside that of a history: one per root and version, over stores that the other one has open. */
export class SideGraphs {
  readonly #home: string;
  readonly #loaded: Pick<LoadedWalkers, 'archetypes' | 'arrivals'>;
  readonly #stores: FarStores;
  readonly #graphs = new Map<number, Promise<OpenGraph>>();

  /** @param loaded archetypes and arrivals of people's own. */
  constructor(home: string, loaded: Pick<LoadedWalkers, 'archetypes' | 'arrivals'>, port: MessagePort) {
    this.#home = home;
    this.#loaded = loaded;
    this.#stores = new FarStores(port, (version) => {
      const graph = this.#graphs.get(version);
      this.#graphs.delete(version);
      void graph?.then((one) => one.close()).catch(() => undefined);
    });
  }

  /** The graph of a root in one version. */
  of(root: string, { version }: Aside): Promise<OpenGraph> {
    const known = this.#graphs.get(version);
    if (known) return known;
    const [derived, durable] = [
      this.#stores.store(version, 'derived'),
      this.#stores.store(version, 'durable'),
    ];
    const stores = { derived, durable };
    // Whoever asked has been checked for it.
    const opening = openGraph(root, { ...this.#loaded, home: this.#home, force: true, stores });
    this.#graphs.set(version, opening);
    opening.catch(() => this.#graphs.delete(version));
    return opening;
  }

  /** Stands for what keeps a graph up to date: that was done before. */
  freshness(graph: OpenGraph, root: string, fresh: FreshState) {
    return {
      before: async () => fresh,
      run: (walker: WalkerType, input: Record<string, unknown>, options: RunOptions) =>
        graph.spawn(walker, null, input as never, options),
      found: (changed: readonly string[]) => {
        if (changed.length > 0) this.#stores.say({ root, changed });
      },
    };
  }

  /** Has what an answer leaves written down where the stores are. */
  due(root: string, due: FollowUp): void {
    this.#stores.say({ root, due });
  }
}
