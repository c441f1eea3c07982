import type { ReadContext, Slot } from '../../../runtime/index.js';
import type { CypherContext } from '../../query/cypher/cypher-view.js';
import { scopedIds } from './scoped-ids.js';
import { type Selection, selectionOf } from './selection.js';
import { filteredBy } from './structure-filter.js';

/** What a search is narrowed to. */
export interface Narrowing {
  readonly structure_filter?: string | undefined;
  /** Of the filter. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly scope?: string | undefined;
}

/** What a search may find, and what is to be said of it. */
export interface Chosen {
  readonly selection: Selection;
  readonly notes: readonly string[];
}

type Look = CypherContext & Pick<ReadContext, 'signal' | 'now' | 'lookUp' | 'q'>;

/** Selections that are kept: who looks inside one asks more than once there. */
const MOST_KEPT = 8;

/** Selections of one version of a graph, by what they were asked by; the last that were used. */
class KeptSelections {
  #version: number | null = null;
  readonly #kept = new Map<string, Chosen>();

  async of(version: number | null, key: string, make: () => Promise<Chosen>): Promise<Chosen> {
    if (version === null) return make();
    if (this.#version !== version) this.#kept.clear();
    this.#version = version;
    const chosen = this.#kept.get(key) ?? (await make());
    // A run that waited may have been overtaken by one of a newer version.
    if (this.#version !== version) return chosen;
    this.#kept.delete(key);
    this.#kept.set(key, chosen);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return chosen;
  }
}

const KEPT: Slot<KeptSelections> = { name: 'selections of searches', make: () => new KeptSelections() };

/**
 * What a search may find; null: everything.
 *
 * @param query What is searched for: a filter sees it as `$query`.
 * @throws CodewalkError As {@link filteredBy} and {@link scopedIds} do.
 */
export async function chosenBy(
  context: Look,
  query: string,
  { structure_filter: filter, parameters = {}, scope }: Narrowing,
): Promise<Chosen | null> {
  if (filter === undefined && scope === undefined) return null;
  const given = filter?.includes('$query') ? { query, ...parameters } : parameters;
  const key = JSON.stringify([filter, given, scope]);
  return context.kept(KEPT).of(context.version, key, async () => {
    const filtered = filter === undefined ? null : await filteredBy(context, filter, given);
    const scoped = scope === undefined ? null : await scopedIds(context, scope, filtered?.ids ?? null);
    const selection = await selectionOf(context, scoped ?? filtered?.ids ?? []);
    return { selection, notes: filtered?.notes ?? [] };
  });
}
