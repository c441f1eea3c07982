/**
 * Something outside the graph that walkers may use where whoever opens the graph gives it: a service of the user's.
 * Compared by identity.
 */
export interface Resource<T> {
  /** For messages. */
  readonly name: string;
  /** What walkers get where nobody gave anything. */
  readonly absent: T;
}

/** What was given to a graph. */
export class Resources {
  readonly #given = new Map<unknown, unknown>();

  /** Gives a resource, in the place of what was given before. */
  give<T>(resource: Resource<T>, value: T): this {
    this.#given.set(resource, value);
    return this;
  }

  /** What was given under a resource, else what stands for its absence. */
  of<T>(resource: Resource<T>): T {
    return this.#given.has(resource) ? (this.#given.get(resource) as T) : resource.absent;
  }
}
