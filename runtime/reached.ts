import { append } from '../schema/index.js';

/** One step of a walk by frontiers: from a node of the frontier to a node that it leads to. */
export interface Hop {
  readonly from: string;
  readonly to: string;
  /** A whole number; 0: to a node at the same distance. Default 1. */
  readonly cost?: number;
}

/** What a walk reached: each node once, nearest first; at one distance in the order of the hops. */
export class Reached<H extends Hop = Hop> {
  readonly #starts: ReadonlySet<string>;
  readonly #found = new Map<string, { readonly distance: number; readonly hop: H }>();
  readonly #waiting = new Map<number, H[]>();

  /** Whether the walk went no further for a limit of its own: its walker says so. */
  truncated = false;

  constructor(starts: Iterable<string>) {
    this.#starts = new Set(starts);
  }

  /** The ids where it began. */
  get starts(): string[] {
    return [...this.#starts];
  }

  /** The ids at a distance: of what is on the way to others. */
  at(distance: number): string[] {
    const reached = [...this.#found].filter(
      ([id, one]) => one.distance === distance && !this.#starts.has(id),
    );
    const ids = reached.map(([id]) => id);
    return distance === 0 ? [...this.#starts, ...ids] : ids;
  }

  /** The ids of what it reached. A start is among them only where a hop leads to one. */
  get ids(): string[] {
    return [...this.#found.keys()];
  }

  get size(): number {
    return this.#found.size;
  }

  /** Whether it began at a node or has reached it. */
  has(id: string): boolean {
    return this.#starts.has(id) || this.#found.has(id);
  }

  /** The sum of the costs of the cheapest way; undefined: the node was not reached. */
  distance(id: string): number | undefined {
    return this.#found.get(id)?.distance;
  }

  /** The last hop of that way. */
  hop(id: string): H | undefined {
    return this.#found.get(id)?.hop;
  }

  /** That way: the node first, a start last. Of several the one that was found first. */
  path(id: string): string[] {
    const path = [id];
    for (let hop = this.hop(id); hop; hop = this.#starts.has(hop.from) ? undefined : this.hop(hop.from))
      path.push(hop.from);
    return path;
  }

  /** Takes a hop in: at once where nothing cheaper can come. False when its node was reached before. */
  add(hop: H, distance: number): boolean {
    if (this.#found.has(hop.to)) return false;
    this.#found.set(hop.to, { distance, hop });
    return true;
  }

  /** Takes a hop in when its distance comes. */
  queue(hop: H, distance: number): void {
    append(this.#waiting, distance, hop);
  }

  /** Whether any queued hop is left. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Takes in the queued hops of a distance: the nodes from which to go on, in the order of the hops. */
  frontier(distance: number): string[] {
    const next: string[] = [];
    for (const hop of this.#waiting.get(distance) ?? [])
      if (this.add(hop, distance) && !this.#starts.has(hop.to)) next.push(hop.to);
    this.#waiting.delete(distance);
    return next;
  }
}
