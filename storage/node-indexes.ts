import { indexedFields } from '../schema/index.js';
import { ALL_NODES, type IndexEntry, type IndexValue, indexEntry, isIndexable } from './index-keys.js';
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
    for (const value of valuesOf(property, node.props))
      entries.push(indexEntry(type.code, at + 1, value, node.id));
  }
  return entries;
}

/** The values under which an index has a node (see `NodeType.indexes`). */
function valuesOf(index: string, props: StoredNode['props']): readonly IndexValue[] {
  const value = props[index];
  if (value !== undefined) return isIndexable(value) ? [value] : [];
  if (index.endsWith('[]')) {
    const list = props[index.slice(0, -'[]'.length)];
    return Array.isArray(list) ? [...new Set(list.filter(isIndexable))] : [];
  }
  if (!index.includes('+')) return [];
  const fields = indexedFields(index);
  const parts = fields.map((field) => props[field]).filter(isIndexable);
  return parts.length === fields.length ? [parts] : [];
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
