import type { NodeType } from '../schema/index.js';
import type { Frame } from './frame.js';
import { indexedId, indexRange } from './index-keys.js';
import { afterPrefix } from './keys.js';
import type { KeyValueStore, Write } from './kv.js';
import { propertyEntries } from './node-indexes.js';
import type { StoredType } from './type-table.js';

/** The stored types whose loaded archetypes index other properties than the store does. */
export function staleIndexes({ types }: Frame): { type: StoredType; indexed: readonly string[] }[] {
  return types.all('node').flatMap((type) => {
    const loaded = types.loaded(type);
    if (loaded === undefined || !isNode(loaded) || sameList(loaded.indexes, type.indexed)) return [];
    return [{ type, indexed: loaded.indexes }];
  });
}

/**
 * Rebuilds the property indexes of one archetype for a new list of properties. Until it is done the table says
 * that nothing is indexed, so a run that is cut off is begun again by whoever opens the store next.
 */
export async function reindex(
  store: KeyValueStore,
  frame: Frame,
  type: StoredType,
  indexed: readonly string[],
): Promise<void> {
  const { types, records, keys } = frame;
  const empty = types.setIndexed(type, []);
  await saveTypes(store, frame, []);
  const allNodes = indexRange(type.code, 0, {});
  const wholeType = allNodes.from.subarray(0, 3);
  await store.clear({ from: allNodes.to, to: afterPrefix(wholeType) });
  for await (const page of store.scan(allNodes)) {
    const ids = page.map(([key, value]) => indexedId(key, value));
    const found = await store.getMany(ids.map((id) => keys.node(id)));
    const writes = found.flatMap((bytes) => {
      const node = bytes === undefined ? undefined : records.decodeNode(bytes);
      return node === undefined ? [] : propertyEntries(empty, indexed, node);
    });
    await store.write(writes);
  }
  types.setIndexed(empty, indexed);
  await saveTypes(store, frame, []);
}

async function saveTypes(store: KeyValueStore, { types }: Frame, more: readonly Write[]): Promise<void> {
  await store.write([...more, ...types.pendingWrites()]);
  types.saved();
}

function isNode(type: { readonly element: string }): type is NodeType {
  return type.element === 'node';
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}
