import type { ReadContext } from './context.js';
import type { Overlay } from './overlay.js';

/** Ids that a kept value may lag behind by; beyond it, making it anew is the cheaper way. */
const MOST_CHANGES = 100_000;

/**
 * What walkers make of the durable layer and keep in memory while it is open, once for all graphs over it: an index, a
 * table. It follows what is committed, may be dropped at any time, and says nothing that the layer does not. Compared
 * by identity.
 */
export interface Digest<T> {
  /** For messages. */
  readonly name: string;
  /** A value of an empty graph. */
  create(): T;
  /**
   * Brings the value to what `context` reads.
   *
   * @param changed Ids of durable nodes that were written or deleted since, and of both ends of such edges; null:
   * all may have been.
   */
  update(value: T, changed: ReadonlySet<string> | null, context: ReadContext): Promise<void>;
}

interface Entry {
  value: unknown;
  /** The number of the version that the value speaks of; null while it speaks of none. */
  at: number | null;
  /** What was written since, with the numbers of the first and the last version that wrote it; null: too much to tell. */
  changes: Map<string, { readonly first: number; readonly last: number }> | null;
  /** The last version of which it took no note. */
  since: number;
  /** Updates come one after another. */
  turn: Promise<unknown>;
}

/** The digests of one open durable layer. */
export class Digests {
  readonly #entries = new Map<unknown, Entry>();
  #latest = 0;

  /** How many commits have changed the layer since it was opened: the number of its version. */
  get latest(): number {
    return this.#latest;
  }

  /** Takes note of a commit; one that leaves the layer as it was, as those of an index, makes no version. */
  written(overlay: Overlay): void {
    const ids = new Set(durableIds(overlay));
    if (ids.size === 0) return;
    this.#latest++;
    const number = this.#latest;
    for (const entry of this.#entries.values()) {
      if (!entry.changes) continue;
      for (const id of ids)
        entry.changes.set(id, { first: entry.changes.get(id)?.first ?? number, last: number });
      if (entry.changes.size > MOST_CHANGES) entry.changes = null;
    }
  }

  /**
   * What `use` makes of the value as of a run's version, before another run brings it further.
   *
   * @param number That of the version that the run reads: {@link Digests.latest} as it was when the run began.
   */
  async of<T, R>(digest: Digest<T>, use: (value: T) => R, number: number, context: ReadContext): Promise<R> {
    let entry = this.#entries.get(digest);
    if (!entry) {
      const [changes, since] = [new Map(), this.#latest];
      entry = { value: digest.create(), at: null, changes, since, turn: Promise.resolve() };
      this.#entries.set(digest, entry);
    }
    const own = entry;
    const done = own.turn.then(async () => use(await this.#updated(digest, own, number, context)));
    own.turn = done.catch(() => undefined);
    return done;
  }

  async #updated<T>(digest: Digest<T>, entry: Entry, number: number, context: ReadContext): Promise<T> {
    if (entry.changes === null) {
      [entry.at, entry.changes, entry.since] = [null, new Map(), this.#latest];
    }
    // A run that still reads an older version gets a value of its own.
    if (Math.max(entry.since, entry.at ?? 0) > number) return made(digest, context);
    const { at, changes } = entry;
    const known = at !== null;
    const due = new Set<string>();
    for (const [id, { first }] of changes) if (first <= number) due.add(id);
    if (!known || due.size > 0) {
      const value = known ? (entry.value as T) : digest.create();
      entry.at = null;
      await digest.update(value, known ? due : null, context);
      entry.value = value;
      // What was written again meanwhile stays due.
      for (const id of due) {
        const last = entry.changes?.get(id)?.last ?? 0;
        if (last > number) entry.changes?.set(id, { first: last, last });
        else entry.changes?.delete(id);
      }
    }
    entry.at = number;
    return entry.value as T;
  }
}

/** What a commit writes in the durable layer: nodes, and both ends of edges. */
function* durableIds(overlay: Overlay): Iterable<string> {
  for (const [id, { before, after }] of overlay.nodes)
    if (before?.layer === 'durable' || after?.archetype.layer === 'durable') yield id;
  for (const { archetype, from, to } of overlay.edges) {
    if (archetype.layer !== 'durable') continue;
    yield from;
    yield to;
  }
  for (const { address, layer } of overlay.removed.values()) {
    if (layer !== 'durable') continue;
    yield address.from;
    yield address.to;
  }
}

/** The value as of what `context` reads, made for it alone: where a run may change what it reads. */
export async function made<T>(digest: Digest<T>, context: ReadContext): Promise<T> {
  const value = digest.create();
  await digest.update(value, null, context);
  return value;
}
