import { LIMITS } from '../../schema/index.js';
import { whenThere } from '../frame.js';
import type { Awaitable, KeyValueReader } from '../kv.js';
import { packKey, shownOwner } from './owner.js';
import { type Pack, PackDetails } from './pack.js';

/** Bytes that a decoded node takes, about. */
const PER_NODE = 1200;

/**
 * The details of packs and the nodes decoded from them, read when they are asked for and dropped, the oldest first, when
 * they take too much. Those of a pack that a commit replaces stay with it, for readers of earlier versions: what is read
 * from the store is always of the newest.
 */
export class PackMemory {
  /** Packs of the newest version with something in memory, and how much. */
  readonly #sizes = new Map<Pack, number>();
  readonly #broken = new WeakSet<Pack>();
  #bytes = 0;

  /** @param damaged Gets the owners whose details cannot be read. */
  constructor(
    private readonly store: KeyValueReader,
    private readonly damaged: Set<string>,
    private readonly most: number = LIMITS.hotNodes.max,
  ) {}

  /** The details of packs in their order; undefined where they are damaged. One round trip for those that were not read. */
  load(packs: readonly Pack[]): Awaitable<readonly (PackDetails | undefined)[]> {
    return whenThere(this.read(packs), (found) => {
      for (const [at, pack] of packs.entries()) {
        const details = found[at];
        if (details === undefined || pack.details !== null) continue;
        pack.details = details;
        this.#grow(pack, details.size);
      }
      return found;
    });
  }

  /** As {@link PackMemory.load}, and nothing of it stays in memory: for who reads everything. */
  read(packs: readonly Pack[]): Awaitable<readonly (PackDetails | undefined)[]> {
    const missing = packs.filter((pack) => pack.details === null && !this.#broken.has(pack));
    if (missing.length === 0) return packs.map(({ details }) => details ?? undefined);
    const values = this.store.getMany(missing.map(({ owner }) => packKey('details', owner)));
    return whenThere(values, (found) => {
      const read = new Map(missing.map((pack, at) => [pack, PackDetails.of(pack, found[at])]));
      for (const [pack, details] of read) {
        // A commit that replaced it meanwhile has left them with it.
        if (details !== undefined || pack.details !== null) continue;
        this.#broken.add(pack);
        this.damaged.add(shownOwner(pack.owner));
      }
      return packs.map((pack) => pack.details ?? read.get(pack));
    });
  }

  /** Notes that a node of a pack was decoded and stays in memory. */
  noteDecoded(pack: Pack): void {
    this.#grow(pack, PER_NODE);
  }

  /** Leaves to a pack what it has: a commit replaces it. */
  release(pack: Pack): void {
    this.#bytes -= this.#sizes.get(pack) ?? 0;
    this.#sizes.delete(pack);
  }

  /** Frees everything of the newest version. */
  clear(): void {
    for (const pack of this.#sizes.keys()) pack.forget();
    this.#sizes.clear();
    this.#bytes = 0;
  }

  #grow(pack: Pack, more: number): void {
    const size = (this.#sizes.get(pack) ?? 0) + more;
    this.#sizes.delete(pack);
    this.#sizes.set(pack, size);
    this.#bytes += more;
    for (const [oldest, bytes] of this.#sizes) {
      if (this.#bytes <= this.most || oldest === pack) return;
      oldest.forget();
      this.#sizes.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
