import type { EdgeType, NodeType } from '../schema/index.js';
import type { StoredEdge, StoredNode } from '../storage/index.js';
import type { Catalog } from './catalog.js';

type Props = Readonly<Record<string, unknown>>;

/**
 * Records with the fields that their archetype got since they were written, where it has a default for them: what was
 * written before a field existed is shown as what is written now.
 */
export async function* wholeRecords<R extends StoredNode | StoredEdge>(
  pages: AsyncIterable<readonly R[]>,
  catalog: Catalog,
  kind: 'node' | 'edge',
): AsyncGenerator<readonly R[]> {
  for await (const page of pages)
    yield page.map((record) => {
      const type = catalog[kind](record.type);
      const props = type === undefined ? record.props : filled(type, catalog, record.props);
      return props === record.props ? record : { ...record, props };
    });
}

/** In the order of the schema; the same object where no field is missing. */
function filled(type: NodeType | EdgeType, catalog: Catalog, props: Props): Props {
  const defaults = catalog.defaults(type);
  if (Object.keys(defaults).every((field) => field in props)) return props;
  const fields = Object.keys(type.shape).filter((field) => field in props || field in defaults);
  return Object.fromEntries(fields.map((field) => [field, field in props ? props[field] : defaults[field]]));
}
