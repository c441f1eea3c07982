import type { MessagePort } from 'node:worker_threads';
import type { FollowUp, RunOptions, WalkerType } from '../../runtime/index.js';
import type { FreshState } from '../freshness/fresh-state.js';
import { type OpenGraph, openGraph } from '../open-graph.js';
import type { LoadedWalkers } from '../user-walkers.js';
import { FarStores } from './far-stores.js';
import type { Aside } from './messages.js';

/** The graphs of a side thread: one per version, over stores that the history's thread has open. */
export class SideGraphs {
  readonly #home: string;
  readonly #loaded: Pick<LoadedWalkers, 'archetypes' | 'arrivals'>;
  readonly #stores: FarStores;
  readonly #graphs = new Map<number, Promise<OpenGraph>>();

  /** @param loaded archetypes and arrivals of the user's own walkers. */
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
    // Forced: the history's thread has checked the root already.
    const opening = openGraph(root, { ...this.#loaded, home: this.#home, force: true, stores });
    this.#graphs.set(version, opening);
    opening.catch(() => this.#graphs.delete(version));
    return opening;
  }

  /** A stand-in for `Freshness`: the history's thread has brought the graph up to date already. */
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

  /** Lets the history's thread record what is due after an answer. */
  due(root: string, due: FollowUp): void {
    this.#stores.say({ root, due });
  }
}
