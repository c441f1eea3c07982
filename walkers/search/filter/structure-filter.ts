import { type CypherValue, run } from '../../../cypher/index.js';
import type { ReadContext } from '../../../runtime/index.js';
import { CodewalkError, LIMITS, Project } from '../../../schema/index.js';
import { type CypherContext, CypherView } from '../../query/cypher/cypher-view.js';
import { PREPARED } from '../../query/cypher/prepared-slot.js';
import { anyValue } from '../../query/cypher/stored-value.js';

const { searchFilterNodes } = LIMITS;

/** What a structure filter selects. */
export interface Filtered {
  /** Ids of the nodes of its first column, each once, in the order of the rows. */
  readonly ids: readonly string[];
  /** What is to be said of it. */
  readonly notes: readonly string[];
}

/**
 * Runs a read-only Cypher query whose first column holds nodes (S1-19). `$project` is the project's name and `$query`
 * what is searched for; parameters of the caller win over both (S1-25).
 *
 * @throws CodewalkError `INVALID_INPUT` where the first column holds something else; CypherError as the engine does.
 */
export async function filteredBy(
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
