import { type Catalog, JoinedCatalog, TransactionManager } from '../runtime/index.js';
import { CodewalkError } from '../schema/index.js';
import {
  type CountingStore,
  countRoundTrips,
  type KeyValueStore,
  type LayerStore,
  openLayer,
} from '../storage/index.js';

/** The durable layer of a history, while a graph has it. */
export interface HeldHistory {
  readonly store: CountingStore;
  readonly layer: LayerStore;
  readonly transactions: TransactionManager;
  /** Releases it: the last one closes it. */
  release(): Promise<void>;
}

interface Opened extends Omit<HeldHistory, 'release'> {
  readonly catalogs: JoinedCatalog;
}

/**
 * What the graphs of one repository's worktrees share when they are open in one thread (ruling X-34): one durable layer, in
 * which all see what each commits. It is open for as long as one of them is, and can be opened again.
 *
 * @example
 * const history = new History();
 * const main = await openGraph('/home/me/project', { history });
 * const other = await openGraph('/home/me/worktree', { history });
 */
export class History {
  #folder: string | null = null;
  #opened: Promise<Opened> | null = null;
  #holders = 0;
  #closing: Promise<unknown> | null = null;

  /**
   * Opens the durable layer in a folder, or takes part in it. For {@link openGraph}.
   *
   * @param catalog What the graph knows of archetypes.
   * @throws CodewalkError `INTERNAL` when graphs of another history have it open, or as `open` does.
   */
  async hold(folder: string, catalog: Catalog, open: () => Promise<KeyValueStore>): Promise<HeldHistory> {
    while (this.#closing) await this.#closing;
    if (this.#opened && this.#folder !== folder)
      throw new CodewalkError('INTERNAL', `${folder} is of another history than ${this.#folder}`);
    this.#folder = folder;
    this.#opened ??= openedWith(catalog, open);
    this.#holders++;
    const opened = await this.#opened.catch((error) => {
      if (--this.#holders === 0) this.#opened = null;
      throw error;
    });
    opened.catalogs.add(catalog);
    let isHeld = true;
    const release = async () => {
      if (!isHeld) return;
      isHeld = false;
      opened.catalogs.delete(catalog);
      if (--this.#holders > 0) return;
      this.#opened = null;
      const closing = opened.layer.close();
      this.#closing = closing.catch(() => undefined);
      await closing.finally(() => {
        this.#closing = null;
      });
    };
    return { ...opened, release };
  }

  /** The durable layer; null while no graph has it. */
  get layer(): Promise<LayerStore> | null {
    return this.#opened?.then(({ layer }) => layer) ?? null;
  }
}

async function openedWith(catalog: Catalog, open: () => Promise<KeyValueStore>): Promise<Opened> {
  const store = countRoundTrips(await open());
  const catalogs = new JoinedCatalog();
  catalogs.add(catalog);
  try {
    const layer = await openLayer(store, 'durable', catalogs);
    return { store, layer, transactions: new TransactionManager(), catalogs };
  } catch (error) {
    await store.close();
    throw error;
  } finally {
    catalogs.delete(catalog);
  }
}
