import type { StepsContext } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { type FileFacts, factsFromBytes, type ModuleTable, moduleTable } from '../../source/index.js';
import { factsName } from './file-state.js';

/** The facts of files as tables for looking names up: those that a run needs, loaded when it needs them. */
export class FactsStore {
  readonly #tables = new Map<string, { readonly table: ModuleTable; readonly bytes: number }>();
  #bytes = 0;

  get(path: string): ModuleTable | undefined {
    return this.#tables.get(path)?.table;
  }

  /** Takes in facts that were just extracted, or loaded. */
  put(path: string, facts: FileFacts, bytes: number): void {
    this.drop(path);
    this.#tables.set(path, { table: moduleTable(facts), bytes });
    this.#bytes += bytes;
  }

  drop(path: string): void {
    const known = this.#tables.get(path);
    if (!known) return;
    this.#tables.delete(path);
    this.#bytes -= known.bytes;
  }

  /** Loads what is not there yet. The paths of those whose facts are missing from the store, or not readable. */
  async load({ blobs }: Pick<StepsContext, 'blobs'>, paths: Iterable<string>): Promise<string[]> {
    const missing = [...new Set(paths)].filter((path) => !this.#tables.has(path));
    const found = missing.length === 0 ? [] : await blobs(missing.map(factsName));
    return missing.filter((path, at) => {
      const bytes = found[at];
      const facts = bytes && readFacts(bytes);
      if (facts) this.put(path, facts, bytes.length);
      return !facts;
    });
  }

  /**
   * Lets go of the oldest beyond what may stay.
   *
   * @param most Bytes, as facts are stored. Default: what may stay between two runs.
   */
  trim(most: number = LIMITS.keptFacts.max): void {
    for (const path of this.#tables.keys()) {
      if (this.#bytes <= most) return;
      this.drop(path);
    }
  }
}

/** Facts from their bytes; undefined where they are not readable. */
export function readFacts(bytes: Uint8Array): FileFacts | undefined {
  try {
    return factsFromBytes(bytes);
  } catch {
    return undefined;
  }
}
