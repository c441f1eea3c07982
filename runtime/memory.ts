/**
 * A place for what walkers of one kind keep in memory beside an open graph: a cache of what is stored, a parser that
 * is warm. A slot is compared by identity. What is kept may be gone at any time, and says nothing that the store
 * does not say: whoever uses it checks that it still fits.
 */
export interface Slot<T> {
  /** For messages. */
  readonly name: string;
  /** Makes what is kept, when it is first asked for. */
  readonly make: () => T;
  /** Frees it when the graph is closed. */
  readonly free?: (value: T) => void;
}

/** What the walkers of one open graph keep in memory. */
export class GraphMemory {
  readonly #kept = new Map<unknown, { readonly value: unknown; readonly free: () => void }>();

  /** What is kept under a slot. */
  of<T>(slot: Slot<T>): T {
    const known = this.#kept.get(slot);
    if (known) return known.value as T;
    const value = slot.make();
    this.#kept.set(slot, { value, free: () => slot.free?.(value) });
    return value;
  }

  /** Frees everything. */
  clear(): void {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    for (const { free } of all) free();
  }
}
