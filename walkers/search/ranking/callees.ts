import type { ReadContext, Slot } from '../../../runtime/index.js';
import { SymbolCallsSymbol } from '../../../schema/index.js';

/** Symbols of which it is kept what they call: some 100 bytes for each callee. */
const MOST_KEPT = 10_000;

const NONE: readonly string[] = [];

/** What symbols of one version of the code call: of the best hits of one search many are among those of the next. */
class KnownCallees {
  #revision: number | null = null;
  #known = new Map<string, readonly string[]>();

  /** Ids of what each of some symbols calls, by the caller's. */
  async of(
    { q, codeRevision }: Pick<ReadContext, 'q' | 'codeRevision'>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    if (codeRevision === null || codeRevision !== this.#revision || this.#known.size > MOST_KEPT)
      this.#known = new Map();
    this.#revision = codeRevision;
    const known = this.#known;
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length === 0) return known;
    const read = new Map<string, string[]>();
    for (const { from, to } of await q(missing).out(SymbolCallsSymbol).edges()) {
      const callees = read.get(from);
      if (callees) callees.push(to);
      else read.set(from, [to]);
    }
    for (const id of missing) known.set(id, read.get(id) ?? NONE);
    return known;
  }
}

/** Where a graph keeps them. */
export const CALLEES: Slot<KnownCallees> = { name: 'what symbols call', make: () => new KnownCallees() };
