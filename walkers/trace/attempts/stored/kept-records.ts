import type { ReadContext, Slot } from '../../../../runtime/index.js';

/** What was read and decoded of one version of a graph, by id. */
export class KeptRecords<T> {
  readonly #most: number;
  readonly #records = new Map<string, T | null>();
  #version: number | null = null;

  /** @param most Records that are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Records by id, of those that there are.
   *
   * @param read Reads and decodes some of them; null: there is none.
   */
  async of(
    ids: readonly string[],
    { version }: Pick<ReadContext, 'version'>,
    read: (ids: readonly string[]) => Promise<readonly (T | null)[]>,
  ): Promise<Map<string, T>> {
    const records = new Map<string, T | null>();
    for (const id of ids) {
      const known = version !== null && version === this.#version ? this.#records.get(id) : undefined;
      if (known !== undefined) records.set(id, known);
    }
    const missing = ids.filter((id) => !records.has(id));
    const fresh = new Map<string, T | null>();
    for (const [at, record] of (missing.length > 0 ? await read(missing) : []).entries())
      fresh.set(missing[at] ?? '', record);
    if (version !== null) this.#keep(fresh, version);
    const found = new Map<string, T>();
    for (const id of ids) {
      const record = records.get(id) ?? fresh.get(id) ?? null;
      if (record !== null) found.set(id, record);
    }
    return found;
  }

  #keep(fresh: ReadonlyMap<string, T | null>, version: number): void {
    if (this.#version !== version || this.#records.size + fresh.size > this.#most) this.#records.clear();
    this.#version = version;
    for (const [id, record] of fresh) this.#records.set(id, record);
  }
}

/** A slot for the records of one kind. @param name For messages. */
export function keptRecords<T>(name: string, most: number): Slot<KeptRecords<T>> {
  return { name, make: () => new KeptRecords<T>(most) };
}
