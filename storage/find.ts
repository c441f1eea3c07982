import { CodewalkError, indexedFields } from '../schema/index.js';
import type { Frame } from './frame.js';
import { ALL_NODES, compareIndexKeys, indexedId, indexRange } from './index-keys.js';
import type { KeyRange, KeyValueEntry, KeyValueReader } from './kv.js';
import type { ArchetypeCatalog, IndexQuery } from './layer.js';
import type { TypeTable } from './type-table.js';

/** Ids per page where several archetypes are merged. */
const PAGE = 500;

/**
 * Ids that an index finds, by (value, id), of an archetype and its descendants.
 *
 * @throws CodewalkError `INVALID_INPUT` when the property has no index, or bounds of different kinds are mixed.
 */
export async function* findIds(
  source: KeyValueReader,
  { types }: Frame,
  catalog: ArchetypeCatalog,
  query: IndexQuery,
): AsyncGenerator<readonly string[]> {
  checkQuery(catalog, query);
  const ranges = rangesOf(types, new Set([query.type, ...catalog.descendants(query.type)]), query);
  if (query.limit === 0) return;
  const [only, ...others] = ranges;
  if (only === undefined) return;
  if (others.length === 0) {
    for await (const page of source.scan(only)) yield page.map(([key, value]) => indexedId(key, value));
    return;
  }
  yield* mergePages(
    ranges.map((range) => source.scan(range)),
    query.limit ?? Number.POSITIVE_INFINITY,
    query.reverse ? -1 : 1,
  );
}

/** The range of keys of each archetype in which a look-up finds something. */
function rangesOf(types: TypeTable, names: ReadonlySet<string>, query: IndexQuery): KeyRange[] {
  const ranges: KeyRange[] = [];
  for (const name of names) {
    const type = types.byName('node', name);
    const position =
      query.property === null ? ALL_NODES : type === undefined ? 0 : type.indexed.indexOf(query.property) + 1;
    if (type === undefined || (query.property !== null && position === 0)) continue;
    const limit = query.limit === undefined ? {} : { limit: query.limit };
    const parts = query.property === null ? 1 : indexedFields(query.property).length;
    const { reverse = false } = query;
    ranges.push({ ...indexRange(type.code, position, query, parts), reverse, ...limit });
  }
  return ranges;
}

/** @throws CodewalkError `INVALID_INPUT` as {@link findIds}. */
export function checkQuery(catalog: ArchetypeCatalog, query: IndexQuery): void {
  const { type, property } = query;
  if (property !== null && catalog.node(type)?.indexes.includes(property) !== true)
    throw new CodewalkError('INVALID_INPUT', `${type} has no index on '${property}'`, {
      suggestion: `Indexed are: ${catalog.node(type)?.indexes.join(', ') || 'none'}.`,
      input: query,
    });
  const ways = [query.equals, query.prefix, query.gte ?? query.lt].filter((way) => way !== undefined);
  const mixed = query.gte !== undefined && query.lt !== undefined && typeof query.gte !== typeof query.lt;
  if (ways.length > 1 || mixed || (property === null && ways.length > 0))
    throw new CodewalkError('INVALID_INPUT', `A look-up in ${type} takes one of equals, prefix and bounds`, {
      suggestion: 'Give a property, and either equals, or prefix, or gte and lt of one kind.',
      input: query,
    });
}

/** One of the streams that are merged: its pages, and where it is in the current one. */
interface Stream {
  readonly pages: AsyncIterator<readonly KeyValueEntry[]>;
  page: readonly KeyValueEntry[];
  at: number;
}

async function* mergePages(
  sources: readonly AsyncIterable<readonly KeyValueEntry[]>[],
  limit: number,
  sign: 1 | -1,
): AsyncGenerator<readonly string[]> {
  const opened: Stream[] = sources.map((source) => ({
    pages: source[Symbol.asyncIterator](),
    page: [],
    at: 0,
  }));
  try {
    const started = await Promise.all(opened.map(refill));
    let streams = opened.filter((_, at) => started[at]);
    let page: string[] = [];
    let found = 0;
    while (streams.length > 0 && found < limit) {
      const least = streams.reduce((best, stream) => (sign * compareHeads(stream, best) < 0 ? stream : best));
      const entry = least.page[least.at];
      if (entry !== undefined) page.push(indexedId(entry[0], entry[1]));
      found += 1;
      least.at += 1;
      if (least.at >= least.page.length && !(await refill(least)))
        streams = streams.filter((stream) => stream !== least);
      if (page.length >= PAGE) {
        yield page;
        page = [];
      }
    }
    if (page.length > 0) yield page;
  } finally {
    await Promise.all(opened.map((stream) => stream.pages.return?.()));
  }
}

async function refill(stream: Stream): Promise<boolean> {
  const next = await stream.pages.next();
  stream.page = next.done === true ? [] : next.value;
  stream.at = 0;
  return stream.page.length > 0;
}

function compareHeads(a: Stream, b: Stream): number {
  const left = a.page[a.at];
  const right = b.page[b.at];
  return left === undefined || right === undefined ? 0 : compareIndexKeys(left[0], right[0]);
}
