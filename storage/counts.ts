import { PackedRecord } from './adjacency.js';
import type { Frame } from './frame.js';
import { isDirectory } from './hub.js';
import { ALL_NODES, indexRange } from './index-keys.js';
import { adjacencyKeyParts } from './keys.js';
import type { KeyValueReader } from './kv.js';
import type { LayerCounts } from './layer.js';

/** Counts what a layer holds by looking at all of it. */
export async function countAll(source: KeyValueReader, frame: Frame): Promise<LayerCounts> {
  const { types, keys } = frame;
  const nodes = new Map<string, number>();
  for (const { name, code } of types.all('node')) {
    let count = 0;
    for await (const page of source.scan(indexRange(code, ALL_NODES, {}))) count += page.length;
    if (count > 0) nodes.set(name, count);
  }
  const edges = new Map<string, number>();
  for await (const page of source.scan(keys.table('adjacency'))) {
    for (const [key, value] of page) {
      const { direction, typeCode } = adjacencyKeyParts(key, keys.form);
      if (direction !== 'out' || isDirectory(value)) continue;
      const { name } = types.byCode(typeCode);
      edges.set(name, (edges.get(name) ?? 0) + new PackedRecord(value).leaving());
    }
  }
  return { nodes, edges };
}
