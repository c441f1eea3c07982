import { type CypherValue, run } from '../../../cypher/index.js';
import type { ReadContext, Slot } from '../../../runtime/index.js';
import { CodewalkError, LIMITS, Project } from '../../../schema/index.js';
import { type CypherContext, CypherView } from '../../query/cypher/cypher-view.js';
import { PREPARED } from '../../query/cypher/prepared-slot.js';
import { anyValue } from '../../query/cypher/stored-value.js';
import { scopedIds } from '../../query/parts/scope.js';
import { type Selection, selectionOf } from './selection.js';

const { searchFilterNodes } = LIMITS;

/** What a structure filter selects. */
interface Filtered {
  /** Ids of the nodes of its first column, each once, in the order of the rows. */
  readonly ids: readonly string[];
  /** What is to be said of it. */
  readonly notes: readonly string[];
}

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

/**
 * Runs a read-only Cypher query whose first column holds nodes (S1-19). `$project` is the project's name and `$query`
 * what is searched for; parameters of the caller win over both (S1-25).
 *
 * @throws CodewalkError `INVALID_INPUT` where the first column holds something else; CypherError as the engine does.
 */
async function filteredBy(
  context: CypherContext & Pick<ReadContext, 'signal' | 'now'>,
  filter: string,
  given: Readonly<Record<string, unknown>>,
): Promise<Filtered> {
  const [project] = await context.find(Project);
  const parameters = { project: project?.name ?? '', ...given };
  const view = await CypherView.of(context);
  try {
    const { rows, columns, total, hints, cuts } = await run(context.kept(PREPARED).of(filter), view, {
      parameters: new Map(Object.entries(parameters).map(([name, value]) => [name, anyValue(value)])),
      limit: searchFilterNodes.max,
      get signal() {
        return context.signal;
      },
      now: context.now,
    });
    const ids = new Set<string>();
    for (const [first = null] of rows) if (first !== null) ids.add(idOf(first, filter, columns[0]));
    const left = total.count - rows.length;
    const more =
      left > 0 ? [`The filter gives ${total.count} rows; the first ${rows.length} are searched.`] : [];
    return { ids: [...ids], notes: [...more, ...cuts, ...hints] };
  } finally {
    await view.close();
  }
}

function idOf(value: CypherValue, filter: string, column = 'the first column'): string {
  if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'node')
    return String(value.id);
  throw new CodewalkError('INVALID_INPUT', `structure_filter: '${column}' holds something that is no node`, {
    input: filter,
    suggestion: 'Return nodes in the first column: MATCH (f:Function) … RETURN f',
  });
}
