import { ALL_NODES, type IndexEntry, indexEntry, isIndexable } from './index-keys.js';
import type { Write } from './kv.js';
import type { StoredNode } from './layer.js';
import type { StoredType, TypeTable } from './type-table.js';

/** The entries of one node in the indexes of its archetype. */
export function nodeIndexEntries(type: StoredType, node: StoredNode): IndexEntry[] {
  return [indexEntry(type.code, ALL_NODES, undefined, node.id), ...propertyEntries(type, type.indexed, node)];
}

/** The entries of one node in the indexes of properties, in the positions of `indexed`. */
export function propertyEntries(
  type: StoredType,
  indexed: readonly string[],
  node: StoredNode,
): IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (const [at, property] of indexed.entries()) {
    const value = node.props[property];
    if (isIndexable(value)) entries.push(indexEntry(type.code, at + 1, value, node.id));
  }
  return entries;
}

/** What changes in the indexes when a node does. */
export function nodeIndexWrites(
  types: TypeTable,
  before: StoredNode | undefined,
  after: StoredNode | undefined,
): Write[] {
  const fresh = after === undefined ? [] : nodeIndexEntries(types.forWriting('node', after.type).type, after);
  const stored = before === undefined ? undefined : types.byName('node', before.type);
  if (before === undefined || stored === undefined) return fresh;
  const old = new Map(nodeIndexEntries(stored, before).map(({ key }) => [key.toString('latin1'), key]));
  const writes: Write[] = fresh.filter(({ key }) => !old.delete(key.toString('latin1')));
  for (const key of old.values()) writes.push({ key, value: undefined });
  return writes;
}
