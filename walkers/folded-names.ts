import type { ReadContext, Slot } from '../runtime/index.js';
import { CodeSymbol } from '../schema/index.js';

/** Of a graph with more symbols nothing is kept: their ids are looked through each time. */
const MOST_SYMBOLS = 100_000;

/** Ids of symbols by how their names end, for as long as the code graph is what it was. */
interface FoldedNames {
  revision: number | null;
  byTail: ReadonlyMap<string, readonly string[]>;
}

const FOLDED_NAMES: Slot<FoldedNames> = {
  name: 'names in lower case',
  make: () => ({ revision: null, byTail: new Map() }),
};

/**
 * The ids of all symbols whose folded name may end with a folded one, by id: at least those whose parts after the last dot
 * or slash are the same.
 *
 * @param foldedName The folded name in an id.
 */
export async function idsEndingIn(
  { findIds, kept, codeRevision }: Pick<ReadContext, 'findIds' | 'kept' | 'codeRevision'>,
  ending: string,
  foldedName: (id: string) => string,
): Promise<readonly string[]> {
  const names = kept(FOLDED_NAMES);
  if (codeRevision === null || names.revision !== codeRevision) {
    const ids = await findIds(CodeSymbol);
    if (codeRevision === null || ids.length > MOST_SYMBOLS) return ids;
    const byTail = new Map<string, string[]>();
    for (const id of ids) {
      const tail = tailOf(foldedName(id));
      const same = byTail.get(tail);
      if (same) same.push(id);
      else byTail.set(tail, [id]);
    }
    names.byTail = byTail;
    names.revision = codeRevision;
  }
  return names.byTail.get(tailOf(ending)) ?? [];
}

function tailOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1);
}
